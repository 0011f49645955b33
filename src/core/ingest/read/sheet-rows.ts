/** Cells are cut here: Excel itself allows no more. */
export const longestCell = 32_767

/** One row as it is shown: merged cells repeat their value, empty ones at the end are left out. */
export interface SheetRow {
  /** As the sheet counts, from 1. */
  number: number
  cells: string[]
  /** Columns that show their formula: the file has no result of it. */
  formulas?: ReadonlySet<number>
}

/** What is said beside the cells: a comment, or what is drawn over them. */
export interface SheetRemark {
  row: number
  text: string
}

export interface SheetTable {
  /** Empty: a file of separated values, which is no sheet. */
  name: string
  hidden?: boolean
  rows: Iterable<SheetRow> | AsyncIterable<SheetRow>
  remarks?: readonly SheetRemark[]
}

/** The letters of a column, counted from 0. */
export function columnName(column: number): string {
  return column < 0 ? '' : columnName(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26))
}

const looksAt = 12

export function flatCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

export function isNumeric(text: string): boolean {
  return (
    /\d/.test(text) &&
    /^[-+(]?\p{Sc}?\s*[\d.,'\s%‰()/:年月日时分秒-]+(?:[eE][-+]?\d+)?\s*(?:\p{Sc}|%|[A-Za-z\u4e00-\u9fff]{1,4})?$/u.test(text)
  )
}

/** A number, or the formula that stands where the file has no result of it. */
export function isFigure(text: string): boolean {
  return text.startsWith('=') || isNumeric(text)
}

export interface Header {
  /** Above the header: a title of the table, remarks. */
  captions: SheetRow[]
  /** Names of the columns; empty where the sheet names none. */
  names: string[]
  /** Rows of the header itself. */
  rows: number
}

/** Which of the first rows name the columns. Rows with one value above them are the table's title. */
export function findHeader(first: readonly SheetRow[]): Header {
  const captions: SheetRow[] = []
  let at = 0
  while (at < first.length && distinctCells(first[at]!).length <= 1) captions.push(first[at++]!)
  const none: Header = { captions: [], names: [], rows: 0 }
  const candidate = first[at]
  const below = first.slice(at + 1)
  if (candidate === undefined || below.length === 0) return none
  if (!namesColumns(candidate) && !namesPeriods(candidate, below)) return none
  const second = below[0]!
  // Groups of columns with their own names below them: the same name stands over several columns.
  const two = below.length > 1 && namesColumns(second) && areTwoRows(candidate, second, below.slice(1))
  const width = Math.max(candidate.cells.length, two ? second.cells.length : 0)
  const names = Array.from({ length: width }, (_none, column) => {
    const upper = flatCell(candidate.cells[column] ?? '')
    const lower = two ? flatCell(second.cells[column] ?? '') : ''
    return upper === lower || lower === '' ? upper : upper === '' ? lower : `${upper} ${lower}`
  })
  return { captions, names, rows: at + (two ? 2 : 1) }
}

/**
 * Groups of columns with their own names below them: the same name stands over several columns. A column outside of the groups
 * repeats its name, or has none below; if not, numbers must stand below a group, or the second row would be the first of the values.
 */
function areTwoRows(first: SheetRow, second: SheetRow, below: readonly SheetRow[]): boolean {
  const upper = first.cells.map(flatCell)
  const lower = upper.map((_name, column) => flatCell(second.cells[column] ?? ''))
  const isGrouped = (name: string): boolean => name !== '' && upper.indexOf(name) !== upper.lastIndexOf(name)
  const groups = upper.flatMap((name, column) => (isGrouped(name) && lower[column] !== '' && lower[column] !== name ? [column] : []))
  const pairs = new Set(upper.map((name, column) => `${name}\n${lower[column] ?? ''}`))
  if (groups.length === 0 || pairs.size <= new Set(upper.filter((name) => name !== '')).size) return false
  const apart = upper.every((name, column) => isGrouped(name) || name === '' || lower[column] === '' || lower[column] === name)
  return apart || below.some((row) => groups.some((column) => isNumeric(flatCell(row.cells[column] ?? ''))))
}

const period =
  /^(?:(?:19|20)\d{2}(?:[-/.]\d{1,2}|年(?:度|\d{1,2}月|[上下]半年|第?[一二三四1-4]季度?)?)?|\d{1,2}月份?|(?:19|20)?\d{2}\s?Q[1-4]|Q[1-4])$/i

/** Years or months over values: numbers, and names all the same. */
function namesPeriods(row: SheetRow, below: readonly SheetRow[]): boolean {
  const cells = row.cells.map(flatCell)
  const periods = cells.flatMap((cell, column) => (period.test(cell) ? [column] : []))
  const others = cells.filter((cell, column) => cell !== '' && !periods.includes(column))
  if (periods.length < 2 || new Set(periods.map((column) => cells[column])).size < periods.length || others.some(isNumeric)) return false
  return periods.every((column) => !below.every((each) => period.test(flatCell(each.cells[column] ?? ''))))
}

export function filledCells(row: SheetRow): string[] {
  return row.cells.map(flatCell).filter((cell) => cell !== '')
}

export function distinctCells(row: SheetRow): string[] {
  return [...new Set(filledCells(row))]
}

function namesColumns(row: SheetRow): boolean {
  const cells = filledCells(row)
  return cells.length > 1 && cells.every((cell) => cell.length <= 80) && cells.filter(isFigure).length <= cells.length / 4
}

export interface BegunTable {
  first: SheetRow[]
  header: Header
  rest: AsyncGenerator<SheetRow>
}

/** The first rows of a table and what they say of its columns, and the rows behind them. */
export async function beginTable(table: SheetTable): Promise<BegunTable> {
  async function* rowsOf(): AsyncGenerator<SheetRow> {
    yield* table.rows
  }
  const rest = rowsOf()
  const first: SheetRow[] = []
  while (first.length < looksAt) {
    const next = await rest.next()
    if (next.done === true) break
    first.push(next.value)
  }
  return { first, header: findHeader(first), rest }
}

/** `cell`: as `B3`. */
export function commentRemark(cell: string, text: string): SheetRemark {
  return { row: Number(/\d+$/.exec(cell)?.[0] ?? 1), text: `Comment on ${cell}: ${text}` }
}
