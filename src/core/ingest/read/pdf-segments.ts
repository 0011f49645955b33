import { joinLooseLines } from './pdf-loose-lines.ts'
import type { Row } from './pdf-table.ts'
import { firstCharacter, isEastAsian, lastCharacter, withoutFakeSpaces } from './pdf-text.ts'

/** A run of text as pdf.js gives it. */
export interface TextItem {
  str: string
  dir: string
  width: number
  height: number
  transform: number[]
  fontName: string
}

export interface TextStyle {
  ascent: number
  descent: number
  vertical: boolean
}

/** Text that stands in one line without a wide gap, in a space in which text runs to the right and lines go down. */
export interface Segment {
  text: string
  x0: number
  x1: number
  /** The baseline. */
  y: number
  size: number
  /** When it was drawn, among the page's segments. */
  order: number
  /** Where it may be two cells: the room between its pieces, and how many characters other than blanks stand before it. */
  gaps?: { characters: number; x0: number; x1: number }[]
  /** A table, of which this is the place. */
  table?: Row[]
}

/** How a page's text is turned: to the right, down, to the left, up, or (Japanese, Chinese) in columns from the right. */
export type Turn = 'right' | 'down' | 'left' | 'up' | 'columns' | 'askew'

export interface TurnedSegments {
  turn: Turn
  segments: Segment[]
}

type Matrix = readonly number[]

function multiply(left: Matrix, right: Matrix): number[] {
  const [a, b, c, d, e, f] = left as [number, number, number, number, number, number]
  const [g, h, i, j, k, l] = right as [number, number, number, number, number, number]
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

function turnOf(x: number, y: number): Turn {
  const length = Math.hypot(x, y)
  if (length === 0) return 'right'
  const near = length * 0.985
  if (x > near) return 'right'
  if (y > near) return 'down'
  if (x < -near) return 'left'
  if (y < -near) return 'up'
  return 'askew'
}

/** A point of the page (origin top left) in the space of a turn. */
export function turned(turn: Turn, x: number, y: number): [number, number] {
  switch (turn) {
    case 'right':
    case 'askew':
      return [x, y]
    case 'down':
    case 'columns':
      return [y, -x]
    case 'left':
      return [-x, -y]
    case 'up':
      return [-y, x]
  }
}

/** And back: the rectangle between two corners of the turned space as x, y, width and height on the page. */
export function pageRectangle(
  turn: Turn,
  x0: number,
  top: number,
  x1: number,
  bottom: number,
): { x: number; y: number; width: number; height: number } {
  const back: Record<Turn, (x: number, y: number) => [number, number]> = {
    right: (x, y) => [x, y],
    askew: (x, y) => [x, y],
    down: (x, y) => [-y, x],
    columns: (x, y) => [-y, x],
    left: (x, y) => [-x, -y],
    up: (x, y) => [y, -x],
  }
  const [ax, ay] = back[turn](x0, top)
  const [bx, by] = back[turn](x1, bottom)
  return { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) }
}

interface Run {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  leftward: boolean
}

/** The runs of a page as segments, by how they are turned, the turn with most text first. */
export function segmentsOf(items: readonly TextItem[], styles: Readonly<Record<string, TextStyle>>, viewport: Matrix): TurnedSegments[] {
  const scale = Math.hypot(viewport[0]!, viewport[1]!)
  const builders = new Map<Turn, ReturnType<typeof segmentBuilder>>()
  let last: ReturnType<typeof segmentBuilder> | undefined
  for (const item of items) {
    if (item.str === '') continue
    if (item.str.trim() === '') {
      last?.space()
      continue
    }
    const matrix = multiply(viewport, item.transform)
    const vertical = styles[item.fontName]?.vertical === true
    const turn = vertical ? 'columns' : turnOf(matrix[0]!, matrix[1]!)
    const size = Math.hypot(matrix[2]!, matrix[3]!) || Math.hypot(matrix[0]!, matrix[1]!)
    const length = (vertical ? item.height : item.width) * scale
    const [x, y] = turned(turn, matrix[4]!, matrix[5]!)
    if (!(size > 0) || !Number.isFinite(x + y + length + size)) continue
    let builder = builders.get(turn)
    if (builder === undefined) builders.set(turn, (builder = segmentBuilder()))
    builder.add({ text: item.str.replace(/\0|\p{Surrogate}/gu, '\uFFFD'), x0: x, x1: x + length, y, size, leftward: item.dir === 'rtl' })
    last = builder
  }
  return [...builders]
    .map(([turn, builder]) => ({ turn, segments: joinLooseLines(builder.end()) }))
    .filter((group) => group.segments.length > 0)
    .sort((a, b) => weight(b) - weight(a))
}

