import type { Segment } from './pdf-segments.ts'
import { isNumeric } from './sheet-rows.ts'

/** A row of a table: its cells from left to right, each with the lines that stand in it. */
export type Row = Segment[][]

/**
 * Rows of a table. Most programs draw a table cell by cell, and only that order tells which lines share a cell; where the
 * order of drawing says nothing, lines at one height are a row.
 */
export function rowsOf(segments: readonly Segment[]): Row[] {
  const drawn = [...segments].sort((a, b) => a.order - b.order)
  return isDrawnByRows(drawn) ? rowsAsDrawn(drawn) : rowsByHeight(segments)
}

/** Most steps go to the right or begin a new row below, hardly any jump far up. */
function isDrawnByRows(drawn: readonly Segment[]): boolean {
  let rightward = 0
  let upward = 0
  for (let index = 1; index < drawn.length; index++) {
    const before = drawn[index - 1]!
    const next = drawn[index]!
    if (next.x0 >= before.x1 - before.size * 0.3) rightward += 1
    if (next.y < before.y - before.size * 4) upward += 1
  }
  return rightward >= drawn.length * 0.3 && upward <= drawn.length * 0.05
}

function rowsAsDrawn(drawn: readonly Segment[]): Row[] {
  const rows: Row[] = []
  let row: Row = []
  let top = 0
  let bottom = 0
  for (const [index, segment] of drawn.entries()) {
    const cell = row.at(-1)
    const before = cell?.at(-1)
    if (cell !== undefined && before !== undefined) {
      const step = segment.y - before.y
      const overlap = Math.min(before.x1, segment.x1) - Math.max(before.x0, segment.x0)
      const narrower = Math.min(before.x1 - before.x0, segment.x1 - segment.x0)
      const belowInCell = step > segment.size * 0.5 && step < segment.size * 1.9 && overlap > narrower * 0.3
      // A line under the only cell so far is a row of its own: most one-cell rows are.
      if (belowInCell && (row.length > 1 || isAlone(segment, drawn[index + 1]))) {
        cell.push(segment)
        bottom = Math.max(bottom, segment.y)
        continue
      }
      const reach = segment.size * 1.6
      if (segment.x0 >= before.x1 - segment.size * 0.3 && segment.y > top - reach && segment.y < bottom + reach) {
        row.push([segment])
        top = Math.min(top, segment.y)
        bottom = Math.max(bottom, segment.y)
        continue
      }
      rows.push(row)
    }
    row = [[segment]]
    top = bottom = segment.y
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Whole numbers or dates stand below each other in a cell: it is several rows. One that is broken over two lines is none. */
export function stacksValues(row: Row): boolean {
  return row.some((cell) => {
    const values = cell.filter(({ text }) => isNumeric(text) && !/[-–/,.]$/.test(text))
    return values.length > 1 && values.length === cell.length && !/^\d{1,2}$/.test(values.at(-1)!.text)
  })
}

/** Nothing else stands at its height: it is the second line of a cell, not a cell of the next row. */
function isAlone(segment: Segment, next: Segment | undefined): boolean {
  return next === undefined || Math.abs(next.y - segment.y) > segment.size * 0.3 || next.x0 < segment.x1
}

function rowsByHeight(segments: readonly Segment[]): Row[] {
  return linesByHeight(segments).map((line) => line.map((segment) => [segment]))
}

/** Segments of one height from left to right (from right to left in right-to-left script), top line first. */
export function linesByHeight(segments: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = []
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    const before = line?.[0]
    if (line !== undefined && before !== undefined && segment.y - before.y < Math.min(segment.size, before.size) * 0.45) line.push(segment)
    else lines.push([segment])
  }
  for (const line of lines) {
    line.sort((a, b) => a.x0 - b.x0)
    if (line.length > 1 && line.filter((segment) => /[\u0590-\u08ff]/.test(segment.text)).length * 2 > line.length) line.reverse()
  }
  return lines
}
