import XLSX, { type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { createCellFormat, type CellFormat } from './cell-format.ts'
import { formatLibrary } from './format-library.ts'
import type { SheetRow, SheetTable } from './sheet-rows.ts'
import { lostRecords, wholeRecords, type XlsRecords } from './xls-records.ts'
import { ZipProblem } from './zip.ts'

const { CFB, read, utils } = XLSX

/** Sheets of a workbook of Excel 97 to 2003 ([MS-XLS]), as shown. */
export function readXlsTables(bytes: Buffer): { tables: SheetTable[]; isDamaged: boolean } {
  const records = recordsOf(bytes)
  const workbook = open(records?.damaged === true ? records.stream : bytes)
  const format = createCellFormat(formatLibrary, workbook.Workbook?.WBProps?.date1904 === true)
  const isUnsaved = workbook.SheetNames.every((name) => !hasResults(workbook.Sheets[name] ?? {}))
  const tables = workbook.SheetNames.map((name, index) => {
    const rows = rowsOf(workbook.Sheets[name] ?? {}, format, isUnsaved)
    const hidden = (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0
    return { name, hidden, rows }
  })
  return { tables, isDamaged: records?.damaged === true }
}

/** The records of the workbook; null where it is of an older kind, which has its own. */
function recordsOf(bytes: Buffer): XlsRecords | null {
  try {
    const found = CFB.find(CFB.read(bytes, { type: 'buffer' }), '/Workbook')
    return found === null ? null : wholeRecords(Buffer.from(found.content))
  } catch {
    return lostRecords(bytes)
  }
}

function open(bytes: Buffer): WorkBook {
  try {
    return read(bytes, { type: 'buffer', cellNF: true, cellHTML: false, cellText: true, dateNF: 'yyyy-mm-dd' })
  } catch (error) {
    const protectedBy = error instanceof Error && /password|encrypt/i.test(error.message)
    throw new ZipProblem(protectedBy ? 'encrypted' : 'damaged', error instanceof Error ? error.message : 'damaged')
  }
}

function cellAt(sheet: WorkSheet, row: number, column: number): CellObject | undefined {
  const cell: unknown = sheet[utils.encode_cell({ r: row, c: column })]
  return isCell(cell) ? cell : undefined
}

function isCell(value: unknown): value is CellObject {
  return typeof value === 'object' && value !== null && 't' in value
}

/** Some writers leave each result empty for the next program: a workbook whose formulas all give nothing has none. */
function hasResults(sheet: WorkSheet): boolean {
  return Object.values(sheet).some((cell: unknown) => isCell(cell) && cell.f !== undefined && cell.v !== undefined && cell.v !== '')
}

function rowsOf(sheet: WorkSheet, format: CellFormat, isUnsaved: boolean): SheetRow[] {
  if (sheet['!ref'] === undefined) return []
  const { s: from, e: to } = utils.decode_range(sheet['!ref'])
  const rows: SheetRow[] = []
  for (let number = from.r; number <= to.r; number += 1) {
    const row: SheetRow = { number: number + 1, cells: [] }
    for (let column = 0; column <= to.c; column += 1) {
      const cell = cellAt(sheet, number, column)
      const isFormula = isUnsaved && cell?.f !== undefined
      if (isFormula) row.formulas = new Set([...(row.formulas ?? []), column])
      row.cells.push(cell === undefined ? '' : isFormula ? `=${cell.f}` : shown(cell, format))
    }
    rows.push(row)
  }
  for (const { s, e } of sheet['!merges'] ?? []) {
    const value = rows[s.r - from.r]?.cells[s.c] ?? ''
    for (let row = s.r; row <= Math.min(e.r, s.r + 1000); row += 1)
      for (let column = s.c; column <= Math.min(e.c, s.c + 1000); column += 1) {
        const cells = rows[row - from.r]?.cells
        if (cells !== undefined) cells[column] = value
      }
  }
  return rows.filter((row) => row.cells.some((cell) => cell !== ''))
}

function shown(cell: CellObject, format: CellFormat): string {
  const of = cell.z ?? 'General'
  if (cell.t === 'n' && typeof cell.v === 'number') return format.number(of, Math.abs(cell.v) < 1e15 ? `${cell.v}` : cell.v.toExponential())
  if (cell.t === 's' && typeof cell.v === 'string') return format.text(of, cell.v)
  return cell.w ?? (cell.v === undefined ? '' : `${String(cell.v)}`)
}
