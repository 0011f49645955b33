import { expect, test } from 'vitest'
import type { Segment, Turn, TurnedSegments } from './pdf-segments.ts'
import { joinSidewaysWords } from './pdf-sideways-words.ts'

const piece = (text: string, x0: number, x1: number, y: number, more: Partial<Segment> = {}): Segment => ({
  text,
  x0,
  x1,
  y,
  size: 10,
  order: 0,
  ...more,
})

const group = (turn: Turn, ...segments: Segment[]): TurnedSegments => ({ turn, segments })
const said = (groups: readonly TurnedSegments[]): [Turn, string[]][] =>
  groups.map(({ turn, segments }) => [turn, segments.map(({ text }) => text)])

// A column whose middle is 500 from the left: digits lie on their side, 3.5 left of it stands their baseline.
const column = group('columns', piece('合同于', 30, 60, -500), piece('月生效,由', 120, 170, -500), piece('公司执行。', 210, 260, -500))
const words = group(
  'down',
  piece('2026 11', 60, 120, -496.5, { gaps: [{ characters: 4, x0: 82, x1: 93 }] }),
  piece('Acme', 172, 208, -496.5),
)
const year = group('right', piece('年', 495, 505, 91.1))

test('digits and words on their side, and a character between them, are read where they stand in their column', () => {
  const groups = joinSidewaysWords([column, words, year])
  expect(said(groups)).toEqual([['columns', ['合同于2026年11月生效,由 Acme 公司执行。']]])
  expect(groups[0]!.segments[0]).toMatchObject({ x0: 30, x1: 260, y: -500 })
})

test('what stands elsewhere stays as it is: a number of a page, a table on its side, a line that runs to the right', () => {
  const others = [group('down', piece('Figures 12', 60, 120, -300)), group('right', piece('7', 100, 105, 780), piece('年报', 495, 515, 91))]
  expect(said(joinSidewaysWords([column, ...others]))).toEqual([
    ['columns', ['合同于', '月生效,由', '公司执行。']],
    ['down', ['Figures 12']],
    ['right', ['7', '年报']],
  ])
})

test('a page that does not run in columns is left alone', () => {
  const groups = [group('right', piece('正文', 30, 50, 100)), column, words]
  expect(joinSidewaysWords(groups)).toEqual(groups)
})
