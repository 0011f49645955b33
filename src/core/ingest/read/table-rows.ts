import { flatCell, isNumeric } from './sheet-rows.ts'

/** A table as its document has it: merged cells repeat what they show. */
export interface TableRow {
  cells: string[]
  /** Said by the document itself, or by how the cells look. */
  header: boolean
}

const longestHeader = 60

/** How many rows, from the first, name the columns. */
function headerRows(rows: readonly TableRow[]): number {
  let marked = 0
  while (marked < rows.length - 1 && rows[marked]?.header === true) marked += 1
  if (marked > 0) return marked
  const [first, ...others] = rows
  if (first === undefined || others.length === 0) return 0
  const names = first.cells.map(flatCell)
  const fit = names.length > 1 && names.every((name) => name !== '' && name.length <= longestHeader && !isNumeric(name))
  if (!fit || new Set(names).size < names.length) return 0
  // A column of numbers under a word: the word is its name. A form of labels and values has none such.
  const numbered = names.some((_name, column) => {
    const below = others.map((row) => flatCell(row.cells[column] ?? '')).filter((cell) => cell !== '')
    return below.length >= Math.max(1, others.length / 2) && below.every(isNumeric)
  })
  return numbered ? 1 : 0
}

/**
 * A line for each row. Where the table names its columns, each value stands with its column's name, so that no cut between
 * two rows parts a value from what it means. Cells that are merged over several columns are said once.
 */
export function tableLines(rows: readonly TableRow[]): string[] {
  const heads = headerRows(rows)
  const width = Math.max(0, ...rows.map((row) => row.cells.length))
  const names = Array.from({ length: width }, (_none, column) => {
    const parts = rows.slice(0, heads).map((row) => flatCell(row.cells[column] ?? ''))
    return parts.filter((part, index) => part !== '' && parts.indexOf(part) === index).join(' ')
  })
  return rows
    .map((row, index) => {
      const cells = row.cells.map(flatCell)
      if (index < heads || heads === 0) return distinct(cells).join(' | ')
      return distinct(cells.map((cell, column) => (cell === '' ? '' : named(names[column] ?? '', cell)))).join(' | ')
    })
    .filter((line) => line !== '')
}

function named(name: string, cell: string): string {
  return name === '' || name === cell ? cell : `${name}: ${cell}`
}

/** What stands beside its like comes from one merged cell. */
function distinct(cells: string[]): string[] {
  return cells.filter((cell, index) => cell !== '' && cell !== cells[index - 1])
}
