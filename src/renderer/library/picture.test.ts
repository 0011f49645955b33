import { expect, test } from 'vitest'
import type { BreakdownCell } from '../../contract/library.ts'
import { datesOf } from './filter-state.ts'
import { pictureOf } from './picture.ts'

const cell = (kind: BreakdownCell['kind'], month: string, band: number, documents: number): BreakdownCell => ({
  kind,
  month,
  band,
  documents,
  bytes: documents * 10,
})
const cells = [cell('pdf', '2026-01', 2, 3), cell('pdf', '2026-04', 0, 1), cell('word', '2026-04', 2, 2)]
const none = { kinds: [], dates: { from: null, before: null }, band: null }

test('the most frequent kind comes first, and months without documents keep their place', () => {
  const { kinds, periods, bands } = pictureOf(cells, none)
  expect(kinds.map(({ key, documents, bytes }) => [key, documents, bytes])).toEqual([
    ['pdf', 4, 40],
    ['word', 2, 20],
  ])
  expect(periods.map(({ key, documents }) => [key, documents])).toEqual([
    ['2025-11', 0],
    ['2025-12', 0],
    ['2026-01', 3],
    ['2026-02', 0],
    ['2026-03', 0],
    ['2026-04', 3],
  ])
  expect(bands.map(({ key, documents }) => [key, documents])).toEqual([
    [0, 1],
    [2, 5],
  ])
})

test('each part counts what the others leave, and keeps its own choices in sight', () => {
  const { kinds, periods, bands } = pictureOf(cells, { kinds: ['pdf'], dates: datesOf('2026-04'), band: null })
  expect(kinds.map(({ key, documents, chosen }) => [key, documents, chosen])).toEqual([
    ['pdf', 1, true],
    ['word', 2, false],
  ])
  expect(periods.filter(({ chosen }) => chosen).map(({ key, documents }) => [key, documents])).toEqual([['2026-04', 1]])
  expect(bands.map(({ documents }) => documents)).toEqual([1, 0])
})

test('many months are shown as years; a year is chosen as such', () => {
  const many = [cell('pdf', '2019-05', 0, 1), cell('pdf', '2026-04', 0, 2)]
  const { periods } = pictureOf(many, { ...none, dates: datesOf('2026') })
  expect(periods.map(({ key }) => key)).toEqual(['2019', '2020', '2021', '2022', '2023', '2024', '2025', '2026'])
  expect(periods.filter(({ chosen }) => chosen).map(({ key }) => key)).toEqual(['2026'])
})

test('a file from the year 1 and an empty library do no harm', () => {
  expect(pictureOf([], none)).toEqual({ kinds: [], periods: [], bands: [] })
  expect(pictureOf([cell('pdf', '0001-01', 0, 1), ...cells], none).periods.map(({ key }) => key)).toEqual(['0001', '2026'])
})
