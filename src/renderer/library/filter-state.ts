import { create } from 'zustand'
import { sizeBands, type DocumentKind, type DocumentSort, type DocumentStatus } from '../../contract/library.ts'

export interface Dates {
  /** Milliseconds since 1970; the file's own time. */
  from: number | null
  before: number | null
}

interface Filter {
  folderId: number | null
  statuses: DocumentStatus[]
  kinds: DocumentKind[]
  name: string
  dates: Dates
  /** An index of `sizeBands`. */
  band: number | null
  /** What passages are looked for; '' shows documents. */
  words: string
  /** Null: as the folders have them. */
  order: { by: DocumentSort; descending: boolean } | null
}

const nothing: Filter = {
  order: null,
  folderId: null,
  statuses: [],
  kinds: [],
  name: '',
  dates: { from: null, before: null },
  band: null,
  words: '',
}

/** What of the library is shown: one for the cards, the picture, the list and the search, kept while the screens change. */
export const useFilter = create<Filter>(() => nothing)

export function setFilter(change: Partial<Filter>): void {
  useFilter.setState(change)
}

export function clearFilter(): void {
  const { words, order } = useFilter.getState()
  useFilter.setState({ ...nothing, words, order })
}

export function isFiltered({ folderId, statuses, kinds, name, dates, band }: Filter): boolean {
  return (
    folderId !== null ||
    statuses.length > 0 ||
    kinds.length > 0 ||
    name.trim() !== '' ||
    dates.from !== null ||
    dates.before !== null ||
    band !== null
  )
}

export function boundsOf(band: number | null): { leastBytes?: number; lessThanBytes?: number } {
  const least = band === null ? undefined : sizeBands[band]
  const next = band === null ? undefined : sizeBands[band + 1]
  return { ...(least === undefined || least === 0 ? {} : { leastBytes: least }), ...(next === undefined ? {} : { lessThanBytes: next }) }
}

/** A month as in 2026-11, or a year as in 2026, in the time of this machine. */
export function datesOf(period: string): Dates {
  const [year = 1970, month] = period.split('-').map(Number)
  return month === undefined
    ? { from: new Date(year, 0, 1).getTime(), before: new Date(year + 1, 0, 1).getTime() }
    : { from: new Date(year, month - 1, 1).getTime(), before: new Date(year, month, 1).getTime() }
}
