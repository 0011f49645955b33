import type { Command } from 'commander'
import { z } from 'zod'
import { documentKindSchema, documentStatusSchema, type DocumentRow } from '../../contract/library.ts'
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
    .addHelpText(
      'after',
      '\nExamples:\n  $ siku documents --status failed --status partial\n  $ siku documents --json | jq \'.[] | select(.status != "ready")\'',
    )
    .action((given: unknown, command: Command) =>
      run(command, async ({ open, globals, words, signal }) => {
        const options = optionsSchema.parse(given)
        const { client } = await open()
        const scope = options.folder === undefined ? {} : await scopeOf(client, options.folder, signal)
        const documents: DocumentRow[] = []
        for (const folderId of scope.folderIds ?? [undefined]) await listInto(documents, folderId)
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
                ...(options.status === undefined ? {} : { statuses: options.status }),
                ...(options.kind === undefined ? {} : { kinds: options.kind }),
                ...(options.name === undefined ? {} : { name: options.name }),
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

function report({ path, kind, status, reason, pages, passages, sizeBytes, language, unreachableSince }: DocumentRow) {
  return { path, kind, status, reason, pages, passages, sizeBytes, language, unreachableSince }
}

function row({ path, kind, status, reason, passages, unreachableSince }: DocumentRow, words: Words): string[] {
  const why = reason === null ? '' : ` — ${reason.message}${reason.pages === undefined ? '' : ` (${reason.pages})`}`
  const away = unreachableSince === null ? '' : ` · ${words.unreachableSince(moment(unreachableSince))}`
  return [words.status[status], kind, count(passages), path + why + away]
}
