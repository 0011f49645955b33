import { implement } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'

/** The calls that count and summarise, over a library in which nothing is found. */
export function createOverviewCalls(documents: number) {
  const os = implement(contract)
  return {
    tables: {
      list: os.tables.list.handler(() => []),
      query: os.tables.query.handler(({ input }) => ({ sql: input.sql, columns: [], rows: [], more: false, rowsLookedAt: 0, sheets: [] })),
    },
    overview: {
      count: os.overview.count.handler(() => ({
        occurrences: 0,
        documents: [],
        places: [],
        lookedAt: documents,
        total: documents,
        unread: 0,
        complete: true,
      })),
      files: os.overview.files.handler(() => ({ total: 0, sizeBytes: 0, pages: 0, files: [] })),
      summarise: os.overview.summarise.handler(async function* () {
        await Promise.resolve()
        yield {
          type: 'summary-end' as const,
          summary: { text: '', model: null, basis: { unit: 'sections' as const, lookedAt: 0, total: 0 }, cached: false },
        }
      }),
    },
  }
}
