import { join } from 'node:path'
import { cancelled, SikuError, toSikuError } from '../../contract/errors.ts'
import {
  countRequestSchema,
  tableQuerySchema,
  type CountAnswer,
  type CountProgress,
  type CountRequest,
  type Table,
  type TableAnswer,
  type TableQuery,
} from '../../contract/tables.ts'
import type { Scope } from '../../contract/library.ts'
import type { CoreDeps } from '../deps.ts'
import type { Store } from '../store/store.ts'
import { createPool, startChild, type PoolResult } from '../work/work.ts'
import { openCatalogue } from './catalogue.ts'
import type { QueryApi } from './query-process.ts'
import { createTableLoader, type ReadTables } from './table-loader.ts'

export { quoted } from './tables-database.ts'
export type { SheetEvent } from './tables-database.ts'
export type { ReadTables } from './table-loader.ts'
export { describeTables } from './describe-tables.ts'
export { currencyOf, numberOf } from './values.ts'

export interface Tables {
  /** Loads the sheets of the library from here on, and follows it. */
  start(): void
  list(scope?: Scope): Table[]
  /** One SELECT, read-only and limited in time, memory and rows. Rejects with `refused`, `bad-input`, `timeout`. */
  query(request: TableQuery, options?: { signal?: AbortSignal }): Promise<TableAnswer>
  /** Where a phrase stands, over the whole text of the library. */
  count(request: CountRequest, options?: { signal?: AbortSignal; onProgress?: (progress: CountProgress) => void }): Promise<CountAnswer>
  summaries: { get(key: string): string | null; put(key: string, summary: string): Promise<void> }
  /** Resolves when every sheet that can be loaded is. */
  whenIdle(): Promise<void>
  close(): Promise<void>
}

export interface TablesOptions {
  deps: Pick<CoreDeps, 'dataDir' | 'workerUrl' | 'startProcess' | 'now' | 'log'>
  store: Store
  /** Reads the sheets of a file in a process of its own. */
  read: ReadTables
  queryTimeoutMs?: number
  countTimeMs?: number
}

const memoryLimitBytes = 512 << 20

export function createTables(options: TablesOptions): Tables {
  const { deps, store, queryTimeoutMs = 2000, countTimeMs = 20_000 } = options
  const databasePath = join(deps.dataDir, 'tables.db')
  const catalogue = openCatalogue(databasePath, store)
  const loader = createTableLoader({ deps, store, databasePath, read: options.read })
  const pool = (size: number) =>
    createPool<QueryApi>({
      start: () =>
        startChild<QueryApi>(deps.startProcess, deps.workerUrl('query-process'), { name: 'query-process', memoryLimitBytes, niceness: 5 }),
      size,
      jobsPerChild: 200,
    })
  const queries = pool(1)
  const counts = pool(1)

  return {
    start: () => loader.start(),
    list: (scope = {}) => catalogue.list(scope),
    async query(request, { signal } = {}) {
      const { sql, documentIds, scope, limit } = tableQuerySchema.parse(request)
      // What is hidden of a library is hidden here too, but not from somebody who names it.
      const tables = catalogue.list(scope ?? (documentIds === undefined ? {} : { documentIds }), documentIds)
      if (tables.length === 0)
        throw new SikuError('not-found', 'there is no sheet to query', { hint: 'Add a spreadsheet or a CSV file first.' })
      const allowed = tables.map(({ table }) => table)
      const input = { databasePath, sql, allowed, limit }
      const found = valueOf(await queries.run('query', input, { timeoutMs: queryTimeoutMs, ...(signal === undefined ? {} : { signal }) }))
      const read = new Set(found.read)
      const sheets = tables.filter(({ table }) => read.has(table.toLowerCase()))
      const { columns, rows, more } = found
      return {
        sql: found.sql,
        columns,
        rows,
        more,
        rowsLookedAt: sheets.reduce((sum, sheet) => sum + sheet.rows, 0),
        sheets: sheets.map(({ table, sheet, documents, rows: count, cut }) => ({ table, sheet, documents, rows: count, cut })),
      }
    },
    async count(request, { signal, onProgress } = {}) {
      const { words, pattern, scope, limit } = countRequestSchema.parse(request)
      const input = { databasePath: store.databasePath, words: words ?? null, pattern: pattern ?? null, scope, limit, timeMs: countTimeMs }
      return valueOf(
        await counts.run('count', input, {
          timeoutMs: countTimeMs * 2,
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined ? {} : { onEvent: onProgress }),
        }),
      )
    },
    summaries: {
      get: (key) => catalogue.summary(key),
      async put(key, summary) {
        try {
          await loader.putSummary(key, summary)
        } catch (error) {
          deps.log('warn', 'a summary could not be kept', { code: toSikuError(error).code })
        }
      },
    },
    whenIdle: () => loader.whenIdle(),
    async close() {
      queries.close()
      counts.close()
      catalogue.close()
      await loader.close()
    },
  }
}

function valueOf<Value>(result: PoolResult<Value>): Value {
  switch (result.kind) {
    case 'ok':
      return result.value
    case 'failed':
      throw result.error
    case 'cancelled':
      throw cancelled()
    case 'timed-out':
      throw new SikuError('timeout', 'it took too long and was stopped', { hint: 'Ask for less at once.' })
    case 'out-of-memory':
      throw new SikuError('timeout', 'it needed too much memory and was stopped', { hint: 'Ask for less at once.' })
    case 'crashed':
      throw new SikuError('internal', 'the process that runs queries ended', { retryable: true })
  }
}
