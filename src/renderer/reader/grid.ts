import type { Section } from '../../contract/library.ts'

export interface GridRow {
  /** As the sheet counts; null where the number of a row between blank ones is not known. */
  number: number | null
  /** The whole row as it was read: what a quote is looked for in. */
  line: string
  cells: { text: string; from: number }[]
  /** Said by Siku of a cell, such as its comment: no row of the file. */
  note: boolean
}

export interface Grid {
  sheet: string
  /** The file does not show it. */
  hidden: boolean
  names: string[]
  rows: GridRow[]
}

/** As the reader of sheets says it. */
const noteText = /^Comment on [A-Z]{1,3}\d+: /
const hiddenText = (sheet: string) => `Hidden sheet: ${sheet}`

const between = ' · '
const empty = '–'

function cellsOf(line: string): GridRow['cells'] {
  const cells: GridRow['cells'] = []
  let from = 0
  for (const text of line.split(between)) {
    cells.push({ text: text === empty ? '' : text, from })
    from += text.length + between.length
  }
  return cells
}

/** The header of the first table, which each of its sections repeats; null where there is none. */
function headOf(sections: readonly Section[]): string | null {
  const runs = sections.filter(({ text }) => text.includes('\n'))
  const firsts = runs.map(({ text }) => text.slice(0, text.indexOf('\n')))
  const isLonger = ({ text, place }: Section): boolean => place.kind === 'sheet' && text.split('\n').length > place.to - place.from + 1
  const isRepeated = firsts.length > 1 && new Set(firsts).size === 1
  const at = runs.findIndex((run) => isRepeated || isLonger(run))
  return firsts[at] ?? null
}

/** A row that was read as pairs of a name and a value, because it is long: the same row in columns. */
function unpaired(cells: GridRow['cells'], names: string[]): GridRow['cells'] {
  return names.map((name) => {
    const cell = cells.find(({ text }) => text.startsWith(`${name}: `))
    if (cell === undefined) return { text: '', from: 0 }
    return { text: cell.text.slice(name.length + 2), from: cell.from + name.length + 2 }
  })
}

function gridOf(sheet: string, all: readonly Section[]): Grid {
  const hidden = all[0]?.text === hiddenText(sheet)
  const sections = hidden ? all.slice(1) : all
  const head = headOf(sections)
  const names = head === null ? [] : cellsOf(head).map((cell) => cell.text)
  /** Of the table that the rows are in: a sheet may have several, each under its own header. */
  let current = head
  const rows = sections.flatMap(({ text, place }): GridRow[] => {
    const from = place.kind === 'sheet' ? place.from : 1
    const to = place.kind === 'sheet' ? place.to : from
    const lines = text.split('\n')
    const own = lines.length > 1 && lines.length > to - from + 1 ? (lines[0] ?? null) : null
    const isOther = own !== null && own !== current
    if (own !== null) current = own
    const below = current !== null && lines.length > 1 && lines[0] === current ? lines.slice(1) : lines
    const exact = below.length === to - from + 1
    if (lines.length === 1 && noteText.test(text)) return [{ number: from, line: text, cells: [{ text, from: 0 }], note: true }]
    const header: GridRow[] = isOther ? [{ number: null, line: own, cells: cellsOf(own), note: false }] : []
    const names = current === null ? [] : cellsOf(current).map((cell) => cell.text)
    const shown = below.map((line, index): GridRow => {
      const note = false
      const number = exact ? from + index : index === 0 ? from : index === below.length - 1 ? to : null
      const cells = cellsOf(line)
      const paired = names.length > 0 && cells.every(({ text }) => names.some((name) => name !== '' && text.startsWith(`${name}: `)))
      if (paired) return { number, line, cells: unpaired(cells, names), note }
      // A cell that holds the sign between cells: which ones belong together is not known, so the row stays whole.
      if (names.length > 0 && cells.length > names.length) return { number, line, cells: [{ text: line, from: 0 }], note }
      return { number, line, cells, note }
    })
    return [...header, ...shown]
  })
  return { sheet, hidden, names, rows }
}

/** The sheets of a document as they were read. */
export function gridsOf(sections: readonly Section[]): Grid[] {
  const bySheet = new Map<string, Section[]>()
  for (const section of sections) {
    if (section.place.kind !== 'sheet') continue
    const { sheet } = section.place
    const known = bySheet.get(sheet)
    if (known === undefined) bySheet.set(sheet, [section])
    else known.push(section)
  }
  return [...bySheet].map(([sheet, parts]) => gridOf(sheet, parts))
}

const narrowest = 5
const widest = 34

/** Widths of the columns in characters, by what the first rows hold; a Chinese character is two. */
export function columnWidths({ names, rows }: Grid): number[] {
  const looked = rows.slice(0, 200)
  const columns = Math.max(names.length, ...looked.filter((row) => row.cells.length > 1).map((row) => row.cells.length), 1)
  const length = (text: string) => [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0)
  return Array.from({ length: columns }, (_none, column) => {
    const lengths = looked.filter((row) => row.cells.length > 1 || columns === 1).map((row) => length(row.cells[column]?.text ?? ''))
    return Math.min(widest, Math.max(narrowest, length(names[column] ?? ''), ...lengths))
  })
}
