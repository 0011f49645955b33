import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { ask, type Asked } from '../asking.ts'
import { modelNamed } from '../model-named.ts'
import { watchIndexing } from '../indexing.ts'
import { count, jsonResult, result, say, seconds } from '../output.ts'
import { resourcesDirectory } from '../../server/server.ts'
import { describe } from './ask.ts'

const optionsSchema = z.object({ model: z.union([z.string(), z.boolean()]).optional() })
const sampleSchema = z.object({ questions: z.array(z.object({ question: z.string() })) })

export function addDemo(siku: Command, run: Run): void {
  siku
    .command('demo')
    .description('the sample library, indexed into a temporary directory, and three questions asked of it')
    .option('--model <name>', 'this model instead of the most suitable one')
    .option('--no-model', 'no model: the best sentences of the documents themselves')
    .addHelpText('after', '\nExample:\n  $ siku demo')
    .action((given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal, builtDir }) => {
        const { model: wanted } = optionsSchema.parse(given)
        const resources = resourcesDirectory(builtDir)
        const { questions } = sampleSchema.parse(JSON.parse(await readFile(join(resources, 'sample-library.json'), 'utf8')))
        const startedAt = performance.now()
        const dataDir = await mkdtemp(join(tmpdir(), 'siku-demo-'))
        try {
          if (!globals.quiet) say(words.demo.start)
          const shared = await open({ dataDir })
          try {
            const { client } = shared
            const { folders } = await client.folders.add({ paths: [join(resources, 'sample-library')] }, { signal })
            const read = await watchIndexing(client, new Set(folders.map(({ id }) => id)), {
              words,
              signal,
              quiet: globals.quiet,
              ocr: false,
            })
            signal.throwIfAborted()
            const indexMs = Math.round(performance.now() - startedAt)
            const documents = read.reduce((total, { counts }) => total + counts.ready + counts.partial, 0)
            const passages = read.reduce((total, folder) => total + folder.passages, 0)
            if (!globals.json) result(`${words.demo.indexed}: ${words.indexed(count(documents), count(passages), seconds(indexMs))}`)

            const model = wanted === false ? null : typeof wanted === 'string' ? await modelNamed(client, wanted, words, signal) : undefined
            const answers: Asked[] = []
            for (const [index, { question }] of questions.slice(0, 3).entries()) {
              const asked = await ask(client, { question, ...(model === undefined ? {} : { model }) }, { signal })
              signal.throwIfAborted()
              answers.push(asked)
              if (globals.json) continue
              const times = [
                ...(asked.searchMs === null ? [] : [`${words.demo.searched} ${seconds(asked.searchMs)} s`]),
                ...(asked.firstTextMs === null ? [] : [`${words.demo.firstText} ${seconds(asked.firstTextMs)} s`]),
                `${words.demo.total} ${seconds(asked.report.elapsedMs)} s`,
              ]
              result(`\n${words.demo.question} ${index + 1}: ${question}\n\n${describe(asked, words)}\n${times.join(' · ')}`)
            }
            if (globals.json) {
              jsonResult({
                documents,
                passages,
                indexMs,
                answers: answers.map(({ report, searchMs, firstTextMs }, index) => ({
                  question: questions[index]?.question,
                  ...report,
                  searchMs,
                  firstTextMs,
                })),
                elapsedMs: Math.round(performance.now() - startedAt),
              })
            }
            const failed = answers.find(({ error }) => error !== null)?.error
            if (failed) say(failed.message)
            return failed ? 1 : 0
          } finally {
            await shared.close()
          }
        } finally {
          await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
          if (!globals.quiet && !signal.aborted) say(`\n${words.demo.end}`)
        }
      }),
    )
}
