import type { SheetEvent } from '../../tables/tables.ts'
import { beginTable, flatCell, isFigure, longestCell, type SheetRow, type SheetTable } from '../read/sheet-rows.ts'
import { tablesOf, totalLabel } from '../read/sheet-tables.ts'

/** Rows of a sheet that are loaded at most, and characters of a document. */
export const mostRows = 1_000_000
export const mostCharacters = 256 << 20
const batchCharacters = 256 << 10
const batchRows = 2000

interface Budget {
  characters: number
}

/** One sheet as the events that its tables are made of: each has a header that names its columns; rows that only repeat it or add up are left out. */
export async function* sheetEvents(sheet: SheetTable, budget: Budget): AsyncGenerator<SheetEvent[]> {
  let part = 0
  for await (const table of tablesOf(sheet)) {
    const isWhole = yield* tableEvents(table, part++, budget)
    if (!isWhole) break
  }
}

/** False where the bounds were met: nothing more is taken of the sheet. */
async function* tableEvents(table: SheetTable, part: number, budget: Budget): AsyncGenerator<SheetEvent[], boolean> {
  const { first, header, rest } = await beginTable(table)
  const names = header.names.map(flatCell)
  const title = header.captions.flatMap((row) => row.cells.map(flatCell)).find((cell) => cell !== '') ?? null
  yield [{ type: 'sheet', sheet: table.name, part, title, names }]

  let numbers: number[] = []
  let cells: string[][] = []
  let size = 0
  let rows = 0
  let cut = false

  const isFull = (): boolean => cut && (rows >= mostRows || budget.characters <= 0)

  function* take(row: SheetRow): Generator<SheetEvent[]> {
    if (rows >= mostRows || budget.characters <= 0) {
      cut = true
      return
    }
    const shown = row.cells.map((cell) => {
      if (cell.length > longestCell) cut = true
      return cell.slice(0, longestCell).trim()
    })
    if (shown.every((cell) => cell === '') || isRepeated(shown) || isTotal(shown)) return
    rows += 1
    numbers.push(row.number)
    cells.push(shown)
    const characters = shown.reduce((sum, cell) => sum + cell.length + 1, 0)
    size += characters
    budget.characters -= characters
    if (size < batchCharacters && cells.length < batchRows) return
    yield* send()
  }

  function* send(): Generator<SheetEvent[]> {
    if (cells.length > 0) yield [{ type: 'rows', numbers, cells }]
    numbers = []
    cells = []
    size = 0
  }

  function isRepeated(shown: string[]): boolean {
    return names.length > 0 && names.every((name, column) => name === flatCell(shown[column] ?? ''))
  }

  function isTotal(shown: string[]): boolean {
    const filled = shown.filter((cell) => cell !== '')
    const label = filled[0]
    return (
      rows > 0 &&
      label !== undefined &&
      totalLabel.test(label) &&
      filled.length > 1 &&
      filled.slice(1).every((cell) => cell === label || isFigure(cell))
    )
  }

  for (const row of first.slice(header.rows)) yield* take(row)
  for await (const row of rest) {
    yield* take(row)
    if (isFull()) break
  }
  yield* send()
  yield [{ type: 'sheet-end', cut }]
  return !isFull()
}
