import { median } from './pdf-columns.ts'
import { headerOf, type PageTable } from './pdf-header.ts'
import type { Segment, Turn } from './pdf-segments.ts'
import { linesByHeight, rowsOf, type Row } from './pdf-table.ts'
import { columnOf, isFull, runsOn, type Closing } from './pdf-run-on.ts'
import { endsSentence } from './pdf-text.ts'
import { createPageWriter, type PageWriter, type PageSize } from './pdf-writer.ts'
import type { Block, BlockKind, PageLine } from './reading.ts'

export interface VisualLine {
  segments: Segment[]
  text: string
  x0: number
  x1: number
  y: number
  size: number
  /** Wide gaps part it into cells. */
  cells: number
}

export interface PageText {
  text: string
  blocks: Block[]
  lines: PageLine[]
  /** Lines in larger type, in order. */
  headings: { offset: number; text: string; size: number }[]
  tables: PageTable[]
  /** Its first line, when that may go on from the page before; its last one, when the next page may go on from it. */
  opening: VisualLine | null
  closing: Closing | null
  /** Those that `jointOf` asks for. */
  words: ReadonlySet<string>
}

const itemMark =
  /^(?:[•●○■□◆◇▪‣·–—*-]\s*\S|\(?\d{1,3}[.)、．]\s*\S|\[\d{1,3}\]\s|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/
/** A gap of so many sizes parts cells; a smaller one is only wide setting. */
const cellGap = 1.9

function visualLine(segments: Segment[]): VisualLine {
  let cells = 1
  let text = segments[0]!.text
  for (let index = 1; index < segments.length; index++) {
    const [before, next] = [segments[index - 1]!, segments[index]!]
    const isCell = Math.abs(next.x0 - before.x1) > Math.max(before.size, next.size) * cellGap
    if (isCell) cells += 1
    text += (isCell ? '  ' : ' ') + next.text
  }
  const base = segments.reduce((widest, segment) => (segment.x1 - segment.x0 > widest.x1 - widest.x0 ? segment : widest))
  return {
    segments,
    text,
    x0: Math.min(...segments.map((segment) => segment.x0)),
    x1: Math.max(...segments.map((segment) => segment.x1)),
    y: base.y,
    size: Math.max(...segments.map((segment) => segment.size)),
    cells,
  }
}

/** A table is a line of its own. */
function visualLines(region: readonly Segment[]): VisualLine[] {
  return linesByHeight(region).flatMap((line) => {
    const others = line.filter(({ table }) => table === undefined)
    const tables = line.filter(({ table }) => table !== undefined)
    return [...(others.length === 0 ? [] : [others]), ...tables.map((table) => [table])].map(visualLine)
  })
}

function tableAt({ segments }: VisualLine): readonly Row[] | null {
  return segments[0]?.table ?? null
}

/** The text of a page: lines joined to paragraphs where they run on, kept apart where they do not; with the box of every line. */
export function composePage(groups: readonly { turn: Turn; regions: readonly (readonly Segment[])[] }[], page: PageSize): PageText {
  const all = groups.flatMap((group) => group.regions.flat())
  const words = new Set<string>()
  const sizes: number[] = []
  for (const segment of all) {
    for (const match of segment.text.matchAll(/\p{L}+(?:-\p{L}+)+/gu)) words.add(match[0].toLowerCase())
    for (const match of segment.text.matchAll(/\p{Lu}\p{Ll}+\p{Lu}\p{L}*/gu)) words.add(match[0])
    for (let length = segment.text.length; length > 0; length -= 20) sizes.push(segment.size)
  }
  const writer = createPageWriter(page, words)
  const body = median(sizes)
  const tables: PageTable[] = []
  let opening: VisualLine | null = null
  let closing: Closing | null = null
  for (const [index, { turn, regions }] of groups.entries()) {
    writer.turn(turn)
    closing = null
    for (const region of regions) {
      const written = writeRegion(writer, visualLines(region), body, closing)
      if (index === 0 && region === regions[0]) opening = written.opening
      closing = written.closing
      tables.push(...written.tables)
    }
  }
  return { ...writer.result(), tables, words, opening, closing: groups.length === 1 ? closing : null }
}

function writeTable(writer: PageWriter, rows: readonly Row[]): PageTable {
  const starts: number[] = []
  for (const [index, row] of rows.entries()) {
    writer.begin('row', index === 0 ? '\n\n' : '\n')
    starts.push(writer.offset())
    row.forEach((cell, index) => {
      if (index > 0) writer.write('  ')
      cell.forEach((segment, line) => (line === 0 ? writer.line(segment) : writer.lineRunningOn(segment)))
    })
  }
  const header = headerOf(rows)
  const start = starts[0] ?? writer.offset()
  const body = header === null ? start : starts[1]!
  return { start, body, end: writer.offset(), columns: Math.max(0, ...rows.map((row) => row.length)), header }
}

/** Lines in one region, after the region that ended with `closing`. Stretches of it in which cells stand side by side are written as a table. */
function writeRegion(
  writer: PageWriter,
  lines: readonly VisualLine[],
  body: number,
  closing: Closing | null,
): { tables: PageTable[]; opening: VisualLine | null; closing: Closing | null } {
  if (lines.length === 0) return { tables: [], opening: null, closing }
  const tables: PageTable[] = []
  const column = columnOf(lines)
  const { left, width } = column
  const inTable = tableLines(lines, width)
  const steps = lines.slice(1).flatMap((line, index) => (inTable[index] || inTable[index + 1] ? [] : [line.y - lines[index]!.y]))
  const leading = median(steps) || (lines[0]?.size ?? 0) * 1.3
  const opening =
    inTable[0] || tableAt(lines[0]!) !== null || kindOf(lines[0]!, body) !== 'paragraph' || lines[0]!.x0 > left + lines[0]!.size * 0.6
      ? null
      : lines[0]!
  let before: VisualLine | null = null
  let step = leading
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    const table = tableAt(line)
    if (table !== null) {
      tables.push(writeTable(writer, table))
      before = null
      continue
    }
    if (inTable[index]) {
      let end = index
      while (end < lines.length && inTable[end]) end += 1
      const cells = lines.slice(index, end).flatMap((row) => row.segments)
      tables.push(writeTable(writer, rowsOf(cells)))
      index = end - 1
      before = null
      continue
    }
    const full = before !== null && isFull(before, line, column)
    if (index === 0 && closing !== null && opening !== null && runsOn(closing, opening)) {
      writer.lineRunningOn(line)
      step = Infinity
    } else if (before === null || beginsParagraph(line, before, { left, width, leading: Math.min(leading, step), full })) {
      writer.begin(kindOf(line, body), '\n\n', line.size)
      writer.line(line)
      step = Infinity
    } else {
      step = line.y - before.y
      if (full) writer.lineRunningOn(line)
      else {
        writer.write('\n')
        writer.line(line)
      }
    }
    before = line
  }
  const last = before === null || kindOf(before, body) === 'heading' ? null : { ...column, line: before }
  return { tables, opening, closing: last }
}

