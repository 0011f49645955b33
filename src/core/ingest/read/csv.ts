import type { SheetRow } from './sheet-rows.ts'

/** A quoted cell that is longer was never closed. */
const mostCellCharacters = 1 << 20
/** What a record holds beyond that is left out: its cells are cut far earlier by whoever reads them. */
const mostRecordCharacters = 1 << 24
/** After so many quotes without an end, quotes are signs like others. */
const mostStray = 10_000
const separators = [',', '\t', ';', '|'] as const

/** What parts the cells: whichever cuts the first lines into the same number of cells, quoted ones left out of the count. */
export function separatorOf(sample: string): string {
  const lines = sample
    .replace(/"(?:[^"]|"")*"/g, '""')
    .split(/\r\n?|\n/)
    .slice(0, -1)
    .filter((line) => line !== '')
    .slice(0, 20)
  const first = lines.length === 0 ? [sample] : lines
  const scored = separators.map((separator) => {
    const counts = first.map((line) => line.split(separator).length - 1)
    const usual = counts.toSorted((one, other) => one - other)[counts.length >> 1] ?? 0
    return { separator, usual, same: counts.filter((count) => count === usual).length }
  })
  const good = scored.filter(({ usual }) => usual > 0).sort((one, other) => other.same - one.same || other.usual - one.usual)
  return good[0]?.separator ?? ','
}

export interface CsvOptions {
  separator?: string
  /** A cell of that row begins with a quote that nothing closes: it was read as a sign of the cell. */
  onStrayQuote?: (row: number) => void
}

/**
 * Rows of separated values (RFC 4180, and what else is found): quoted cells with line breaks and doubled quotes, lines that end
 * in any way. A quote that is never closed, or only by the quote that opens another cell, ends with its line. Rows are numbered as
 * a spreadsheet counts them: a record each, not a line.
 */
export function* csvRows(parts: Iterable<string>, { separator, onStrayQuote }: CsvOptions = {}): Generator<SheetRow> {
  let rest = ''
  let waiting = ''
  let mark = separator
  let number = 0
  let stray = 0

  function* records(final: boolean): Generator<SheetRow> {
    let at = 0
    while (at < rest.length) {
      const record = recordAt(rest, at, { mark: mark ?? ',', final, quotes: stray < mostStray })
      if (record === null) break
      number += 1
      stray += record.stray
      if (record.stray > 0) onStrayQuote?.(number)
      if (record.cells.some((each) => each.trim() !== '')) yield { number, cells: record.cells }
      at = record.end
    }
    rest = rest.slice(at)
  }

  let skipping = false
  for (const part of parts) {
    const lineEnd = skipping ? part.indexOf('\n') : 0
    if (lineEnd === -1) continue
    waiting += skipping ? part.slice(lineEnd + 1) : part
    skipping = false
    // A record that is long already is looked at again only when there is as much again of it.
    if (rest.length > mostCellCharacters && waiting.length < rest.length) continue
    rest += waiting
    waiting = ''
    if (mark === undefined) {
      const named = /^\uFEFF?sep=(.)(?:\r\n?|\n)/.exec(rest)
      mark = named?.[1] ?? separatorOf(rest.slice(0, 1 << 16))
      if (named !== null) {
        number += 1
        rest = rest.slice(named[0].length)
      }
    }
    yield* records(false)
    if (rest.length <= mostRecordCharacters) continue
    yield* records(true)
    skipping = true
  }
  rest += waiting
  yield* records(true)
}

interface Rules {
  mark: string
  /** Nothing comes after this text. */
  final: boolean
  quotes: boolean
}

interface CsvRecord {
  cells: string[]
  /** Where the next one begins. */
  end: number
  stray: number
}

/** The record that begins there; null when more text is needed to tell. */
function recordAt(text: string, from: number, rules: Rules): CsvRecord | null {
  const cells: string[] = []
  let at = from
  let stray = 0
  for (;;) {
    const quoted = rules.quotes ? quotedCell(text, at, rules) : 'none'
    if (quoted === 'more') return null
    if (quoted === 'stray') stray += 1
    const cell = typeof quoted === 'string' ? plainCell(text, at, rules.mark) : quoted
    cells.push(cell.value)
    const sign = text[cell.end]
    if (sign === rules.mark) {
      at = cell.end + 1
      continue
    }
    if (sign === undefined && !rules.final) return null
    // A line may end in two characters, of which the second may still come.
    if (sign === '\r' && cell.end + 1 === text.length && !rules.final) return null
    return { cells, end: cell.end + (sign === '\r' && text[cell.end + 1] === '\n' ? 2 : 1), stray }
  }
}

interface Cell {
  value: string
  /** Of the separator or line break behind it, or of the text. */
  end: number
}

function plainCell(text: string, at: number, mark: string): Cell {
  let end = at
  while (end < text.length && text[end] !== mark && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(at, end), end }
}

/** A cell in quotes, with what stands behind the closing one; `none` where no quote begins it, `stray` where nothing closes it. */
function quotedCell(text: string, at: number, { mark, final }: Rules): Cell | 'none' | 'stray' | 'more' {
  let open = at
  while (text[open] === ' ' || text[open] === '\uFEFF') open += 1
  if (open === text.length) return final ? 'none' : 'more'
  if (text[open] !== '"') return 'none'
  let value = ''
  let from = open + 1
  for (;;) {
    const close = text.indexOf('"', from)
    if (close === -1 || close - open > mostCellCharacters) return final || text.length - open > mostCellCharacters ? 'stray' : 'more'
    value += text.slice(from, close)
    const next = text[close + 1]
    if (next === undefined && !final) return 'more'
    if (next !== '"') {
      const behind = plainCell(text, close + 1, mark)
      if (behind.end === text.length && !final) return 'more'
      // The quote that seemed to close it opens another cell, lines below.
      if (behind.value.trim() !== '' && /[\r\n]/.test(value)) return 'stray'
      return { value: value + behind.value, end: behind.end }
    }
    value += '"'
    from = close + 2
  }
}
