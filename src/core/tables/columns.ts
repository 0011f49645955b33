import type { CellReading, ColumnType, TableColumn } from '../../contract/tables.ts'
import { dateOf, serialDate, type DayOrder } from './date-values.ts'
import { numberOf, type DecimalMark, type NumberValue } from './values.ts'

/** Words that mean something else in a query, wherever they stand (sqlite.org/lang_keywords.html, but for those that may be names). */
const reserved = new Set(
  'add all alter and as between by case check collate commit constraint create cross default delete distinct drop else escape except exists foreign from full group having in index inner insert intersect into is isnull join left limit natural not notnull null on or order outer primary references returning right select set table then to transaction union unique update using values when where with'.split(
    ' ',
  ),
)
const longestName = 48
/** Values of a column that are kept to be recognised in questions. */
export const mostValues = 200
const longestValue = 60

/** A name that stands in a query as it is: letters of any script, digits, underscores. */
export function cleanName(original: string, fallback: string): string {
  const name = original
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  const cut = [...name].slice(0, longestName).join('').replace(/_+$/, '')
  if (cut === '') return fallback
  return /^\p{N}/u.test(cut) || reserved.has(cut) ? `${fallback.replace(/_?\d+$/, '')}_${cut}` : cut
}

/** No two alike: SQLite takes upper and lower case for the same. */
export function uniqueName(wanted: string, taken: Set<string>): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}_${count}`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Follows one column over all its rows. */
export interface ColumnStudy {
  take(shown: string): void
  end(): StudiedColumn
}

/** How the cells of a column are to be read. */
export interface ReadAs {
  type: ColumnType
  dayOrder: DayOrder
  mark: DecimalMark
  serial: boolean
}

export interface StudiedColumn extends Pick<TableColumn, 'units' | 'reading' | 'stray'> {
  /** What it holds. A column is a number or a date only where each of its cells is, but for those that say that there is none. */
  readAs: ReadAs
  /** The other way in which its cells could be read; null where they can be read in one way only. */
  other: ReadAs | null
  /** Each cell shows its value as it is kept. */
  same: boolean
  values: string[] | null
}

/** Cells that say that there is nothing. */
export function isNothing(shown: string): boolean {
  return /^\s*(?:[-–—/]+|n\/?a|null|nil|none|#n\/a|无|暂无|未知|不详|待定|tbd)?\s*$/i.test(shown)
}

const mostUnits = 8
/** A column is meant to be numbers or dates where at least half of it is. */
const strayShare = 0.5
const datesByName = /\bdates?\b|\bdeadline\b|\bdue\b|日期|日$|日(?=[(（])/i

/** All that is seen of the numbers of a column, under both decimal marks. */
function studyNumbers() {
  const marks = new Set<NumberValue['mark']>()
  const units = new Set<string>()
  const whole = { point: true, comma: true }
  let same = true
  let count = 0
  let serial = true
  let example = ''
  let stray: string | null = null

  return {
    take(shown: string): void {
      const number = numberOf(shown)
      if (number === null) {
        stray ??= shown
        return
      }
      count += 1
      marks.add(number.mark)
      if (units.size < mostUnits) units.add(number.unit)
      whole.point &&= number.whole
      whole.comma &&= number.mark === null ? number.whole : numberOf(shown, 'comma')?.whole === true
      if (number.mark === 'dot-three' && example === '') example = shown
      serial &&= number.unit === '' && /^\d{5}(?:\.\d+)?$/.test(shown) && serialDate(number.value) !== null
      if (String(number.value) !== shown) same = false
    },
    end() {
      // Both decimal marks in one column: what a cell is worth cannot be said.
      const isOne = !(marks.has('point') && marks.has('comma'))
      const mark: DecimalMark = marks.has('comma') ? 'comma' : 'point'
      // "1.234" alone; where commas part thousands, the point is the decimal mark.
      const isOpen = marks.has('dot-three') && !marks.has('point') && !marks.has('comma') && !marks.has('comma-three')
      return { count, isOne, mark, isOpen, whole: whole[mark], other: whole.comma, same, units: [...units], example, serial, stray }
    },
  }
}

function studyDates() {
  let count = 0
  let dayFirst = false
  let monthFirst = false
  let same = true
  let example = ''
  let stray: string | null = null

  return {
    take(shown: string): void {
      const date = dateOf(shown)
      if (date === null) {
        stray ??= shown
        return
      }
      count += 1
      dayFirst ||= date.order === 'day-first'
      monthFirst ||= date.order === 'month-first'
      if (date.order === 'either' && example === '') example = shown
      if (date.iso !== shown) same = false
    },
    end() {
      const order: DayOrder = dayFirst && !monthFirst ? 'day-first' : 'month-first'
      // Both orders in one column: what a cell means cannot be said.
      return { count, isOne: !(dayFirst && monthFirst), order, isOpen: example !== '' && !dayFirst && !monthFirst, same, example, stray }
    },
  }
}

/** `name`: what the sheet calls it; numbers of five digits under "Date" are days as a spreadsheet counts them. */
export function studyColumn(name = ''): ColumnStudy {
  let filled = 0
  let empty = false
  let values: Set<string> | null = new Set()
  const numbers = studyNumbers()
  const dates = studyDates()

  return {
    take(shown) {
      if (shown === '') return
      if (values !== null) {
        if (shown.length > longestValue) values = null
        else {
          values.add(shown)
          if (values.size > mostValues) values = null
        }
      }
      if (isNothing(shown)) {
        empty = true
        return
      }
      filled += 1
      dates.take(shown)
      numbers.take(shown)
    },
    end() {
      const kept = values === null ? null : [...values]
      const [number, date] = [numbers.end(), dates.end()]
      const readAs: ReadAs = { type: 'text', dayOrder: date.order, mark: number.mark, serial: false }
      const none = { units: [], reading: null, stray: null, other: null, values: kept }
      if (filled > 0 && date.count === filled && date.isOne) {
        const reading: CellReading | null = date.isOpen ? { as: 'month-first', example: date.example, certain: false } : null
        const read: ReadAs = { ...readAs, type: 'date' }
        return { ...none, readAs: read, reading, other: date.isOpen ? { ...read, dayOrder: 'day-first' } : null, same: date.same && !empty }
      }
      if (filled > 0 && number.count === filled && number.serial && datesByName.test(name)) {
        const reading: CellReading = { as: 'serial', example: kept?.[0] ?? '', certain: true }
        return { ...none, readAs: { ...readAs, type: 'date', serial: true }, reading, same: false }
      }
      if (filled > 0 && number.count === filled && number.isOne) {
        const read: ReadAs = { ...readAs, type: number.whole ? 'integer' : 'decimal' }
        const other: ReadAs | null = number.isOpen ? { ...read, mark: 'comma', type: number.other ? 'integer' : 'decimal' } : null
        const reading: CellReading | null = number.isOpen
          ? { as: 'decimal-point', example: number.example, certain: false }
          : number.mark === 'comma'
            ? { as: 'decimal-comma', example: kept?.find((value) => value.includes(',')) ?? '', certain: true }
            : null
        return { ...none, readAs: read, units: number.units, reading, other, same: number.same && !empty }
      }
      return { ...none, readAs, stray: strayOf(filled, number, date), same: true }
    },
  }
}

/** Why a column that is mostly numbers or dates is neither. */
function strayOf(
  filled: number,
  number: { count: number; isOne: boolean; stray: string | null },
  date: { count: number; isOne: boolean; stray: string | null },
): TableColumn['stray'] {
  const [of, most] = date.count > number.count ? (['date', date] as const) : (['number', number] as const)
  if (most.count === 0 || most.count < filled * strayShare) return null
  return { of, cells: filled - most.count, example: (most.stray ?? '').slice(0, longestValue) }
}

/** The cell as its column's type; null where it holds nothing of it. */
export function valueIn({ type, dayOrder, mark, serial }: ReadAs, shown: string): string | number | null {
  if (type === 'text') return shown === '' ? null : shown
  if (isNothing(shown)) return null
  if (serial) return serialDate(numberOf(shown)?.value ?? 0)
  return type === 'date' ? (dateOf(shown, dayOrder)?.iso ?? null) : (numberOf(shown, mark)?.value ?? null)
}
