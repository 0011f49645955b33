import type { Command } from 'commander'
import { z } from 'zod'
import type { Run } from '../cli.ts'
import { ask, type Asked } from '../asking.ts'
import { modelNamed } from '../model-named.ts'
import { basisLines, summaryProgress } from '../basis.ts'
import { filled } from '../options.ts'
import { jsonResult, pathText, placeText, plain, quote, result, say, sayProblem, seconds } from '../output.ts'
import { exitCodes } from '../run.ts'
import { scopeOf } from '../scope.ts'
import type { Words } from '../words.ts'

const optionsSchema = z.object({
  /** Commander's `--no-model` gives false, its absence true. */
  model: z.union([z.string(), z.boolean()]).optional(),
  folder: z.string().optional(),
  chat: z.string().optional(),
  anyway: z.boolean().default(false),
})

export function addAsk(siku: Command, run: Run): void {
  siku
    .command('ask')
    .description('an answer from the library, with citations')
    .argument('<question...>')
    .option('--model <name>', 'this model instead of the chosen one', filled)
    .option('--no-model', 'no model: the best sentences of the documents themselves')
    .option('--folder <path>', 'only from below this folder', filled)
    .option('--chat <id>', 'go on with this chat', filled)
    .option('--anyway', 'ask the model even when nothing in the library seems to answer')
    .addHelpText(
      'after',
      '\nExamples:\n  $ siku ask When does the lease end?\n  $ siku ask --no-model "押金什么时候退还？"\n  $ siku ask --json --model qwen3:8b "What is the notice period?"',
    )
    .action((questionWords: string[], given: unknown, command: Command) => {
      if (questionWords.join(' ').trim() === '') command.error('error: the question must not be empty', { exitCode: 2 })
      return run(command, async ({ open, globals, words, signal }) => {
        const options = optionsSchema.parse(given)
        const { client } = await open()
        const model =
          options.model === false
            ? null
            : typeof options.model === 'string'
              ? await modelNamed(client, options.model, words, signal)
              : undefined
        const live = !globals.json && process.stdout.isTTY
        let printed = false
        const asked = await ask(
          client,
          {
            question: questionWords.join(' '),
            anyway: options.anyway,
            ...(model === undefined ? {} : { model }),
            ...(options.chat === undefined ? {} : { chatId: options.chat }),
            ...(options.folder === undefined ? {} : { scope: await scopeOf(client, options.folder, signal) }),
          },
          {
            signal,
            onEvent: (event) => {
              // Without --anyway the answer itself begins with it.
              const isSaid = event.type === 'note' && event.note.code === 'not-in-library' && !options.anyway
              // The basis is a part of the result.
              const isTold = event.type === 'note' && event.note.basis !== undefined
              if (event.type === 'note' && !globals.quiet && !isSaid && !isTold) say(event.note.message)
              const progress = summaryProgress(event, words)
              if (progress !== null && !globals.quiet) say(progress)
              if (live && event.type === 'text-delta') {
                process.stdout.write(plain(event.text))
                printed = true
              }
            },
          },
        )
        if (globals.json) jsonResult(asked.report)
        else tellAnswer(asked, words, { alreadyWritten: printed, quiet: globals.quiet })
        if (asked.error !== null) sayProblem(asked.error)
        return asked.report.outcome === 'failed' ? exitCodes.failed : exitCodes.done
      })
    })
}

/** The answer and its sources are the result; how it came about is the result's foot on a terminal, and a remark elsewhere. */
export function tellAnswer(asked: Asked, words: Words, { alreadyWritten = false, quiet = false } = {}): void {
  const answer = describe(asked, words, alreadyWritten)
  if (process.stdout.isTTY) return result([...(answer === '' && !alreadyWritten ? [] : [answer, '']), foot(asked, words)].join('\n'))
  if (answer !== '') result(answer)
  if (!quiet) say(foot(asked, words))
}

/** The answer with its sources; when it was already written as it came, only what follows it. */
export function describe({ report }: Asked, words: Words, alreadyWritten = false): string {
  const unsupported = report.sentences
    .filter((sentence) => !sentence.supported)
    .map((sentence) => `  ⚠ ${words.notCarried}: ${quote(sentence.text)}`)
  const sources = report.citations.map(
    ({ marker, path, place, quote: text }) => `  [${marker}] ${pathText(path, words)} · ${placeText(place, words)}\n      ${quote(text)}`,
  )
  const answer = plain(report.answer)
  return [
    ...(alreadyWritten ? [''] : answer === '' ? [] : [answer]),
    ...(unsupported.length > 0 ? ['', ...unsupported] : []),
    ...(sources.length > 0 ? ['', `${words.sources}:`, ...sources] : []),
    ...(report.basis === null ? [] : ['', ...basisLines(report.basis, words)]),
  ].join('\n')
}

function foot({ report }: Asked, words: Words): string {
  const how = [words.outcome[report.outcome], ...(report.model === null ? [] : [report.model]), `${seconds(report.elapsedMs)} s`]
  return `(${how.join(' · ')})`
}
