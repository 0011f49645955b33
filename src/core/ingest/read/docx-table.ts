import type { TextParagraph } from './paragraphs.ts'
import { tableLines, type TableRow } from './table-rows.ts'

interface Cell {
  text: string
  span: number
  merge: 'none' | 'start' | 'continue'
  /** How what it shows looks: a row of such cells over one of others names the columns. */
  bold: boolean
  shaded: boolean
  centred: boolean
  deleted: boolean
}

interface OpenTable {
  rows: (TableRow & { looks: Look[] })[]
  cells: Cell[]
  header: boolean
  /** The open row was deleted. */
  deleted: boolean
  /** Cells left free before the first one. */
  before: number
  above: string[]
}

type Look = 'bold' | 'shaded' | 'centred'
const looks: readonly Look[] = ['bold', 'shaded', 'centred']
const mostSpan = 1000

/** Tables of a word processor while they are read: tables stand in cells of others. */
export function createTables(put: (paragraph: TextParagraph) => void) {
  const tables: OpenTable[] = []
  let inProperties = false
  let inRowProperties = false

  function endRow(table: OpenTable): void {
    if (!table.deleted) keepRow(table)
    table.cells = []
    table.header = false
    table.deleted = false
    table.before = 0
  }

  function keepRow(table: OpenTable): void {
    const cells: string[] = Array.from({ length: table.before }, () => '')
    const merged = new Set<number>()
    const hanging = new Set<number>()
    for (const cell of table.cells) {
      const column = cells.length
      // A cell that was deleted and waits for somebody to accept it keeps its place.
      const text = cell.deleted ? '' : cell.merge === 'continue' ? (table.above[column] ?? '') : cell.text
      for (let span = 0; span < Math.min(cell.span, mostSpan); span += 1) {
        if (span > 0) merged.add(cells.length)
        if (cell.merge === 'continue') hanging.add(cells.length)
        cells.push(text)
      }
    }
    table.above = cells
    const said = table.cells.length > 1 && table.cells.every(({ text }) => text !== '')
    table.rows.push({
      cells,
      merged,
      hanging,
      header: table.header,
      looks: said ? looks.filter((look) => table.cells.every((cell) => cell[look])) : [],
    })
  }

  function endTable(): void {
    const table = tables.pop()
    if (table === undefined) return
    const [first, second] = table.rows
    const stands = first?.looks.some((look) => look === 'bold' || (second !== undefined && !second.looks.includes(look))) === true
    if (first !== undefined && stands) first.header = true
    const lines = tableLines(table.rows)
    if (lines.length === 0) return
    // Within a cell, the rows of another table are set apart by brackets.
    if (tables.length > 0) put({ text: `[${lines.join('; ')}]`, kind: 'row', level: 0 })
    else for (const line of lines) put({ text: line, kind: 'row', level: 0 })
  }

  return {
    /** Whether text goes into a cell; adds it. */
    add(text: string): boolean {
      const cell = tables.at(-1)?.cells.at(-1)
      if (cell === undefined) return false
      cell.text += cell.text === '' ? text : `\n${text}`
      return true
    },
    /** A paragraph of the open cell ended: how it looks. */
    look({ bold, centred }: { bold: boolean; centred: boolean }): void {
      const cell = tables.at(-1)?.cells.at(-1)
      if (cell === undefined) return
      cell.bold &&= bold
      cell.centred &&= centred
    },
    open(name: string, attributes: Record<string, string>): void {
      const table = tables.at(-1)
      const cell = table?.cells.at(-1)
      const value = attributes['w:val'] ?? ''
      if (name === 'w:tcPr') inProperties = true
      if (name === 'w:trPr') inRowProperties = true
      if (name === 'w:tbl') tables.push({ rows: [], cells: [], header: false, deleted: false, before: 0, above: [] })
      else if (table === undefined) return
      else if (name === 'w:tc')
        table.cells.push({ text: '', span: 1, merge: 'none', bold: true, shaded: false, centred: true, deleted: false })
      else if (name === 'w:tblHeader') table.header = !/^(?:0|false|off)$/.test(value)
      else if (name === 'w:del' && inRowProperties) table.deleted = true
      else if (name === 'w:gridBefore') table.before = Math.min(mostSpan, Number(value) || 0)
      else if (cell === undefined) return
      else if (name === 'w:gridSpan') cell.span = Math.max(1, Number(value) || 1)
      else if (name === 'w:vMerge') cell.merge = value === 'restart' ? 'start' : 'continue'
      else if (name === 'w:cellDel') cell.deleted = true
      else if (name === 'w:shd' && inProperties) cell.shaded ||= !/^(?:auto|ffffff|)$/i.test(attributes['w:fill'] ?? '')
    },
    close(name: string): void {
      const table = tables.at(-1)
      if (name === 'w:tcPr') inProperties = false
      if (name === 'w:trPr') inRowProperties = false
      if (name === 'w:tr' && table !== undefined) endRow(table)
      else if (name === 'w:tbl') endTable()
    },
    /** A document that was cut off still has what was open. */
    end(): void {
      for (let table = tables.at(-1); table !== undefined; table = tables.at(-1)) {
        if (table.cells.length > 0) endRow(table)
        endTable()
      }
    },
  }
}
