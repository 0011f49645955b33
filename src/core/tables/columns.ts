import type { ColumnType } from '../../contract/tables.ts'
import { dateOf, numberOf, type DayOrder } from './values.ts'

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
  /** What it holds. A column is a number or a date only where each of its cells is, but for those that say that there is none. */
  end(): { type: ColumnType; dayOrder: DayOrder; same: boolean; values: string[] | null }
}

/** Cells that say that there is nothing. */
export function isNothing(shown: string): boolean {
  return /^\s*(?:[-–—/]+|n\/?a|null|nil|none|#n\/a|无|暂无|未知|不详|待定|tbd)?\s*$/i.test(shown)
}

export function studyColumn(): ColumnStudy {
  let filled = 0
  let numbers = true
  let whole = true
  let dates = true
  let dayFirst = false
  let monthFirst = false
  let same = true
  let values: Set<string> | null = new Set()

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
        same = false
        return
      }
      filled += 1
      if (dates) {
        const date = dateOf(shown)
        if (date === null) dates = false
        else {
          dayFirst ||= date.order === 'day-first'
          monthFirst ||= date.order === 'month-first'
          if (date.iso !== shown) same = false
        }
      }
      if (numbers) {
        const number = numberOf(shown)
        if (number === null) numbers = false
        else {
          whole &&= number.whole
          if (String(number.value) !== shown) same = false
        }
      }
    },
    end() {
      const dayOrder = dayFirst && !monthFirst ? 'day-first' : 'month-first'
      // Both orders in one column: what a cell means cannot be said.
      const isDate = filled > 0 && dates && !(dayFirst && monthFirst)
      const type = isDate ? 'date' : filled > 0 && numbers ? (whole ? 'integer' : 'decimal') : 'text'
      return { type, dayOrder, same: type === 'text' || same, values: values === null ? null : [...values] }
    },
  }
}

/** The cell as its column's type; null where it holds nothing of it. */
export function valueIn(type: ColumnType, shown: string, dayOrder: DayOrder): string | number | null {
  if (type === 'text') return shown === '' ? null : shown
  if (isNothing(shown)) return null
  return type === 'date' ? (dateOf(shown, dayOrder)?.iso ?? null) : (numberOf(shown)?.value ?? null)
}
