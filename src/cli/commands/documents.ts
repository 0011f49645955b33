import type { Command } from 'commander'
import { z } from 'zod'
import {
  documentKindSchema,
  documentSortSchema,
  documentStatusSchema,
  type DocumentRow,
  type DocumentStatus,
} from '../../contract/library.ts'
import type { SharedCore } from '../../server/server.ts'
import type { Run } from '../cli.ts'
import { filled, list, oneOf } from '../options.ts'
import { count, jsonResult, moment, result, say, table } from '../output.ts'
import { scopeOf } from '../scope.ts'
import type { Words } from '../words.ts'

const pageSize = 5000
const optionsSchema = z.object({
  folder: z.string().optional(),
  status: z.array(documentStatusSchema).optional(),
  kind: z.array(documentKindSchema).optional(),
  name: z.string().optional(),
  sort: documentSortSchema.optional(),
  descending: z.boolean().optional(),
})

export function addDocuments(siku: Command, run: Run): void {
  siku
    .command('documents')
    .description('every document with its status and, when it is not ready, the reason')
    .option('--folder <path>', 'only below this folder', filled)
    .option(
      '--status <status>',
      `only with this status (${documentStatusSchema.options.join(', ')}); may be given again`,
      list(oneOf(documentStatusSchema.options)),
    )
    .option(
      '--kind <kind>',
      `only of this kind (${documentKindSchema.options.join(', ')}); may be given again`,
      list(oneOf(documentKindSchema.options)),
    )
    .option('--name <text>', 'only with this in the path', filled)
    .option('--sort <what>', `in the order of ${documentSortSchema.options.join(', ')}`, oneOf(documentSortSchema.options))
    .option('--descending', 'the last or the largest first')
    .addHelpText(
      'after',
      '\nExamples:\n  $ siku documents --status failed --status partial\n  $ siku documents --json | jq \'.[] | select(.status != "ready")\'',
    )
    .action((given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const options = optionsSchema.parse(given)
        const { client } = await open()
        const scope = options.folder === undefined ? {} : await scopeOf(client, options.folder, signal)
        const listed: DocumentRow[] = []
        const asked = scope.folderIds ?? []
        // Several folders in one order are listed as one.
        for (const folderId of asked.length > 1 && options.sort !== undefined ? [undefined] : (scope.folderIds ?? [undefined]))
          await listInto(listed, folderId)
        const recognition = listed.some(({ pagesToRecognise }) => pagesToRecognise > 0) ? await recognitionState(client, signal) : null
        const documents = listed
          .map((document) => ({ ...document, ...shownState(document, recognition) }))
          .filter(({ folderId }) => scope.folderIds === undefined || asked.includes(folderId))
          .filter(({ status }) => options.status === undefined || options.status.includes(status))
        const prefix = scope.pathPrefix
        const shown =
          prefix === undefined
            ? documents
            : documents.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`) || path.startsWith(`${prefix}\\`))
        if (globals.json) return jsonResult(shown.map(report))
        if (shown.length === 0) return say(words.noDocuments)
        result(table(shown.map((document) => row(document, words))))

        async function listInto(rows: DocumentRow[], folderId: number | undefined): Promise<void> {
          for (let seen = 0; ;) {
            const page = await client.documents.list(
              {
                offset: seen,
                limit: pageSize,
                ...(folderId === undefined ? {} : { folderId }),
                ...(options.status === undefined ? {} : { statuses: askedStatuses(options.status) }),
                ...(options.kind === undefined ? {} : { kinds: options.kind }),
                ...(options.name === undefined ? {} : { name: options.name }),
                ...(options.sort === undefined ? {} : { sort: options.sort }),
                descending: options.descending === true,
              },
              { signal },
            )
            rows.push(...page.documents)
            seen += page.documents.length
            if (page.documents.length === 0 || seen >= page.total) return
          }
        }
      }),
    )
}

type RecognitionState = 'off' | 'paused' | 'on'
type Shown = DocumentRow & { recognition: RecognitionState | null }

/** By folder: one may be paused alone. */
async function recognitionState(client: SharedCore['client'], signal: AbortSignal): Promise<(folderId: number) => RecognitionState> {
  const { ocr } = await client.settings.get({}, { signal })
  if (!ocr) return () => 'off'
  for await (const { phase, folders } of await client.library.progress({}, { signal })) {
    const paused = new Set(folders.filter(({ state }) => phase === 'paused' || state === 'paused').map(({ id }) => id))
    return (folderId) => (paused.has(folderId) ? 'paused' : 'on')
  }
  return () => 'on'
}

/** What waits to be recognised has not failed. */
export function shownState(
  { status, folderId, pagesToRecognise }: Pick<DocumentRow, 'status' | 'folderId' | 'pagesToRecognise'>,
  recognition: ((folderId: number) => RecognitionState) | null,
): Pick<Shown, 'status' | 'recognition'> {
  const state = pagesToRecognise === 0 || recognition === null ? null : recognition(folderId)
  return { status: status === 'failed' && state !== null && state !== 'off' ? 'waiting' : status, recognition: state }
}

/** Those that wait for text recognition are kept as failed. */
export function askedStatuses(statuses: readonly DocumentStatus[]): DocumentStatus[] {
  return [...new Set([...statuses, ...(statuses.includes('waiting') ? (['failed'] as const) : [])])]
}

function report(document: Shown) {
  const { path, kind, status, reason, pages, pagesToRecognise, recognition, passages, sizeBytes, language, unreachableSince } = document
  return { path, kind, status, reason, pages, pagesToRecognise, recognition, passages, sizeBytes, language, unreachableSince }
}

function row({ path, kind, status, reason, passages, unreachableSince, pagesToRecognise, recognition }: Shown, words: Words): string[] {
  const waits = recognition === null ? '' : `${words.pagesToRecognise(count(pagesToRecognise))}${words.recognition[recognition]}`
  const why = reason === null ? '' : `${reason.message}${reason.pages === undefined ? '' : ` (${reason.pages})`}`
  const said = (status === 'waiting' ? [waits] : [why, waits]).filter((part) => part !== '')
  const away = unreachableSince === null ? '' : ` · ${words.unreachableSince(moment(unreachableSince))}`
  return [words.status[status], kind, count(passages), path + (said.length === 0 ? '' : ` — ${said.join(' · ')}`) + away]
}
