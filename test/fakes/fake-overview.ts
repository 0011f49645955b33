import { implement } from '@orpc/server'
import type { Basis } from '../../src/contract/answer.ts'
import { contract } from '../../src/contract/contract.ts'
import type { ScriptedEvent } from './fake-turns.ts'

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

function basisIn(chinese: boolean): Basis {
  const sheet = (path: string, name: string, rows: number, counted: number, value: string) => ({
    path: `/home/lin/资料/${path}`,
    sheet: name,
    rows,
    counted,
    value,
  })
  return {
    of: 'tables',
    message: chinese ? '查了 3 张表共 1,204 行，其中 37 行计入。' : 'Counted in 3 sheets with 1,204 rows; 37 of them count.',
    understood: chinese ? '2026 年“差旅”类报销金额之和' : 'the sum of the amounts of 2026 whose kind is “travel”',
    query: "SELECT sum(金额) FROM 报销 WHERE 类别 = '差旅' AND 日期 BETWEEN '2026-01-01' AND '2026-12-31'",
    unit: 'rows',
    lookedAt: 1204,
    total: 1204,
    sheets: [
      sheet('报销 2026.xlsx', '上半年', 512, 16, '18,420.50'),
      sheet('报销 2026.xlsx', '下半年', 604, 19, '20,112.00'),
      sheet('Expenses of the Nanjing and Chengdu offices 2026.xlsx', 'Sheet1', 88, 2, '2,310.00'),
    ],
    counted: 37,
    rows: [3, 18, 21, 44, 57, 58, 90].map((row) => ({ path: '/home/lin/资料/报销 2026.xlsx', sheet: '上半年', row })),
    remarks: [chinese ? '“1.2万”读作 12,000；2 个空单元格没有计入。' : '“1.2万” was read as 12,000; 2 empty cells were left out.'],
  }
}

/** A question that is counted in tables, with what the figure rests on. */
export function countedEvents(question: string): ScriptedEvent[] {
  const chinese = /\p{Script=Han}/u.test(question)
  const answer = chinese ? '2026 年差旅报销一共 **40,842.50 元**。' : 'Travel in 2026 comes to **40,842.50 yuan** in all.'
  return [
    { type: 'step-start', stepId: 'o', kind: 'overview' },
    { type: 'step-end', stepId: 'o', kind: 'overview', elapsedMs: 240, count: 37 },
    { type: 'note', note: { code: 'basis', message: basisIn(chinese).message, basis: basisIn(chinese) } },
    { type: 'text-start' },
    { type: 'text-delta', text: answer },
    { type: 'text-end' },
    { type: 'answer-checked', answer, sentences: [], citations: [], droppedMarkers: 0 },
  ]
}