function weight(group: TurnedSegments): number {
  if (group.turn === 'askew') return -1
  return group.segments.reduce((sum, segment) => sum + segment.text.length, 0)
}

/** A gap of so many sizes is a border of a column or a cell. */
const wideGap = 1.2
/** A gap of so many sizes may be one. */
const doubtfulGap = 0.4

function segmentBuilder() {
  const segments: Segment[] = []
  let open: Segment | null = null
  let before: Run | null = null
  let spaced = false

  function add(raw: Run): void {
    const cleaned = withoutFakeSpaces(raw.text, raw.x1 - raw.x0, raw.size)
    const text = cleaned.trim()
    if (text === '') return
    const run = { ...raw, text }
    const startsSpaced = spaced || /^\s/.test(cleaned)
    if (before !== null && open !== null) {
      const size = Math.max(run.size, before.size)
      const drop = Math.abs(run.y - open.y)
      // Bold made by setting the same text twice.
      if (run.text === before.text && Math.abs(run.x0 - before.x0) < size * 0.3 && drop < size * 0.3) return
      const gap = run.leftward ? open.x0 - run.x1 : run.x0 - open.x1
      if (drop < size * 0.5 && gap > -size * 0.6 && gap < size * wideGap) {
        if (gap > size * doubtfulGap && !run.leftward)
          (open.gaps ??= []).push({ characters: open.text.replace(/\s/g, '').length, x0: open.x1, x1: run.x0 })
        open.text += (needsSpace(open.text, text, gap / size, startsSpaced) ? ' ' : '') + text
        open.x0 = Math.min(open.x0, run.x0)
        open.x1 = Math.max(open.x1, run.x1)
        // The baseline and size of a line are those of its larger text, not of a superscript.
        if (run.size > open.size) {
          open.size = run.size
          open.y = run.y
        }
        before = run
        spaced = /\s$/.test(cleaned)
        return
      }
    }
    open = { text, x0: run.x0, x1: run.x1, y: run.y, size: run.size, order: segments.length }
    segments.push(open)
    before = run
    spaced = /\s$/.test(cleaned)
  }
  return {
    add,
    space: () => void (spaced = true),
    end: () => segments.map((segment) => ({ ...segment, text: withoutFakeSpaces(segment.text, segment.x1 - segment.x0, segment.size) })),
  }
}

/** The segment in the parts between those of its gaps that `parts` says are borders of cells. */
export function partedAt(segment: Segment, parts: (gap: { x0: number; x1: number }) => boolean): Segment[] {
  const gaps = segment.gaps?.filter(parts) ?? []
  if (gaps.length === 0) return [segment]
  const ends: number[] = []
  let characters = 0
  for (let offset = 0; offset < segment.text.length; offset++) {
    if (characters === gaps[ends.length]?.characters) ends.push(offset)
    if (/\S/.test(segment.text[offset]!)) characters += 1
  }
  if (ends.length < gaps.length) return [segment]
  return [...gaps, null].map((gap, index) => ({
    ...segment,
    text: segment.text.slice(index === 0 ? 0 : ends[index - 1], ends[index]).trim(),
    x0: index === 0 ? segment.x0 : gaps[index - 1]!.x1,
    x1: gap === null ? segment.x1 : gap.x0,
    order: segment.order + index / (gaps.length + 1),
    gaps: [],
  }))
}

/** `gap` in sizes. A drawn space counts where words are parted by spaces; between full-width characters only room does. */
function needsSpace(left: string, right: string, gap: number, spaced: boolean): boolean {
  const leftWide = isEastAsian(lastCharacter(left))
  const rightWide = isEastAsian(firstCharacter(right))
  if (leftWide && rightWide) return gap > 0.6
  if (leftWide || rightWide) return gap > 0.3 || (spaced && gap > 0.1)
  return gap > 0.15 || (spaced && gap > 0.02)
}
