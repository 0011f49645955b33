import { median } from './pdf-columns.ts'
import type { FoundTable } from './pdf-grid.ts'
import { linesOfRules, type Line, type Rule } from './pdf-rules.ts'
import { partedAt, type Segment } from './pdf-segments.ts'
import { columnsOf, type Columns } from './pdf-table-columns.ts'
import { rowsOfHeights } from './pdf-table-lines.ts'
import { settledRows, type Cell, type DrawnRow } from './pdf-table-rows.ts'
import type { Row } from './pdf-table.ts'

/** In sizes: the room between two cells. */
const cellGap = 0.5
/** In sizes, from line to line of a cell. */
const [leastStep, mostStep] = [0.5, 1.9]
/** Lines of a cell stand at one distance, but for so much. */
const mostUneven = 1.25
/** In sizes, from the last line of a row to the first one of the next. */
const mostBetweenRows = 3.6
/** In sizes, between lines of a row that stand in different cells. */
const leastInRow = 0.3
/** In sizes: lines of one text stand no closer. */
const leastLeading = 0.95
/** Steps that differ by less are the same one. */
const sameStep = 1.08
/** In sizes: cells of a row stand beside each other, but for so much. */
const reach = 0.6
/** Of the cells of a table: so many may stand across its columns. */
const mostAcross = 0.12
/** Of the borders between cells. */
const leastSure = 0.4
/** Cells with more lines beside each other are running text. */
const mostLinesBeside = 7

/**
 * Tables without lines around their cells, told by the order in which they were drawn: cell by cell or line by line to the right,
 * and then back to the left below. Columns of running text go back up, and never to the left.
 */
export function drawnTables(segments: readonly Segment[], rules: readonly Rule[]): FoundTable[] {
  if (segments.length < 4) return []
  const { level } = linesOfRules(rules.filter(({ isEdge }) => !isEdge))
  const origins = new Map<Segment, Segment>()
  const pieces: Segment[] = []
  for (const segment of [...segments].sort((a, b) => a.order - b.order))
    for (const piece of partedAt(segment, ({ x0, x1 }) => x1 - x0 > segment.size * cellGap)) {
      origins.set(piece, segment)
      pieces.push(piece)
    }
  const rows = rowsAsDrawn(cellsAsDrawn(pieces, level))
  const tables: FoundTable[] = []
  let least = 0
  for (let index = 0; index < rows.length; index++) {
    if (rows[index]!.cells.length < 2) continue
    const { found, next } = stretchFrom(rows, startBefore(rows, index, least))
    index = Math.max(index, next - 1)
    least = next
    const table = found === null ? null : tableOf(found, level, origins)
    if (table !== null) tables.push(table)
  }
  return withoutShared(tables)
}

/** No segment stands in two tables. */
function withoutShared(tables: readonly FoundTable[]): FoundTable[] {
  const taken = new Set<Segment>()
  return tables.filter(({ used }) => {
    if (used.some((segment) => taken.has(segment))) return false
    for (const segment of used) taken.add(segment)
    return true
  })
}

function cellOf(lines: Segment[]): Cell {
  return {
    lines,
    x0: Math.min(...lines.map(({ x0 }) => x0)),
    x1: Math.max(...lines.map(({ x1 }) => x1)),
    top: lines[0]!.y,
    bottom: lines.at(-1)!.y,
    size: lines[0]!.size,
  }
}

function cellsAsDrawn(pieces: readonly Segment[], level: readonly Line[]): Cell[] {
  const cells: Segment[][] = []
  for (const piece of pieces) {
    const cell = cells.at(-1)
    const before = cell?.at(-1)
    if (cell !== undefined && before !== undefined && isBelow(cell, before, piece) && !isRuledOff(level, before, piece)) cell.push(piece)
    else cells.push([piece])
  }
  return cells.map(cellOf)
}

