import type { ReadSection } from './reading.ts'
import { shortHeading } from './reading.ts'

/** One row as it is shown: merged cells repeat their value, empty ones at the end are left out. */
export interface SheetRow {
  /** As the sheet counts, from 1. */
  number: number
  cells: string[]
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

/** Rows beyond this many in a sheet are not made passages: nobody looks for the fifty-thousandth by its meaning. */
export const mostPassageRows = 50_000
/** So much of a section that it becomes one passage, header and all. */
const sectionTokens = 260
/** What a cell may hold of a row that is shown with others. */
const longCell = 600
/** Cells are cut here: Excel itself allows no more. */
const longestCell = 32_767
const looksAt = 12

export function flatCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Careful, for both scripts: a section must not grow past a passage. */
function tokensOf(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at += 1) tokens += text.charCodeAt(at) > 0x2e7f ? 1 : 0.45
  return Math.ceil(tokens)
}

export function isNumeric(text: string): boolean {
  return (
    /\d/.test(text) &&
    /^[-+(]?\p{Sc}?\s*[\d.,'\s%‰()/:年月日时分秒-]+(?:[eE][-+]?\d+)?\s*(?:\p{Sc}|%|[A-Za-z\u4e00-\u9fff]{1,4})?$/u.test(text)
  )
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

function filled(row: SheetRow): string[] {
  return row.cells.map(flatCell).filter((cell) => cell !== '')
}

function distinctCells(row: SheetRow): string[] {
  return [...new Set(filled(row))]
}

function namesColumns(row: SheetRow): boolean {
  const cells = filled(row)
  return cells.length > 1 && cells.every((cell) => cell.length <= 80) && cells.filter(isNumeric).length <= cells.length / 4
}

/** How a sheet ended. */
export interface SheetEnd {
  rows: number
  /** Rows that were not made passages, or cells that were cut. */
  cut: boolean
}

/** The first rows of a sheet and what they say of its columns, and the rows behind them. */
export async function beginSheet(table: SheetTable): Promise<{ first: SheetRow[]; header: Header; rest: AsyncGenerator<SheetRow> }> {
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

/**
 * Runs of rows, each under the header: a passage holds a value with its row and the names of its columns. A table that is
 * too wide for that is cut into groups of columns, each with the first one.
 */
export async function* sheetSections(table: SheetTable): AsyncGenerator<ReadSection, SheetEnd, void> {
  const { first, header, rest } = await beginSheet(table)
  const title = header.captions.map((row) => filled(row)[0] ?? '').find((text) => text !== '')
  const name = table.hidden === true ? `${table.name} (hidden sheet)` : table.name
  const names = name === '' ? [] : [name]
  const heading = title === undefined ? names : [...names, shortHeading(title)]
  const run = createRun(table.name, heading, header.names)
  let rows = 0
  let cut = false

  function* take(row: SheetRow): Generator<ReadSection> {
    rows += 1
    if (rows > mostPassageRows) {
      cut = true
      return
    }
    if (row.cells.some((cell) => cell.length > longestCell)) {
      cut = true
      row = { number: row.number, cells: row.cells.map((cell) => cell.slice(0, longestCell)) }
    }
    yield* run.add(row)
  }

  const captions = header.captions.filter((row) => filled(row).length > 0)
  const [top] = first
  if (table.hidden === true && top !== undefined)
    yield captionSection(table.name, names, [{ number: top.number, cells: [`Hidden sheet: ${table.name}`] }])
  if (captions.length > 0) yield captionSection(table.name, names, captions)
  for (const row of first.slice(header.rows)) yield* take(row)
  for await (const row of rest) yield* take(row)
  yield* run.flush()
  // A sheet that is nothing but a header is still said.
  if (rows === 0 && first.length > 0 && header.rows > 0) yield captionSection(table.name, names, first.slice(captions.length, header.rows))
  yield* remarkSections(table, names)
  return { rows, cut }
}

/** `cell`: as `B3`. */
export function commentRemark(cell: string, text: string): SheetRemark {
  return { row: Number(/\d+$/.exec(cell)?.[0] ?? 1), text: `Comment on ${cell}: ${text}` }
}

function* remarkSections({ name: sheet, remarks = [] }: SheetTable, heading: string[]): Generator<ReadSection> {
  for (const { row: number, text } of remarks)
    yield section(sheet, heading, '', { from: number, to: number }, [{ number, text: flatCell(text) }])
}

function captionSection(sheet: string, heading: string[], rows: SheetRow[]): ReadSection {
  const numbers = { from: rows[0]!.number, to: rows.at(-1)!.number }
  const lines = rows.map((row) => distinctCells(row).join(' · '))
  return section(
    sheet,
    heading,
    '',
    numbers,
    lines.map((text, index) => ({ number: rows[index]!.number, text })),
  )
}

interface Line {
  number: number
  text: string
}

function section(sheet: string, heading: string[], head: string, range: { from: number; to: number }, lines: Line[]): ReadSection {
  let text = head
  const starts: number[] = []
  for (const line of lines) {
    if (text !== '') text += '\n'
    // Rows between two that hold something are empty: they stand where the next one does.
    while (starts.length <= line.number - range.from) starts.push(text.length)
    text += line.text
  }
  return {
    text,
    place: { kind: 'sheet', sheet, ...range },
    heading,
    blocks: [{ kind: 'row', start: 0, end: text.length }],
    positions: { kind: 'rows', sheet, first: range.from, starts },
  }
}

/** Gathers rows until a passage is full. */
function createRun(sheet: string, heading: string[], names: string[]) {
  const head = names.length === 0 ? '' : joined(names)
  const headTokens = tokensOf(head)
  const isWide = headTokens > sectionTokens / 2
  let lines: Line[] = []
  let tokens = headTokens

  function* flush(): Generator<ReadSection> {
    const [first, last] = [lines[0], lines.at(-1)]
    if (first !== undefined && last !== undefined) yield section(sheet, heading, head, { from: first.number, to: last.number }, lines)
    lines = []
    tokens = headTokens
  }

  function* alone(row: SheetRow, cells: string[]): Generator<ReadSection> {
    yield* flush()
    const range = { from: row.number, to: row.number }
    const key = cells[0] ?? ''
    let text = ''
    for (const [column, cell] of cells.entries()) {
      if (cell === '') continue
      const named = pair(names[column], cell)
      const begin = column === 0 || key === '' || key.length > longCell ? '' : `${pair(names[0], key)} · `
      if (text !== '' && tokensOf(text) + tokensOf(named) > sectionTokens) {
        yield section(sheet, heading, '', range, [{ number: row.number, text }])
        text = ''
      }
      text = text === '' ? `${begin}${named}` : `${text} · ${named}`
    }
    if (text !== '') yield section(sheet, heading, '', range, [{ number: row.number, text }])
  }

  return {
    flush,
    *add(row: SheetRow): Generator<ReadSection> {
      const cells = row.cells.map(flatCell)
      if (cells.every((cell) => cell === '')) return
      const text = joined(cells)
      const size = tokensOf(text)
      if (isWide || headTokens + size > sectionTokens || cells.some((cell) => cell.length > longCell)) {
        yield* alone(row, cells)
        return
      }
      if (tokens + size > sectionTokens || (lines.length > 0 && row.number - lines.at(-1)!.number > 50)) yield* flush()
      lines.push({ number: row.number, text })
      tokens += size + 1
    },
  }
}

function pair(name: string | undefined, cell: string): string {
  return name === undefined || name === '' ? cell : `${name}: ${cell}`
}

/** An empty cell keeps its place, so that values stay under their names. */
function joined(cells: string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '')
  return cells
    .slice(0, last + 1)
    .map((cell) => (cell === '' ? '–' : cell))
    .join(' · ')
}
