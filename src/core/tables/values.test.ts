import { expect, test } from 'vitest'
import { cleanName, studyColumn, uniqueName, valueIn } from './columns.ts'
import { dateOf, numberOf } from './values.ts'

test.each<[string, number]>([
  ['1,234.50', 1234.5],
  ['12%', 0.12],
  ['4.35%', 0.0435],
  ['￥3,000', 3000],
  ['¥ 3,000.00', 3000],
  ['3万', 30000],
  ['1.2亿', 120000000],
  ['３，０００', 3000],
  ['$1,200', 1200],
  ['-$5.00', -5],
  ['$-5.00', -5],
  ['(1,500)', -1500],
  ['−7', -7],
  ['250元', 250],
  ['€99', 99],
  ['1.5k', 1500],
  ['2M', 2000000],
  ['1e3', 1000],
  ['0', 0],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['1 234 567', 1234567],
  ['USD 40', 40],
  ['-0', 0],
])('the shown number %s is worth %d', (shown, value) => {
  expect(numberOf(shown)?.value).toBe(value)
})

test.each([
  '007',
  '0123',
  '',
  'abc',
  '12a',
  '1,23',
  '1.2.3',
  '12-34',
  'v2',
  '三',
  '138 0013',
  '12345678901234567890',
  '1:2',
  '%',
  '￥',
  '1'.repeat(100),
])('what only looks like a number stays text: %s', (shown) => {
  expect(numberOf(shown)).toBeNull()
})

test.each<[string, string]>([
  ['2026-11-30', '2026-11-30'],
  ['2026/1/5', '2026-01-05'],
  ['2026.01.05', '2026-01-05'],
  ['2026年3月9日', '2026-03-09'],
  ['2026-11-30 9:05', '2026-11-30 09:05:00'],
  ['2026-11-30T09:05:07Z', '2026-11-30 09:05:07'],
  ['11/30/2026', '2026-11-30'],
  ['30/11/2026', '2026-11-30'],
  ['5-Mar-26', '2026-03-05'],
  ['Mar 5, 2026', '2026-03-05'],
  ['1/2/26 3:04 PM', '2026-01-02 15:04:00'],
])('the shown date %s is %s', (shown, iso) => {
  expect(dateOf(shown)?.iso).toBe(iso)
})

test.each(['2026-02-30', '2026-13-01', '31/31/2026', '12:30', '2026', 'May', '1-2', '10.5'])('what is no day is no date: %s', (shown) => {
  expect(dateOf(shown)).toBeNull()
})

function typeOf(cells: string[]) {
  const study = studyColumn()
  for (const cell of cells) study.take(cell)
  return study.end()
}

test('a column is what all of its cells are, not the first ones', () => {
  expect(typeOf(['1', '2', '3']).type).toBe('integer')
  expect(typeOf(['1', '2.5', '-']).type).toBe('decimal')
  expect(typeOf(['2026-01-02', '', '2026/3/4']).type).toBe('date')
  expect(typeOf([...new Array<string>(1000).fill('7'), 'seven']).type).toBe('text')
  expect(typeOf(['', '']).type).toBe('text')
  expect(typeOf(['n/a', '—']).type).toBe('text')
})

test('day and month are told apart by the whole column, and a column with both orders stays text', () => {
  const european = typeOf(['01/02/2026', '25/02/2026'])
  expect(european).toMatchObject({ type: 'date', dayOrder: 'day-first' })
  expect(valueIn('date', '01/02/2026', european.dayOrder)).toBe('2026-02-01')
  expect(typeOf(['01/02/2026', '02/25/2026'])).toMatchObject({ type: 'date', dayOrder: 'month-first' })
  expect(typeOf(['25/02/2026', '02/25/2026']).type).toBe('text')
})

test('cells are kept beside their value only where they differ from it', () => {
  expect(typeOf(['1', '2']).same).toBe(true)
  expect(typeOf(['1,000']).same).toBe(false)
  expect(typeOf(['2026-01-02']).same).toBe(true)
})

test('names of columns can stand in a query, and no two are alike', () => {
  const taken = new Set(['_row'])
  const names = ['Amount (€)', 'amount €', '金额（元）', 'select', '2024', '', '_row', '  '].map((name, index) =>
    uniqueName(cleanName(name, `column_${index + 1}`), taken),
  )
  expect(names).toEqual(['amount', 'amount_2', '金额_元', 'column_select', 'column_2024', 'column_6', 'row', 'column_8'])
})