function isBelow(cell: readonly Segment[], before: Segment, piece: Segment): boolean {
  const step = (piece.y - before.y) / piece.size
  const stepBefore = cell.length < 2 ? Infinity : (before.y - cell.at(-2)!.y) / piece.size
  if (
    step < leastStep ||
    step > Math.min(mostStep, stepBefore * mostUneven) ||
    Math.max(piece.size, before.size) > Math.min(piece.size, before.size) * 1.2
  )
    return false
  return cell.slice(-3).some((line) => {
    const overlap = Math.min(line.x1, piece.x1) - Math.max(line.x0, piece.x0)
    return overlap > Math.min(line.x1 - line.x0, piece.x1 - piece.x0) * 0.3
  })
}

function isRuledOff(level: readonly Line[], above: Segment, below: Segment): boolean {
  const x = (Math.max(above.x0, below.x0) + Math.min(above.x1, below.x1)) / 2
  return level.some(({ at, from, to }) => from < x && to > x && at > above.y - above.size * 0.1 && at < below.y - below.size * 0.4)
}

function rowOf(cells: Cell[]): DrawnRow {
  return { cells, top: Math.min(...cells.map(({ top }) => top)), bottom: Math.max(...cells.map(({ bottom }) => bottom)) }
}

function rowsAsDrawn(cells: readonly Cell[]): DrawnRow[] {
  const rows: DrawnRow[] = []
  for (const cell of cells) {
    const row = rows.at(-1)
    const last = row?.cells.at(-1)
    const edge = cell.x0 + cell.size * 0.3
    // Wider lines above a cell are no part of it.
    const from = last === undefined ? 0 : last.lines.findLastIndex(({ x1 }) => x1 > edge) + 1
    if (row === undefined || last === undefined || from >= last.lines.length || cell.x0 < last.x0) {
      rows.push(rowOf([cell]))
      continue
    }
    const kept = cellOf(last.lines.slice(from))
    const beside = rowOf([...row.cells.slice(0, -1), kept])
    if (cell.top > beside.bottom + cell.size * reach || cell.bottom < beside.top - cell.size * reach) {
      rows.push(rowOf([cell]))
      continue
    }
    rows.pop()
    if (from > 0 && row.cells.length === 1) rows.push(...last.lines.slice(0, from).map((line) => rowOf([cellOf([line])])))
    rows.push(rowOf([...beside.cells, cell]))
  }
  return rows
}

/** Lines above that begin a row whose other cells are shorter: closer than lines of text, or in a column right of the first one. */
function startBefore(rows: readonly DrawnRow[], start: number, least: number): number {
  let from = start
  const [left, second] = rows[start]!.cells
  for (; from > least; from -= 1) {
    const { cells, bottom } = rows[from - 1]!
    const [cell] = cells
    const step = (rows[from]!.top - bottom) / cell!.size
    const isRight = cell!.x0 >= left!.x1 && cell!.x1 >= second!.x0
    if (cells.length > 1 || step < leastInRow || step > (isRight ? mostStep : leastLeading)) break
  }
  return from
}

/** The rows from here on that may be of one table. */
function stretchFrom(rows: readonly DrawnRow[], start: number): { found: DrawnRow[] | null; next: number } {
  const table = [rows[start]!]
  let end = 1
  let next = start + 1
  let closest = Infinity
  for (; next < rows.length; next++) {
    const row = rows[next]!
    const before = table.at(-1)!
    const { size } = row.cells[0]!
    const step = row.top - before.bottom
    if (step < size * leastInRow || step > size * mostBetweenRows || size > before.cells[0]!.size * 1.3) break
    const trial = [...table.slice(-40), row]
    const columns = columnsOf(trial)
    if (row.cells.length > 1 ? !columns.fits(row) : step > size * leastLeading && isWide(row.cells[0]!, table, columns)) break
    table.push(row)
    // A last line of one cell belongs to the row above it, if it is as close.
    const isRight = row.cells[0]!.x0 > before.cells[0]!.x0 + size || row.cells[0]!.x0 > table[0]!.cells[0]!.x0 + size
    if (row.cells.length > 1 || (end === table.length - 1 && (isRight ? step < size * mostStep : step < closest * sameStep)))
      end = table.length
    closest = Math.min(closest, step)
  }
  const found = table.slice(0, end)
  return { found: found.filter((row) => row.cells.length > 1).length < 2 ? null : found, next: start + end }
}

