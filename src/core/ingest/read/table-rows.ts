import { flatCell, isNumeric } from './sheet-rows.ts'

/** A table as its document has it: merged cells repeat what they show. */
export interface TableRow {
  cells: string[]
  /** Said by the document itself, or by how the cells look. */
  header: boolean
  /** Columns whose cell is the one to the left, merged over both. */
  merged?: ReadonlySet<number>
  /** Columns whose cell is the one above, merged over both. */
  hanging?: ReadonlySet<number>
}

const longestHeader = 60
const emptyCell = '–'
/** More rows than this that are marked as headers are a list in bold. */
const mostHeaderRows = 8
/** A header of more rows is none. */
const mostLayers = 4
const longestName = 200
/** A cell over more columns than this is none of any of them. */
const mostNames = 20

/** The rows that name the columns: before `from` stands what the table is called. */
interface Heads {
  from: number
  to: number
}

const noHeads: Heads = { from: 0, to: 0 }

function headerRows(rows: readonly TableRow[], mayGuess: boolean): Heads {
  let from = 0
  while (from < rows.length - 2 && isTitle(rows[from])) from += 1
  let marked = 0
  while (marked < rows.length - 1 && rows[marked]?.header === true) marked += 1
  if (marked > mostHeaderRows) return noHeads
  if (marked > from) return { from, to: Math.max(marked, layersFrom(rows, from)) }
  if (!mayGuess && marked === 0) return noHeads
  const layers = layersFrom(rows, from)
  if (layers > from + 1) return { from, to: layers }
  return guessesOne(rows.slice(from)) ? { from, to: from + 1 } : noHeads
}

/** One cell over all columns of a table that has more. */
function isTitle(row: TableRow | undefined): boolean {
  return row !== undefined && row.cells.length > 1 && mergedCells(row).length === 1
}

/** Where a header of several rows ends: one whose first row has a cell over several columns, which the rows below name one by one. */
function layersFrom(rows: readonly TableRow[], from: number): number {
  const first = rows[from]
  if (first === undefined || (first.merged?.size ?? 0) === 0) return from
  const groups = mergedCells(first)
  if (!groups.some(({ from: left, to }) => to - left > 1) || !groups.every(({ text }) => text === '' || isName(text))) return from
  // The cells that hang down from the first row reach to the last one of the header.
  let to = from + 1
  const goesOn = (): boolean => groups.some((group) => group.to - group.from === 1 && hangs(rows, group.from, from, to))
  while (to < rows.length && to - from < mostLayers && goesOn()) to += 1
  // What hangs down further, or to the end, names rows.
  if (to === rows.length || goesOn()) return from
  // With nothing that hangs, the corner is empty.
  if (to === from + 1 && (first.cells[0] === '' || rows[to]?.cells[0] === '') && to < rows.length - 1) to += 1
  const named = rows.slice(from + 1, to)
  const isNamed = (column: number): boolean => named.some(({ cells }) => isName(cells[column] ?? ''))
  const isSplit = groups.every(({ from: left, to: right }) => right - left === 1 || isNamed(left))
  const isWords = named.every(({ cells }) => cells.every((cell) => isName(cell) || cell === ''))
  return to > from + 1 && isSplit && isWords ? to : from
}

/** A year names a column as words do. */
const year = /^(?:19|20)\d\d\s*(?:年度?|Q[1-4])?$/

function isName(cell: string): boolean {
  const text = flatCell(cell)
  return text !== '' && text.length <= longestHeader && (!isNumeric(text) || year.test(text)) && !/[。；;！!？?]$/.test(text)
}

function hangs(rows: readonly TableRow[], column: number, from: number, to: number): boolean {
  return rows.slice(from + 1, to + 1).every((row) => row.hanging?.has(column) === true)
}

/** Whether the first row names the columns, by the look of it and of those below. */
function guessesOne([first, ...others]: readonly TableRow[]): boolean {
  if (first === undefined || others.length === 0 || !canName(first)) return false
  const columns = first.cells.map((_name, column) => others.map((row) => flatCell(row.cells[column] ?? '')).filter((cell) => cell !== ''))
  return columns.some((below) => isNumbered(below, others.length)) || (others.length > 1 && isGrid(first, columns))
}

/** Short words, each another one; only the corner may be empty. */
function canName({ cells }: TableRow): boolean {
  const names = cells.map(flatCell)
  const fit = names.every((name, column) => (name !== '' || (column === 0 && names.length > 2)) && name.length <= longestHeader)
  return (
    names.length > 1 &&
    fit &&
    !names.some((name) => isNumeric(name) || /[。；;：:！!？?]$/.test(name)) &&
    new Set(names).size === names.length
  )
}

/** A column of numbers under a word: the word is its name. A form of labels and values has none such. */
function isNumbered(below: readonly string[], rows: number): boolean {
  return below.length >= Math.max(1, rows / 2) && below.filter(isNumeric).length >= below.length * (rows > 2 ? 0.6 : 1)
}

/** Forms come in pairs of label and value: another number of columns, or values that repeat down a column, make a table. */
function isGrid({ cells }: TableRow, columns: readonly (readonly string[])[]): boolean {
  if (cells.length < 3) return false
  return cells.length % 2 === 1 || columns.some((below) => new Set(below).size <= below.length / 2 && below.length > 2)
}

/**
 * A line for each row. Where the table names its columns, each value stands with its column's name, so that no cut between
 * two rows parts a value from what it means. Cells that are merged over several columns are said once.
 * `mayGuess`: the document does not mark headers, so that the look of its cells decides.
 */
export function tableLines(rows: readonly TableRow[], mayGuess = true): string[] {
  const heads = headerRows(rows, mayGuess)
  const width = rows.reduce((most, row) => Math.max(most, row.cells.length), 0)
  const names = Array.from({ length: width }, (_none, column) => {
    const parts = rows.slice(heads.from, heads.to).map((row) => flatCell(row.cells[column] ?? ''))
    return parts
      .filter((part, index) => part !== '' && parts.indexOf(part) === index)
      .join(' ')
      .slice(0, longestName)
  })
  return rows
    .map((row, index) => {
      const cells = mergedCells(row)
      if (cells.every(({ text }) => text === '')) return ''
      if (index >= heads.to && heads.to > 0 && cells.length > 1)
        return cells
          .filter(({ text }) => text !== '')
          .map(({ text, from, to }) => named(names.slice(from, to), text))
          .join(' | ')
      const last = cells.findLastIndex(({ text }) => text !== '')
      return cells
        .slice(0, last + 1)
        .map(({ text }) => (text === '' ? emptyCell : text))
        .join(' | ')
    })
    .filter((line) => line !== '')
}

interface Cell {
  text: string
  /** Columns, the last not included. */
  from: number
  to: number
}

function mergedCells({ cells, merged }: TableRow): Cell[] {
  const list: Cell[] = []
  for (const [column, text] of cells.entries()) {
    const last = list.at(-1)
    if (last !== undefined && merged?.has(column) === true) last.to = column + 1
    else list.push({ text: flatCell(text), from: column, to: column + 1 })
  }
  return list
}

function named(names: readonly string[], cell: string): string {
  if (names.length > mostNames) return cell
  const distinct = names.filter((name, index) => name !== '' && names.indexOf(name) === index)
  return distinct.length === 0 || distinct.includes(cell) ? cell : `${distinct.join(' / ')}: ${cell}`
}
