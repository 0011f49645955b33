import { expect, it } from 'vitest'
import type { ToolContext } from '../tool.ts'
import { createCalculate } from './calculate.ts'

const tool = createCalculate()
/** Noon of 15 July 2026, by this machine's zone. */
const at = new Date(2026, 6, 15, 12).getTime()

function run(expression: string): unknown {
  return tool.run({ expression }, { now: () => at } as ToolContext)
}

it.each([
  ['2025-03-01 - 2025-02-01', '2025-03-01 - 2025-02-01 = 28 days (4 weeks)'],
  ['2025-02-01-2025-03-01', '2025-02-01-2025-03-01 = -28 days (-4 weeks)'],
  ['2024-03-01 - 2024-02-28 = ?', '2024-03-01 - 2024-02-28 = 2 days'],
  ['2026年3月1日 - 2026年1月15日', '2026年3月1日 - 2026年1月15日 = 45 days (6 weeks and 3 days)'],
  ['2026年3月1日减去2026-02-28', '2026年3月1日减去2026-02-28 = 1 day'],
  ['2025-01-31 + 1 month', '2025-01-31 + 1 month = 2025-02-28 (Friday)'],
  ['2024-02-29 + 1 year', '2024-02-29 + 1 year = 2025-02-28 (Friday)'],
  ['2025-01-31 - 90 days', '2025-01-31 - 90 days = 2024-11-02 (Saturday)'],
  ['2026年11月30日加3个月', '2026年11月30日加3个月 = 2027-02-28 (Sunday)'],
  ['2026-12-31 + 2周', '2026-12-31 + 2周 = 2027-01-14 (Thursday)'],
  ['2026-01-02 < 2026-01-10', '2026-01-02 < 2026-01-10: true'],
  ['2026/11/30 - 2026/01/01', '2026-11-30 - 2026-01-01 = 333 days (47 weeks and 4 days)'],
  ['2026/11/30-2026/1/1', '2026-11-30-2026-01-01 = 333 days (47 weeks and 4 days)'],
  ['11/30/2026 - 1/1/2026', '2026-11-30 - 2026-01-01 = 333 days (47 weeks and 4 days)'],
  ['30.11.2026 - 2026.11.1', '2026-11-30 - 2026-11-01 = 29 days (4 weeks and 1 day)'],
  ['2026.3.1 - 2026.2.1', '2026-03-01 - 2026-02-01 = 28 days (4 weeks)'],
  ['2026-1-5 - 2026-1-1', '2026-01-05 - 2026-01-01 = 4 days'],
  ['(2026/4/2 + 30 days)', '2026-04-02 + 30 days = 2026-05-02 (Saturday)'],
  ['2026/4/2 > 2026/4/1', '2026-04-02 > 2026-04-01: true'],
  ['2026年3月1日到2026年4月1日有多少天', '2026年3月1日到2026年4月1日 = 31 days (4 weeks and 3 days)'],
  ['today + 30 days', '2026-07-15 + 30 days = 2026-08-14 (Friday)'],
  ['明天 - 昨天', '2026-07-16 - 2026-07-14 = 2 days'],
])('%s', (expression, expected) => {
  expect(run(expression)).toBe(expected)
})

it.each([
  ['3/4/2026 - 1/1/2026', 'which number is the day'],
  ['5/6/2026 * 2', 'which number is the day'],
  ['11/30/26 - 1/1/26', 'the years are not clear'],
  ['2026/4/2', 'a date or a division'],
  ['2026/4/2 * 5', 'a date or a division'],
  ['2026/4/2 - 2026', 'a date or a division'],
])('%s is not guessed at: how to write it is said', (expression, words) => {
  expect(() => run(expression)).toThrow(words)
  expect(() => run(expression)).toThrow('2026-11-30')
})

it.each([
  ['2026 / 4 / 2', '253.25'],
  ['3600/12/30', '10'],
  ['1000/8/5', '25'],
  ['10/5/2 - 8/4/2', '0'],
  ['1/2/4', '0.125'],
])('%s stays a division', (expression, value) => {
  expect(run(expression)).toBe(`${expression} = ${value}`)
})

it.each(['2025-02-30 - 2025-01-01', '2 * 2025-03-01', '2000-12-10', '2025-03-01 + 2025-02-01', '2025-13-01 - 2025-01-01'])(
  '%s is no date that can be calculated, and no subtraction of numbers',
  (expression) => {
    expect(() => run(expression)).toThrow(/Dates are calculated alone|There is no/)
  },
)

it('numbers with blanks around the minus stay numbers', () => {
  expect(run('2000 - 12 - 10')).toBe('2000 - 12 - 10 = 1978')
})
