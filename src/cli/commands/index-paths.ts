import type { Command } from 'commander'
import { z } from 'zod'
import type { IndexReport } from '../../contract/library.ts'
import type { SharedCore } from '../../server/server.ts'
import type { Run } from '../cli.ts'
import { watchIndexing } from '../indexing.ts'
import { filled, list, wholeNumber } from '../options.ts'
import { count, jsonResult, oneLine, result, say, seconds } from '../output.ts'
import { reachable } from '../reachable.ts'
import { asErrorValue, exitCodes } from '../run.ts'
import type { Words } from '../words.ts'

const optionsSchema = z.object({
  ocr: z.boolean(),
  password: z.array(z.string()).default([]),
  readSeconds: z.number().optional(),
  readMegabytes: z.number().optional(),
})

export function addIndex(siku: Command, run: Run): void {
  siku
    .command('index')
    .description('add folders or files, and wait until they can be found by keyword and by meaning')
    .argument('<path...>', 'folders or files', list(filled))
    .option('--no-ocr', 'do not wait for text recognition of scanned pages')
    .option('--password <password>', 'tried on documents that are locked; may be given again; not kept', list(filled))
    .option(
      '--read-seconds <number>',
      'what the reading of one document may take from now on; those that took too long are read again',
      wholeNumber(1, 86_400),
    )
    .option(
      '--read-megabytes <number>',
      'memory that it may take from now on; those that needed too much are read again',
      wholeNumber(100, 1_000_000),
    )
    .option('--strict', 'exit with 3 when some documents failed')
    .addHelpText('after', '\nExamples:\n  $ siku index ~/papers ./manual.pdf\n  $ siku index --json ~/papers | jq .documents')
    .action((paths: string[], _options, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const startedAt = performance.now()
        const absolute: string[] = []
        let refused = 0
        const refuse = (why: string): void => {
          refused += 1
          say(`siku: ${why}`)
        }
        // What can be added is, whatever is wrong with the paths beside it.
        for (const path of paths) {
          try {
            absolute.push(await reachable(path, words))
          } catch (error) {
            refuse(asErrorValue(error).message)
          }
        }
        if (absolute.length === 0) return exitCodes.failed
        const { client, access } = await open()
        signal.throwIfAborted()
        const options = optionsSchema.parse(command.opts())
        const raised = await raiseLimits(client, options, signal)
        const added = await client.folders.add({ paths: absolute }, { signal })
        for (const { path, message } of added.refused) refuse(`${oneLine(path)}: ${message}`)
        if (added.folders.length === 0) return exitCodes.failed
        const ids = new Set(added.folders.map((folder) => folder.id))
        const { ocr, password } = options
        let folders = await watchIndexing(client, ids, { words, signal, quiet: globals.quiet, ocr })
        if (!signal.aborted && password.length > 0 && (await unlockAll(client, ids, password, signal)) > 0)
          folders = await watchIndexing(client, ids, { words, signal, quiet: globals.quiet, ocr })
        if (!signal.aborted && raised && (await readAgain(client, ids, signal)) > 0)
          folders = await watchIndexing(client, ids, { words, signal, quiet: globals.quiet, ocr })
        if (signal.aborted) {
          say(access === 'remote' ? words.goesOn : words.resumes)
          return exitCodes.interrupted
        }
        const sum = (pick: (folder: (typeof folders)[number]) => number) => folders.reduce((total, folder) => total + pick(folder), 0)
        const report: IndexReport = {
          folders: folders.length,
          documents: {
            ready: sum((folder) => folder.counts.ready),
            partial: sum((folder) => folder.counts.partial),
            recognising: sum((folder) => folder.counts.recognising),
            failed: sum((folder) => folder.counts.failed),
            skipped: sum((folder) => folder.counts.skipped),
          },
          passages: sum((folder) => folder.passages),
          elapsedMs: Math.round(performance.now() - startedAt),
        }
        if (globals.json) jsonResult(report)
        else result(describe(report, words))
        if (refused > 0) return exitCodes.failed
        return globals.strict && report.documents.failed > 0 ? exitCodes.someFailed : exitCodes.done
      }),
    )
}

/** As settings, which are kept. */
async function raiseLimits(
  client: SharedCore['client'],
  { readSeconds, readMegabytes }: z.infer<typeof optionsSchema>,
  signal: AbortSignal,
): Promise<boolean> {
  if (readSeconds === undefined && readMegabytes === undefined) return false
  const patch = {
    ...(readSeconds === undefined ? {} : { readTimeoutMs: readSeconds * 1000 }),
    ...(readMegabytes === undefined ? {} : { readMemoryBytes: readMegabytes * 1_000_000 }),
  }
  await client.settings.patch(patch, { signal })
  return true
}

/** What had come to a limit. How many there were. */
async function readAgain(client: SharedCore['client'], folderIds: ReadonlySet<number>, signal: AbortSignal): Promise<number> {
  let count = 0
  for (const folderId of folderIds) {
    const { documents } = await client.documents.list({ folderId, statuses: ['failed', 'partial'], limit: 100_000 }, { signal })
    for (const { id, reason } of documents) {
      if (reason?.code !== 'too-slow' && reason?.code !== 'too-much-memory') continue
      await client.documents.retry({ documentId: id }, { signal })
      count += 1
    }
  }
  return count
}

/** Tries the passwords on every locked document of these folders. How many were opened. */
async function unlockAll(
  client: SharedCore['client'],
  folderIds: ReadonlySet<number>,
  passwords: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let unlocked = 0
  for (const folderId of folderIds) {
    const { documents } = await client.documents.list({ folderId, statuses: ['failed'], limit: 100_000 }, { signal })
    for (const { id, reason } of documents) {
      if (reason?.code !== 'encrypted') continue
      for (const password of passwords) {
        const { opened } = await client.documents.unlock({ documentId: id, password, keep: false }, { signal })
        if (!opened) continue
        unlocked += 1
        break
      }
    }
  }
  return unlocked
}

function describe({ documents, passages, elapsedMs }: IndexReport, words: Words): string {
  const rest = [
    ...(documents.partial > 0 ? [words.partial(count(documents.partial))] : []),
    ...(documents.recognising > 0 ? [words.waitForRecognition(count(documents.recognising))] : []),
    ...(documents.failed > 0 ? [words.failed(count(documents.failed))] : []),
    ...(documents.skipped > 0 ? [words.skipped(count(documents.skipped))] : []),
  ]
  const first = words.indexed(count(documents.ready), count(passages), seconds(elapsedMs))
  return rest.length === 0 ? first : `${[first, ...rest].join(' · ')}\n${words.seeReasons}`
}