/** Rows with cells, and the short lines between and beside them that are the further lines of their cells. */
function tableLines(lines: readonly VisualLine[], width: number): boolean[] {
  const marked = lines.map((line) => line.cells > 1 && tableAt(line) === null)
  const isShort = (index: number): boolean => lines[index]!.x1 - lines[index]!.x0 < width * 0.5
  const isNear = (a: number, b: number): boolean =>
    Math.abs(lines[a]!.y - lines[b]!.y) < lines[a]!.size * 1.9 && lines[a]!.size < lines[b]!.size * 1.15
  for (let index = 1; index < lines.length; index++)
    if (marked[index - 1] && !marked[index] && isShort(index) && isNear(index, index - 1)) marked[index] = true
  for (let index = lines.length - 2; index >= 0; index--)
    if (marked[index + 1] && !marked[index] && isShort(index) && isNear(index, index + 1)) marked[index] = true
  // A single row with a wide gap is a line.
  return marked.map((is, index) => is && (marked[index - 1] === true || marked[index + 1] === true || lines[index]!.cells > 2))
}

function kindOf(line: VisualLine, body: number): BlockKind {
  if (line.size > body * 1.18 && line.text.length < 120) return 'heading'
  return itemMark.test(line.text) ? 'item' : 'paragraph'
}

interface RegionMeasures {
  left: number
  width: number
  leading: number
  /** The line before reaches the right edge. */
  full: boolean
}

function beginsParagraph(line: VisualLine, before: VisualLine, { left, width, leading, full }: RegionMeasures): boolean {
  const step = line.y - before.y
  // A full line without an end goes on in the next one, unless that is far away.
  const goesOn = full && !endsSentence(before.text) && line.x0 < left + line.size * 0.6
  if (step > leading * 1.4 && step > line.size * (goesOn ? 2.7 : 1.3)) return true
  if (line.size > before.size * 1.15 || before.size > line.size * 1.15) return true
  if (itemMark.test(line.text) && (!full || endsSentence(before.text))) return true
  const indent = line.x0 - before.x0
  const isCentred = Math.abs(line.x0 + line.x1 - before.x0 - before.x1) < line.size * 2 && Math.abs(indent) > line.size
  if (isCentred) return false
  // What stands alone far to the right of a full line is a page number, a date or a signature.
  if (indent > width * 0.3 || indent < -line.size * 4) return true
  if (indent > line.size * 0.8 && before.x0 < left + line.size * 0.6 && (endsSentence(before.text) || !full)) return true
  return !full && endsSentence(before.text)
}
