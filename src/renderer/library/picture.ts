import type { BreakdownCell, DocumentKind } from '../../contract/library.ts'
import { datesOf, type Dates } from './filter-state.ts'

export interface Bar<Key> {
  key: Key
  documents: number
  bytes: number
  chosen: boolean
}

export interface Chosen {
  kinds: readonly DocumentKind[]
  dates: Dates
  band: number | null
}

export interface Picture {
  kinds: Bar<DocumentKind>[]
  /**
   * Months as in 2026-11, or years where they are many; those without documents between two others are there as well. A few at
   * least, so that they can be read as a stretch of time.
   */
  periods: Bar<string>[]
  bands: Bar<number>[]
}

/** More columns than this are too thin to be read, or clicked. */
const mostMonths = 24
const mostYears = 40
const leastMonths = 6

function inDates(month: string, { from, before }: Dates): boolean {
  if (from === null && before === null) return true
  const period = datesOf(month)
  return (from === null || (period.before ?? 0) > from) && (before === null || (period.from ?? 0) < before)
}

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  let [year = 1970, month = 1] = first.split('-').map(Number)
  for (let name = first; name <= last && months.length <= mostMonths;) {
    months.push(name)
    month += 1
    if (month > 12) [year, month] = [year + 1, 1]
    name = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
  }
  return months
}

/** With the months before them, up to the least. */
function withBefore(months: readonly string[]): string[] {
  const all = [...months]
  while (all.length > 0 && all.length < leastMonths) {
    const [year = 1970, month = 1] = (all[0] ?? '').split('-').map(Number)
    const before = month === 1 ? [year - 1, 12] : [year, month - 1]
    all.unshift(`${String(before[0]).padStart(4, '0')}-${String(before[1]).padStart(2, '0')}`)
  }
  return all
}

/** A file with a broken clock must not stretch the picture over ages: then only years that have documents are shown. */
function yearsBetween(known: readonly string[]): string[] {
  const years = [...new Set(known.map((month) => month.slice(0, 4)))]
  const [first, last] = [Number(years[0]), Number(years.at(-1))]
  return last - first > mostYears
    ? years.slice(-mostYears)
    : Array.from({ length: last - first + 1 }, (_none, index) => String(first + index))
}

function total<Key>(cells: readonly BreakdownCell[], key: Key, chosen: boolean): Bar<Key> {
  return {
    key,
    documents: cells.reduce((sum, cell) => sum + cell.documents, 0),
    bytes: cells.reduce((sum, cell) => sum + cell.bytes, 0),
    chosen,
  }
}

/** Each part counts what the filters of the other two leave, so that a click never leads to nothing. */
export function pictureOf(cells: readonly BreakdownCell[], chosen: Chosen): Picture {
  const kindFits = (cell: BreakdownCell) => chosen.kinds.length === 0 || chosen.kinds.includes(cell.kind)
  const dateFits = (cell: BreakdownCell) => inDates(cell.month, chosen.dates)
  const bandFits = (cell: BreakdownCell) => chosen.band === null || chosen.band === cell.band
  const forKinds = cells.filter((cell) => dateFits(cell) && bandFits(cell))
  const ofKind = new Map<DocumentKind, number>()
  for (const { kind, documents } of cells) ofKind.set(kind, (ofKind.get(kind) ?? 0) + documents)
  // In the order of the whole library, so that no row moves under the pointer that filters.
  const kinds = [...ofKind.keys()]
    .sort((one, other) => (ofKind.get(other) ?? 0) - (ofKind.get(one) ?? 0))
    .map((kind) =>
      total(
        forKinds.filter((cell) => cell.kind === kind),
        kind,
        chosen.kinds.includes(kind),
      ),
    )
  const forDates = cells.filter((cell) => kindFits(cell) && bandFits(cell))
  const known = [...new Set(cells.map((cell) => cell.month))].sort()
  const months = known.length === 0 ? [] : monthsBetween(known[0] ?? '', known.at(-1) ?? '')
  const names = months.length > mostMonths ? yearsBetween(known) : withBefore(months)
  const periods = names.map((name) => {
    const { from, before } = datesOf(name)
    const isChosen = chosen.dates.from === from && chosen.dates.before === before
    return total(
      forDates.filter((cell) => cell.month.startsWith(name)),
      name,
      isChosen,
    )
  })
  const forBands = cells.filter((cell) => kindFits(cell) && dateFits(cell))
  const bands = [...new Set(cells.map((cell) => cell.band))]
    .sort((one, other) => one - other)
    .map((band) =>
      total(
        forBands.filter((cell) => cell.band === band),
        band,
        chosen.band === band,
      ),
    )
  return { kinds, periods, bands }
}
