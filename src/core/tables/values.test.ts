import { expect, test } from 'vitest'
import { cleanName, studyColumn, uniqueName, valueIn } from './columns.ts'
import { dateOf } from './date-values.ts'
import { currencyOf, numberOf } from './values.ts'

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
  ['12万元', 120000],
  ['壹仟贰佰叁拾肆元整', 1234],
  ['人民币叁万元', 30000],
  ['¥-', 0],
  ['$ -', 0],
  ['1.2亿元', 120000000],
  ['３５万', 350000],
  ['3百万', 3000000],
  ['(2,000)元', -2000],
  ['¥(1,200.50)', -1200.5],
  ['($1,200)', -1200],
  ['（1,200）', -1200],
  ['8,800人民币', 8800],
  ['US$3 million', 3000000],
  ['1.234,56', 1234.56],
  ['1.234.567', 1234567],
  ['99,90 €', 99.9],
  ['-1.234,5', -1234.5],
  ['12,5%', 0.125],
])('the shown number %s is worth %d', (shown, value) => {
  expect(numberOf(shown)?.value).toBe(value)
})

test.each([
  '007',
  '0123',
  '',
  'abc',
  '12a',
  '5m',
  '3 kg',
  '12%元',
  '1.2.3',
  '12-34',
  '10⁶',
  'm²',
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
  ['二〇二六年三月四日', '2026-03-04'],
  ['二○二六年十二月三十一日', '2026-12-31'],
  ['２０２６年３月４日', '2026-03-04'],
  ['4 March 2026', '2026-03-04'],
  ['4th of March 2026', '2026-03-04'],
  ['March 4th, 2026', '2026-03-04'],
  ['Wed, 4 March 2026', '2026-03-04'],
  ['2026-03-04 星期三', '2026-03-04'],
  ['2026年03月04日 星期三', '2026-03-04'],
  ['2026年3月4日 下午 2:30', '2026-03-04 14:30:00'],
  ['2026年3月4日14时30分05秒', '2026-03-04 14:30:05'],
])('the shown date %s is %s', (shown, iso) => {
  expect(dateOf(shown)?.iso).toBe(iso)
})

test.each(['5 Marble 2026', '二〇二六年十三月四日', '2026-02-30', '2026-13-01', '31/31/2026', '12:30', '2026', 'May', '1-2', '10.5'])(
  'what is no day is no date: %s',
  (shown) => {
    expect(dateOf(shown)).toBeNull()
  },
)

function study(cells: string[], name = '') {
  const column = studyColumn(name)
  for (const cell of cells) column.take(cell)
  return column.end()
}

function typeOf(cells: string[], name = '') {
  const { readAs, same } = study(cells, name)
  return { ...readAs, same }
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
  expect(valueIn(european, '01/02/2026')).toBe('2026-02-01')
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

test('a decimal mark is told by the whole column, and a column with both marks stays text', () => {
  const german = study(['1.234,56', '99,90', '1.234'])
  expect(german).toMatchObject({ readAs: { type: 'decimal', mark: 'comma' }, other: null, reading: { as: 'decimal-comma', certain: true } })
  expect(['1.234', '99,90'].map((cell) => valueIn(german.readAs, cell))).toEqual([1234, 99.9])
  expect(study(['1,234.50', '1,234']).readAs).toMatchObject({ type: 'decimal', mark: 'point' })
  expect(study(['1.234,56', '1,234.56'])).toMatchObject({ readAs: { type: 'text' } })
})

test('what can be read in two ways is kept in both, and said', () => {
  const dates = study(['03/04/2026', '05/06/2026'])
  expect(dates).toMatchObject({
    readAs: { dayOrder: 'month-first' },
    reading: { as: 'month-first', example: '03/04/2026', certain: false },
  })
  expect([dates.readAs, dates.other!].map((readAs) => valueIn(readAs, '03/04/2026'))).toEqual(['2026-03-04', '2026-04-03'])
  expect(study(['03/03/2026']).other).toBeNull()
  expect(study(['03/04/2026', '25/04/2026']).other).toBeNull()
  const points = study(['1.234', '5.678'])
  expect([points.readAs, points.other!].map((readAs) => valueIn(readAs, '1.234'))).toEqual([1.234, 1234])
  expect(study(['1.234', '5.6']).other).toBeNull()
  expect(study(['4,200', '900'])).toMatchObject({ other: null, reading: null })
})

test('numbers under a date are days as a spreadsheet counts them; elsewhere they are numbers', () => {
  const dates = study(['46085', '46086'], '到期日期')
  expect(valueIn(dates.readAs, '46085')).toBe('2026-03-04')
  expect(dates.reading).toMatchObject({ as: 'serial' })
  expect(study(['46085', '46086'], 'Order no').readAs.type).toBe('integer')
  expect(study(['46085', '7'], 'Date').readAs.type).toBe('integer')
})

test('units are known, each under one sign', () => {
  expect(['元', 'CNY', '￥', 'RMB', '人民币'].map(currencyOf)).toEqual(['¥', '¥', '¥', '¥', '¥'])
  expect(['USD', '美元', 'EUR', '港币', '₹', 'kg'].map(currencyOf)).toEqual(['$', '$', '€', 'HK$', '₹', null])
  expect(study(['$1', '€2', '3']).units).toEqual(['$', '€', ''])
  expect(study(['12%', '5%']).units).toEqual(['%'])
})

test('a column that is mostly numbers tells which cell is none', () => {
  expect(study(['1', '2', 'see note', '4'])).toMatchObject({
    readAs: { type: 'text' },
    stray: { of: 'number', cells: 1, example: 'see note' },
  })
  expect(study(['a', 'b', '3']).stray).toBeNull()
})
