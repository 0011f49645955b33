import type { Place } from '../../contract/place.ts'

/** The pages on which the stretch of a passage's text stands (UTF-16), with their boxes; any other place as it is. */
export function placeWithin(place: Place, start: number, end: number): Place {
  if (place.kind !== 'page' || place.pageStarts === undefined) return place
  const starts = [{ page: place.page, at: 0 }, ...place.pageStarts]
  const first = starts.findLast(({ at }) => at <= start)?.page ?? place.page
  const last = starts.findLast(({ at }) => at < end)?.page ?? first
  const boxes = place.boxes?.filter(({ page }) => page >= first && page <= last) ?? []
  const pageStarts = place.pageStarts.flatMap(({ page, at }) => (page > first && page <= last ? [{ page, at: at - start }] : []))
  return {
    kind: 'page',
    page: first,
    ...(last > first ? { toPage: last, pageStarts } : {}),
    ...(boxes.length === 0 ? {} : { boxes }),
  }
}

/** Where the quote stands in a passage that goes over pages. */
export function placeOfQuote(place: Place, text: string, quote: string): Place {
  const at = quote === '' ? -1 : text.indexOf(quote)
  return at === -1 ? place : placeWithin(place, at, at + quote.length)
}
