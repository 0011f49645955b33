import type { SheetEvent } from '../../tables/tables.ts'
import { beginSheet, flatCell, isNumeric, type SheetRow, type SheetTable } from '../read/sheet-rows.ts'

/** Rows of a sheet that are loaded at most, and characters of a document. */
export const mostRows = 1_000_000
export const mostCharacters = 256 << 20
const longestCell = 32_767
const batchCharacters = 256 << 10
const batchRows = 2000

/** Rows that add up the ones above: in a table they would count twice. */
const totals = /^(?:(?:grand|sub)?[- ]?totals?|sum|合计|总计|小计|共计|总和|合計|總計|小計)\s*[:：]?$/i

interface Budget {
  characters: number
}

/** One sheet as the events that its table is made of: its header names the columns, rows that only repeat or add up are left out. */
export async function* sheetEvents(table: SheetTable, budget: Budget): AsyncGenerator<SheetEvent[]> {
  const { first, header, rest } = await beginSheet(table)
  const names = header.names.map(flatCell)
  const title = header.captions.flatMap((row) => row.cells.map(flatCell)).find((cell) => cell !== '') ?? null
  yield [{ type: 'sheet', sheet: table.name, title, names }]

  let numbers: number[] = []
  let cells: string[][] = []
  let size = 0
  let rows = 0
  let cut = false

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
      totals.test(label) &&
      filled.length > 1 &&
      filled.slice(1).every((cell) => cell === label || isNumeric(cell))
    )
  }

  for (const row of first.slice(header.rows)) yield* take(row)
  for await (const row of rest) {
    yield* take(row)
    if (cut && (rows >= mostRows || budget.characters <= 0)) break
  }
  yield* send()
  yield [{ type: 'sheet-end', cut }]
}
