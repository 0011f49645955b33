import type { Cell, DrawnRow } from './pdf-table-rows.ts'

export interface Column {
  x0: number
  x1: number
  cells: Cell[]
}

export interface Columns {
  count: number
  /** Cells that stand across several columns, or share one with another cell of their row. */
  across: number
  /** Most of the row's cells stand in columns of their own. */
  fits(row: DrawnRow): boolean
  /** The columns that it stands in. */
  over(cell: { x0: number; x1: number }): readonly Column[]
  areOne(a: { x0: number; x1: number }, b: { x0: number; x1: number }): boolean
  all(): readonly Column[]
}

/** The columns of a table: where its cells stand below each other. The narrowest cells tell most. */
export function columnsOf(rows: readonly DrawnRow[]): Columns {
  const rowOf = new Map<Cell, DrawnRow>(rows.flatMap((row) => row.cells.map((cell) => [cell, row] as const)))
  let columns: Column[] = []
  const over = (cell: { x0: number; x1: number }): Column[] =>
    columns.filter((column) => Math.min(column.x1, cell.x1) - Math.max(column.x0, cell.x0) > Math.min(1.5, (cell.x1 - cell.x0) / 2))
  const spanning = new Set<Cell>()
  for (const cell of [...rowOf.keys()].sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))) {
    const below = over(cell)
    const rowsBelow = below.flatMap((column) => [...new Set(column.cells.map((other) => rowOf.get(other)))])
    const sharesRow = new Set(rowsBelow).size < rowsBelow.length
    if (below.length > 1 && sharesRow) {
      spanning.add(cell)
      continue
    }
    const column: Column = {
      x0: Math.min(cell.x0, ...below.map(({ x0 }) => x0)),
      x1: Math.max(cell.x1, ...below.map(({ x1 }) => x1)),
      cells: [...below.flatMap(({ cells }) => cells), cell],
    }
    columns = [...columns.filter((other) => !below.includes(other)), column]
  }
  const columnOf = new Map(columns.flatMap((column) => column.cells.map((cell) => [cell, column] as const)))
  const shared = (row: DrawnRow): number => {
    const own = row.cells.map((cell) => columnOf.get(cell)).filter((column) => column !== undefined)
    return own.length - new Set(own).size
  }
  const acrossOf = (row: DrawnRow): number =>
    shared(row) + (row.cells.length > 1 ? row.cells.filter((cell) => spanning.has(cell)).length : 0)
  return {
    count: columns.length,
    across: rows.reduce((sum, row) => sum + acrossOf(row), 0),
    fits: (row) => acrossOf(row) <= row.cells.length / 3,
    over,
    areOne(a, b) {
      const [one, other] = [over(a), over(b)]
      return one.length === 1 && other.length === 1 && one[0] === other[0]
    },
    all: () => columns,
  }
}
