import { shortHeading, type ReadSection } from './reading.ts'
import {
  beginTable,
  distinctCells,
  filledCells,
  flatCell,
  longestCell,
  type BegunTable,
  type SheetRow,
  type SheetTable,
} from './sheet-rows.ts'
import { tablesOf } from './sheet-tables.ts'

/** Rows beyond this many in a sheet are not made passages: nobody looks for the fifty-thousandth by its meaning. */
export const mostPassageRows = 50_000
/** So much of a section that it becomes one passage, header and all. */
const sectionTokens = 260
/** What a cell may hold of a row that is shown with others. */
const longCell = 600

/** Careful, for both scripts: a section must not grow past a passage. */
function tokensOf(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at += 1) tokens += text.charCodeAt(at) > 0x2e7f ? 1 : 0.45
  return Math.ceil(tokens)
}

/** How a sheet ended. */
export interface SheetEnd {
  rows: number
  /** Rows that were not made passages, or cells that were cut. */
  cut: boolean
  /** Cells that show their formula, as the file has no result of it. */
  formulas: number
}

/**
 * Runs of rows, each under the header of its table: a passage holds a value with its row and the names of its columns. A table
 * that is too wide for that is cut into groups of columns, each with the first one.
 */
export async function* sheetSections(sheet: SheetTable): AsyncGenerator<ReadSection, SheetEnd, void> {
  const name = sheet.hidden === true ? `${sheet.name} (hidden sheet)` : sheet.name
  const names = name === '' ? [] : [name]
  const end: SheetEnd = { rows: 0, cut: false, formulas: 0 }
  let isBegun = false
  for await (const table of tablesOf(sheet)) {
    const { first, header, rest } = await beginTable(table)
    const [top] = first
    if (!isBegun && sheet.hidden === true && top !== undefined)
      yield captionSection(sheet.name, names, [{ number: top.number, cells: [`Hidden sheet: ${sheet.name}`] }])
    isBegun = true
    yield* tableSections(sheet.name, names, { first, header, rest }, end)
  }
  yield* remarkSections(sheet, names)
  return end
}

async function* tableSections(
  sheet: string,
  names: string[],
  { first, header, rest }: BegunTable,
  end: SheetEnd,
): AsyncGenerator<ReadSection, void, void> {
  const title = header.captions.map((row) => filledCells(row)[0] ?? '').find((text) => text !== '')
  const heading = title === undefined ? names : [...names, shortHeading(title)]
  const run = createRun(sheet, heading, header.names)
  let rows = 0

  function* take(row: SheetRow): Generator<ReadSection> {
    rows += 1
    end.rows += 1
    end.formulas += row.formulas?.size ?? 0
    if (end.rows > mostPassageRows) {
      end.cut = true
      return
    }
    if (row.cells.some((cell) => cell.length > longestCell)) {
      end.cut = true
      row = { number: row.number, cells: row.cells.map((cell) => cell.slice(0, longestCell)) }
    }
    yield* run.add(row)
  }

  const captions = header.captions.filter((row) => filledCells(row).length > 0)
  if (captions.length > 0) yield captionSection(sheet, names, captions)
  for (const row of first.slice(header.rows)) yield* take(row)
  for await (const row of rest) yield* take(row)
  yield* run.flush()
  // A table that is nothing but a header is still said.
  if (rows === 0 && first.length > 0 && header.rows > 0) yield captionSection(sheet, names, first.slice(captions.length, header.rows))
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
