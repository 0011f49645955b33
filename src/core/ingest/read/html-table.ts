import { tableLines, type TableRow } from './table-rows.ts'

const mostColumns = 1000
/** A cell that is longer is said in its first row and column only. */
const longestRepeated = 200
/** Characters, and cells, that merged cells may repeat in a table. */
const mostRepeated = 1 << 20

interface Span {
  text: string
  /** Rows that it still reaches into. */
  rows: number
  /** Belongs to the cell on its left. */
  isMerged: boolean
}

/** The rows of a table of a page, with what its merged cells say in each row and column that they cover. */
export interface HtmlTable {
  beginRow(inHead: boolean): void
  addCell(text: string, attributes: Record<string, string>, isHeader: boolean): void
  endRow(): void
  /** A line for each row so far; then it is empty. */
  take(): string[]
}

function spanOf(value: string | undefined, most: number): number {
  const count = Number.parseInt(value ?? '1', 10)
  return Number.isNaN(count) || count < 0 ? 1 : Math.min(count, most)
}

export function createHtmlTable(): HtmlTable {
  let rows: TableRow[] = []
  let cells: string[] = []
  let merged = new Set<number>()
  let hanging = new Set<number>()
  let spans = new Map<number, Span>()
  let isOpen = false
  let isHead = false
  let headers = 0
  let own = 0
  let repeated = 0
  let covered = 0
  let anyHeader = false

  function repeat(text: string): string {
    if (text.length > longestRepeated || repeated + text.length > mostRepeated) return ''
    repeated += text.length
    return text
  }

  /** Puts what reaches down from above where the row has come to. */
  function fromAbove(): void {
    for (let span = spans.get(cells.length); span !== undefined && cells.length < mostColumns; span = spans.get(cells.length)) {
      span.rows -= 1
      if (span.rows <= 0) spans.delete(cells.length)
      if (span.isMerged) merged.add(cells.length)
      hanging.add(cells.length)
      cells.push(repeat(span.text))
      covered += 1
    }
    if (covered > mostRepeated) spans.clear()
  }

  function endRow(): void {
    if (!isOpen) return
    isOpen = false
    fromAbove()
    const last = Math.max(-1, ...spans.keys())
    while (cells.length <= last && cells.length < mostColumns) {
      cells.push('')
      fromAbove()
    }
    if (cells.some((cell) => cell !== '')) rows.push({ cells, header: isHead || (own > 0 && headers === own), merged, hanging })
    cells = []
    merged = new Set()
    hanging = new Set()
  }

  return {
    beginRow(inHead) {
      endRow()
      isOpen = true
      isHead = inHead
      headers = 0
      own = 0
    },
    addCell(text, attributes, isHeader) {
      if (!isOpen) this.beginRow(false)
      if (cells.length < mostColumns) fromAbove()
      const columns = spanOf(attributes['colspan'], mostColumns) || 1
      // Zero: down to the end of the table.
      const down = spanOf(attributes['rowspan'], 65_534) || 65_534
      own += 1
      if (isHeader) headers += 1
      anyHeader ||= isHeader || isHead
      const first = cells.length
      for (let column = 0; column < columns && (column === 0 || first + column < mostColumns); column += 1) {
        if (column > 0 && spans.has(first + column)) break
        const shown = column === 0 ? text : repeat(text)
        if (column > 0) merged.add(first + column)
        if (down > 1 && first + column < mostColumns) spans.set(first + column, { text: shown, rows: down, isMerged: column > 0 })
        cells.push(shown)
      }
      for (let column = first; column < cells.length; column += 1) {
        const span = spans.get(column)
        if (span !== undefined) span.rows -= 1
      }
    },
    endRow,
    take() {
      endRow()
      const lines = tableLines(rows, !anyHeader)
      rows = []
      spans = new Map()
      return lines
    },
  }
}
