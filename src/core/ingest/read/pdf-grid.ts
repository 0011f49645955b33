import { linesOfRules, meshesOf, type Line, type Rule } from './pdf-rules.ts'
import { partedAt, type Segment } from './pdf-segments.ts'
import { linesByHeight, stacksValues, type Row } from './pdf-table.ts'

/** Rules this near to each other, in points, are one border. */
const oneBorder = 3
/** More lines are a drawing. */
const mostLines = 800
/** A longer cell holds running text. */
const mostLinesOfCell = 16
/** Of the pieces: so many may lie across a border before the lines are taken for a drawing. */
const mostAcross = 0.1

export interface FoundTable {
  rows: Row[]
  /** What of the page's segments it is made of. */
  used: Segment[]
}

/** Tables whose cells are drawn with lines around them. */
export function gridTables(segments: readonly Segment[], rules: readonly Rule[]): FoundTable[] {
  const { level, upright } = linesOfRules(rules)
  if (upright.length < 1 || level.length < 2 || level.length > mostLines || upright.length > mostLines) return []
  const tables: FoundTable[] = []
  let left = segments
  for (const mesh of meshesOf(level, upright)) {
    const table = mesh.level.length < 2 || mesh.upright.length < 1 ? null : tableIn(left, mesh)
    if (table === null) continue
    tables.push(table)
    const used = new Set(table.used)
    left = left.filter((segment) => !used.has(segment))
  }
  return tables
}

function bordersOf(lines: readonly Line[], ends: readonly number[]): number[] {
  const borders: number[] = []
  for (const at of [...lines.map((line) => line.at), ...ends].sort((a, b) => a - b))
    if (borders.length === 0 || at - borders.at(-1)! > oneBorder) borders.push(at)
  return borders
}

function tableIn(segments: readonly Segment[], { level, upright }: { level: Line[]; upright: Line[] }): FoundTable | null {
  const span = (lines: readonly Line[]): number[] => [Math.min(...lines.map(({ from }) => from)), Math.max(...lines.map(({ to }) => to))]
  const columns = bordersOf(upright, span(level))
  const rows = bordersOf(level, span(upright))
  if (columns.length < 3 || rows.length < 2) return null
  const [left, right, top, bottom] = [columns[0]!, columns.at(-1)!, rows[0]!, rows.at(-1)!]
  const used = segments.filter(({ x0, x1, y, size }) => {
    const middle = y - size * 0.3
    return middle > top && middle < bottom && x0 > left - size * 0.5 && x1 < right + size * 0.5
  })
  const cells = new Map<number, Segment[]>()
  const isBorder = ({ x0, x1 }: { x0: number; x1: number }): boolean => columns.some((at) => at > x0 - 1 && at < x1 + 1)
  let across = 0
  const isParted = (line: Line, from: number, to: number): boolean => line.from < from + oneBorder && line.to > to - oneBorder
  const partsRow = (row: number, column: number): boolean => {
    const middle = (columns[column]! + columns[column + 1]!) / 2
    return level.some((line) => Math.abs(line.at - rows[row]!) <= oneBorder && isParted(line, middle, middle))
  }
  const partsColumn = (row: number, column: number): boolean => {
    const middle = (rows[row]! + rows[row + 1]!) / 2
    return upright.some((line) => Math.abs(line.at - columns[column]!) <= oneBorder && isParted(line, middle, middle))
  }
  for (const piece of used.flatMap((segment) => partedAt(segment, isBorder))) {
    let row = bandOf(rows, piece.y - piece.size * 0.3)
    let column = bandOf(columns, (piece.x0 + piece.x1) / 2)
    while (row > 0 && !partsRow(row, column)) row -= 1
    while (column > 0 && !partsColumn(row, column)) column -= 1
    let end = column + 1
    while (end < columns.length - 1 && !partsColumn(row, end)) end += 1
    if (piece.x0 < columns[column]! - piece.size * 0.5 || piece.x1 > columns[end]! + piece.size * 0.5) across += 1
    const place = row * columns.length + column
    const cell = cells.get(place)
    if (cell === undefined) cells.set(place, [piece])
    else cell.push(piece)
  }
  if (across > used.length * mostAcross) return null
  const table = [...Array(rows.length - 1).keys()].map((row) =>
    [...Array(columns.length - 1).keys()].flatMap((column) => {
      const cell = cells.get(row * columns.length + column)
      return cell === undefined ? [] : [linesByHeight(cell).flat()]
    }),
  )
  const filled = table.filter((row) => row.length > 0).flatMap(withoutStacks)
  const wide = filled.filter((row) => row.length > 1)
  const long = filled.flat().filter((cell) => cell.length > mostLinesOfCell).length
  return wide.length < 2 || long > cells.size * 0.1 ? null : { rows: filled, used }
}

function bandOf(borders: readonly number[], at: number): number {
  let band = 0
  while (band < borders.length - 2 && borders[band + 1]! < at) band += 1
  return band
}

/** Where only columns have borders, what is drawn as one row holds many: values stand below each other in it. */
function withoutStacks(row: Row): Row[] {
  if (!stacksValues(row)) return [row]
  return linesByHeight(row.flat()).map((line) => line.map((segment) => [segment]))
}
