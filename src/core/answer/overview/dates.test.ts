import { expect, test } from 'vitest'
import { takeSpan } from './dates.ts'
import { readQuestion } from './text.ts'

/** Wednesday, in the afternoon. */
const now = new Date(2026, 10, 25, 15, 30).getTime()
const day = (month: number, date: number, year = 2026): number => new Date(year, month - 1, date).getTime()

test.each<[string, number, number | null]>([
  ['what changed since monday', day(11, 23), null],
  ['what changed since Wednesday', day(11, 25), null],
  ['what changed since friday', day(11, 20), null],
  ['what changed on monday', day(11, 23), day(11, 24)],
  ['what changed yesterday', day(11, 24), day(11, 25)],
  ['what changed since yesterday', day(11, 24), null],
  ['what changed today', day(11, 25), null],
  ['what changed last week', day(11, 16), day(11, 23)],
  ['what changed this month', day(11, 1), null],
  ['what changed in the last 2 months', day(9, 25), null],
  ['what changed since 2026-11-01', day(11, 1), null],
  ['what changed in March 2026', day(3, 1), day(4, 1)],
  ['what changed before 2026-02-01', 0, day(2, 1)],
  ['what changed in December', day(12, 1, 2025), day(1, 1)],
  ['周一以来改了什么', day(11, 23), null],
  ['上周五改了什么', day(11, 20), day(11, 21)],
  ['11月1日以来改了什么', day(11, 1), null],
  ['2025年改了什么', day(1, 1, 2025), day(1, 1)],
  ['昨天改了什么', day(11, 24), day(11, 25)],
  ['本周改了什么', day(11, 23), null],
])('%s', (question, from, before) => {
  expect(takeSpan(readQuestion(question), now)).toEqual({ from, before })
})

test.each(['what changed in the contract', 'what may change'])('%s names no time', (question) => {
  expect(takeSpan(readQuestion(question), now)).toBeNull()
})

test('the last three days are counted back from now', () => {
  expect(takeSpan(readQuestion('最近三天改了什么'), now)).toEqual({ from: now - 3 * 86_400_000, before: null })
})