/** Over several columns, or beyond them. */
function isWide(cell: Cell, table: readonly DrawnRow[], columns: Columns): boolean {
  const cells = table.flatMap((row) => row.cells)
  const [left, right] = [Math.min(...cells.map(({ x0 }) => x0)), Math.max(...cells.map(({ x1 }) => x1))]
  const room = (right - left) * 0.05
  const below = columns.over(cell)
  // The last column is as wide as its longest line.
  const isInColumn = below.length === 1 && cell.x0 > below[0]!.x0 - cell.size
  return below.length > 1 || cell.x0 < left - room || (!isInColumn && cell.x1 > right + room)
}

function tableOf(found: readonly DrawnRow[], level: readonly Line[], origins: ReadonlyMap<Segment, Segment>): FoundTable | null {
  const columns = columnsOf(found)
  const cells = found.flatMap((row) => row.cells)
  if (!isSurelyParted(found, origins)) return null
  if (columns.count < 2 || columns.across > cells.length * mostAcross || isRunningText(found, columns)) return null
  const lines = cells.flatMap((cell) => cell.lines)
  const byLines = isDrawnByLines(lines) ? rowsOfHeights(lines, level) : null
  const rows = byLines ?? settledRows(found).map((row) => row.cells.map((cell) => cell.lines))
  return {
    rows: rows.map((row) => mergedPieces(row, columns)),
    used: [...new Set(cells.flatMap((cell) => cell.lines.map((line) => origins.get(line)!)))],
  }
}

/** Between most cells is more room than between words, however wide those are set. */
function isSurelyParted(rows: readonly DrawnRow[], origins: ReadonlyMap<Segment, Segment>): boolean {
  let borders = 0
  let sure = 0
  for (const { cells } of rows)
    for (const [index, cell] of cells.slice(1).entries()) {
      borders += 1
      if (origins.get(cells[index]!.lines[0]!) !== origins.get(cell.lines[0]!)) sure += 1
    }
  return sure > borders * leastSure
}

/** From the top down: no cell with more lines than one was drawn to its end before the cells on its right. */
function isDrawnByLines(lines: readonly Segment[]): boolean {
  return lines.every((line, index) => index === 0 || line.y > lines[index - 1]!.y - line.size * 0.25)
}

/** Pieces of one line in one column are one cell. */
function mergedPieces(row: Row, columns: Columns): Row {
  const merged: Row = []
  for (const cell of row) {
    const before = merged.at(-1)
    if (before !== undefined && columns.areOne(before[0]!, cell[0]!)) before.push(...cell)
    else merged.push([...cell])
  }
  return merged
}

const listMark =
  /^(?:[•●○■□◆◇▪‣·–—*-]|\(?[\dA-Za-z]{1,3}[.)、．]|\[\d{1,3}\]|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)$/

function isRunningText(rows: readonly DrawnRow[], columns: Columns): boolean {
  const wide = rows.filter((row) => row.cells.length > 1)
  const long = wide.filter((row) => row.cells.filter((cell) => cell.lines.length > mostLinesBeside).length > 1)
  if (long.length > wide.length * 0.2) return true
  if (wide.every((row) => row.cells.length === 2 && listMark.test(row.cells[0]!.lines.map(({ text }) => text).join('')))) return true
  if (rows.length < 8) return false
  const running = columns.all().filter(({ x0, x1, cells }) => {
    const full = cells.filter((cell) => cell.x1 - cell.x0 > (x1 - x0) * 0.6)
    return cells.length > rows.length * 0.6 && full.length > cells.length * 0.6 && median(full.map(lengthOf)) > 20
  })
  return running.length > 1 && running.length === columns.count
}

/** Letters of its first line. */
function lengthOf(cell: Cell): number {
  return (cell.lines[0]!.text.match(/\p{L}/gu) ?? []).reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0)
}
