import { median } from './pdf-columns.ts'
import type { Segment } from './pdf-segments.ts'

/** Lines below each other. */
export interface Cell {
  lines: Segment[]
  x0: number
  x1: number
  /** The baselines of the first and of the last line. */
  top: number
  bottom: number
  size: number
}

/** Cells beside each other, from left to right. */
export interface DrawnRow {
  cells: Cell[]
  top: number
  bottom: number
}

/** Steps that differ by less are the same one: some programs set lines on whole dots. */
const sameStep = 1.06

/**
 * Rows whose first cell has only the lines that are its own: what was drawn right above them may be a row by itself, of one
 * cell. Told by the steps from line to line within the cells and from row to row.
 */
export function settledRows(rows: readonly DrawnRow[]): DrawnRow[] {
  const within = rows.flatMap((row) => row.cells.slice(1).flatMap(({ lines }) => stepsOf(lines)))
  const inCell = within.length === 0 ? null : median(within)
  const between = rows.slice(1).map((row, index) => topBeside(row) - rows[index]!.bottom)
  const betweenRows = [...between].sort((a, b) => a - b)[Math.floor(between.length / 4)] ?? Infinity
  const isTopAligned = !rows.some(
    ({ cells }) => cells.length > 1 && cells[0]!.top > Math.min(...cells.map(({ top }) => top)) + cells[0]!.size * 0.3,
  )
  const goesOn = (step: number): boolean => {
    if (inCell === null) return step < betweenRows * 0.95
    if (step > inCell * sameStep) return false
    return betweenRows > inCell * sameStep || !isTopAligned
  }
  return rows.flatMap((row) => {
    const [first, ...others] = row.cells
    if (first === undefined || others.length === 0 || first.lines.length < 2) return [row]
    const { lines } = first
    const beside = topBeside(row) - first.size * 0.3
    let start = lines.findIndex(({ y }) => y >= beside)
    if (start === -1) start = lines.length - 1
    while (start > 0 && goesOn(lines[start]!.y - lines[start - 1]!.y)) start -= 1
    if (start === 0) return [row]
    const own = lines.slice(start)
    const cell: Cell = { ...first, lines: own, top: own[0]!.y }
    return [...lines.slice(0, start).map(rowOfLine), { ...row, cells: [cell, ...others], top: Math.min(cell.top, topBeside(row)) }]
  })
}

/** Where the cells right of the first one begin. */
function topBeside({ cells, top }: DrawnRow): number {
  return cells.length < 2 ? top : Math.min(...cells.slice(1).map((cell) => cell.top))
}

function rowOfLine(line: Segment): DrawnRow {
  const { x0, x1, y, size } = line
  return { cells: [{ lines: [line], x0, x1, top: y, bottom: y, size }], top: y, bottom: y }
}

function stepsOf(lines: readonly Segment[]): number[] {
  return lines.slice(1).map((line, index) => line.y - lines[index]!.y)
}
