import { addAbortSignal } from 'node:stream'
import type { Command } from 'commander'
import { z } from 'zod'
import { searchModeSchema, type SearchResult } from '../../contract/search.ts'
import type { Run } from '../cli.ts'
import { linesOf } from '../lines.ts'
import { filled, oneOf, wholeNumber } from '../options.ts'
import { jsonResult, moment, pathText, placeText, plain, quote, result, say } from '../output.ts'
import { asErrorValue, exitCodes } from '../run.ts'
import { scopeOf } from '../scope.ts'
import type { Words } from '../words.ts'

const optionsSchema = z.object({
  k: z.number().default(10),
  mode: searchModeSchema.default('hybrid'),
  folder: z.string().optional(),
  stdin: z.boolean().default(false),
})

export function addSearch(siku: Command, run: Run): void {
  siku
    .command('search')
    .description('the passages that fit a query best')
    .argument('[query...]')
    .option('-k <n>', 'how many', wholeNumber(1, 1000))
    .option('--mode <mode>', 'hybrid (default), keyword or vector', oneOf(searchModeSchema.options))
    .option('--folder <path>', 'only below this folder', filled)
    .option('--stdin', 'a query a line in, one JSON document a line out')
    .addHelpText(
      'after',
      '\nExamples:\n  $ siku search "通知期" -k 5\n  $ siku search --mode keyword gen-itgc\n  $ siku search --stdin < questions.txt > hits.jsonl',
    )
    .action((queryWords: string[], given: unknown, command: Command) => {
      const options = optionsSchema.parse(given)
      const query = queryWords.join(' ')
      if (!options.stdin && queryWords.length === 0) command.error("error: missing required argument 'query' (or --stdin)", { exitCode: 2 })
      if (!options.stdin && queryWords.length > 0 && query.trim() === '')
        command.error('error: the query must not be empty', { exitCode: 2 })
      if (options.stdin && queryWords.length > 0) command.error('error: --stdin takes no query', { exitCode: 2 })
      return run(command, async ({ open, globals, words, signal }) => {
        const { client } = await open()
        const scope = options.folder === undefined ? {} : await scopeOf(client, options.folder, signal)
        const search = (text: string) => client.search.query({ query: text, k: options.k, mode: options.mode, scope }, { signal })
        const told = new Set<string>()
        /** What is said of many queries is said once. */
        const tell = ({ notes }: SearchResult) => {
          for (const { message } of globals.quiet ? [] : notes) if (!told.has(message)) say(message)
          for (const { message } of notes) told.add(message)
        }
        if (!options.stdin) {
          const found = await search(query)
          tell(found)
          if (globals.json) jsonResult(report(found))
          else if (found.hits.length === 0) say(words.nothingFound)
          else result(found.hits.map((hit) => describe(hit, words)).join('\n\n'))
          return
        }
        let failed = false
        addAbortSignal(signal, process.stdin)
        for await (const line of linesOf(process.stdin)) {
          try {
            const found = line.trim() === '' ? nothing(line, options.mode) : await search(line)
            tell(found)
            jsonResult(report(found))
          } catch (error) {
            if (signal.aborted) throw error
            failed = true
            const { code, message } = asErrorValue(error)
            jsonResult({ query: line, mode: options.mode, elapsedMs: 0, hits: [], notes: [], error: { code, message } })
          }
        }
        return failed ? exitCodes.failed : exitCodes.done
      })
    })
}

/** A blank line asks for nothing, and gets its answer all the same: lines out match lines in. */
function nothing(query: string, mode: SearchResult['mode']): SearchResult {
  return { query, mode, elapsedMs: 0, hits: [], notes: [] }
}

function report({ query, mode, elapsedMs, hits, notes }: SearchResult) {
  return {
    query,
    mode,
    elapsedMs,
    hits: hits.map(({ rank, score, path, place, text, passageId, unreachableSince }) => ({
      rank,
      score,
      path,
      place,
      text,
      passageId,
      ...(unreachableSince === null ? {} : { unreachableSince }),
    })),
    notes: notes.map(({ code, message }) => ({ code, message })),
  }
}

function describe(hit: SearchResult['hits'][number], words: Words): string {
  const also = hit.alsoAt.length === 0 ? [] : [`    ${words.also} ${hit.alsoAt.map(plain).join(', ')}`]
  const away = hit.unreachableSince === null ? '' : ` · ${words.unreachableSince(moment(hit.unreachableSince))}`
  return [
    `${String(hit.rank).padStart(2)}. ${pathText(hit.path, words)} · ${placeText(hit.place, words)}${away}`,
    `    ${quote(hit.text, 240)}`,
    ...also,
  ].join('\n')
}
