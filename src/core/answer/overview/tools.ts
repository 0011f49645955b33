import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { SikuError } from '../../../contract/errors.ts'
import type { countRequestSchema, fileQuerySchema, tableQuerySchema } from '../../../contract/tables.ts'
import {
  summariseRequestSchema,
  type CountAnswer,
  type FileAnswer,
  type Summary,
  type SummaryEvent,
  type Table,
  type TableAnswer,
} from '../../../contract/tables.ts'
import type { Models } from '../../models/models.ts'
import type { Store } from '../../store/store.ts'
import { describeTables, type Tables } from '../../tables/tables.ts'
import { queryFiles } from './files.ts'
import { relevantTables } from './sql.ts'
import { summarise, summaryLanguage } from './summary.ts'
import { queryRemarks } from './tell-table.ts'

/** Functions that tools are made of: each a schema of what it takes and a call. Nothing here writes to what is the user's. */
export interface OverviewCalls {
  /** The tables there are, as a model is told of them; those that have to do with `about` first and alone, if any do. */
  listTables(input: z.input<typeof listTablesInput>, signal?: AbortSignal): Promise<{ tables: Table[]; described: string }>
  /** `remarks`: units that the numbers may mix, and how cells were read. */
  queryTable(input: z.input<typeof tableQuerySchema>, signal?: AbortSignal): Promise<TableAnswer & { remarks: string[] }>
  countInLibrary(input: z.input<typeof countRequestSchema>, signal?: AbortSignal): Promise<CountAnswer>
  listFiles(input: z.input<typeof fileQuerySchema>): FileAnswer
  /** Progress, and the summary as the last event. Leaving it stops the work. */
  summarise(input: z.input<typeof summariseRequestSchema>, signal?: AbortSignal): AsyncGenerator<SummaryEvent, Summary>
}

export const listTablesInput = z.object({ about: z.string().max(500).optional(), documentIds: z.array(z.number().int()).optional() })

const tablesDescribed = 12

export function createOverviewCalls({
  store,
  tables,
  models,
}: {
  store: Store
  tables: Tables
  models: Pick<Models, 'resolve'>
}): OverviewCalls {
  return {
    async listTables(input, signal) {
      const { about, documentIds } = listTablesInput.parse(input)
      const all = tables.list(documentIds === undefined ? {} : { documentIds })
      const near = about === undefined ? [] : relevantTables(about, all)
      const chosen = (near.length > 0 ? near : all).slice(0, tablesDescribed)
      const sample = (sql: string) =>
        tables.query({ sql, ...(documentIds === undefined ? {} : { documentIds }) }, signal === undefined ? {} : { signal })
      const left = all.length - chosen.length
      const described = await describeTables(chosen, sample)
      return {
        tables: chosen,
        described:
          left === 0
            ? described
            : `${described}\n\n-- and ${counted(left, 'more table')}: ${all
                .filter((table) => !chosen.includes(table))
                .slice(0, 100)
                .map(({ table }) => table)
                .join(', ')}`,
      }
    },
    async queryTable(input, signal) {
      const answer = await tables.query(input, signal === undefined ? {} : { signal })
      return { ...answer, remarks: queryRemarks('en', answer, tables.list({})) }
    },
    countInLibrary: (input, signal) => tables.count(input, signal === undefined ? {} : { signal }),
    listFiles: (input) => queryFiles(store, input),
    async *summarise(input, given) {
      const { documentId, folderId, model, language } = summariseRequestSchema.parse(input)
      const leaving = new AbortController()
      const signal = given === undefined ? leaving.signal : AbortSignal.any([given, leaving.signal])
      try {
        const of = documentId === undefined ? { scope: { folderIds: [folderId!] } } : { documentId }
        if (documentId !== undefined && store.documents.get(documentId) === null)
          throw new SikuError('not-found', 'it is no longer in the library')
        const chosen = await models.resolve(model, signal)
        const own = documentId === undefined ? '' : (store.documents.get(documentId)?.language ?? '')
        return yield* summarise(
          { store, tables },
          {
            of,
            model: chosen,
            language: language ?? (own === 'zh' ? 'zh' : own === '' ? summaryLanguage(firstTitle(store, folderId)) : 'en'),
            signal,
          },
        )
      } finally {
        leaving.abort()
      }
    },
  }
}

/** What a folder's language is guessed from: the titles and names in it. */
function firstTitle(store: Store, folderId: number | undefined): string {
  if (folderId === undefined) return ''
  const { documents } = store.documents.list({ folderId, offset: 0, limit: 50 })
  const chinese = documents.filter(({ language }) => language === 'zh').length
  return chinese * 2 > documents.length ? '中文' : 'English'
}
