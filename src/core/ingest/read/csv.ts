import type { SheetRow } from './sheet-rows.ts'

/** A cell is cut here while it is read: what is longer is a quote that was never closed. */
const mostCellCharacters = 1 << 20
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

/**
 * Rows of separated values (RFC 4180, and what else is found): quoted cells with line breaks and doubled quotes, lines that end
 * in any way. Rows are numbered as a spreadsheet counts them: a record each, not a line.
 */
export function* csvRows(parts: Iterable<string>, separator?: string): Generator<SheetRow> {
  let number = 0
  let cells: string[] = []
  let cell = ''
  let quoted = false
  /** After the closing quote, or a quote that may be half of a doubled one. */
  let closing = false
  let begun = false
  let afterReturn = false
  let mark = separator

  function endCell(): void {
    cells.push(cell)
    cell = ''
    begun = false
    closing = false
  }

  for (const part of parts) {
    if (mark === undefined) {
      const named = /^sep=(.)\r?\n/.exec(part)
      mark = named?.[1] ?? separatorOf(part.slice(0, 1 << 16))
      if (named !== null) number += 1
    }
    let from = number === 1 && cells.length === 0 && /^sep=.\r?\n/.test(part) ? part.indexOf('\n') + 1 : 0
    for (let at = from; at < part.length; at += 1) {
      const character = part[at]!
      if (quoted) {
        if (character !== '"') continue
        if (cell.length < mostCellCharacters) cell += part.slice(from, at)
        from = at + 1
        quoted = false
        closing = true
        continue
      }
      if (character === '"' && (closing || !begun)) {
        // Doubled inside a quoted cell, or the quote that begins one.
        if (closing) cell += '"'
        quoted = true
        begun = true
        closing = false
        from = at + 1
      } else if (character === mark) {
        if (cell.length < mostCellCharacters) cell += part.slice(from, at)
        endCell()
        from = at + 1
      } else if (character === '\n' || character === '\r') {
        if (character === '\n' && afterReturn && at === from && cells.length === 0 && cell === '') {
          afterReturn = false
          from = at + 1
          continue
        }
        if (cell.length < mostCellCharacters) cell += part.slice(from, at)
        endCell()
        number += 1
        if (cells.some((each) => each.trim() !== '')) yield { number, cells }
        cells = []
        from = at + 1
        afterReturn = character === '\r'
        continue
      } else {
        begun = begun || (character !== ' ' && character !== '\uFEFF')
        closing = false
      }
      afterReturn = false
    }
    if (cell.length < mostCellCharacters) cell += part.slice(from)
  }
  if (cell !== '' || cells.length > 0) {
    endCell()
    number += 1
    if (cells.some((each) => each.trim() !== '')) yield { number, cells }
  }
}
