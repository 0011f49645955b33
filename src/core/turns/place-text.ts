import { timeText, type Place } from '../../contract/place.ts'
import { assertNever } from '../../contract/errors.ts'

/** A place in few words, for prompts and exports. */
export function placeText(place: Place): string {
  const range = (unit: string, from: number, to: number): string => (from === to ? `${unit} ${from}` : `${unit}s ${from}-${to}`)
  switch (place.kind) {
    case 'page':
      return range('page', place.page, place.toPage ?? place.page)
    case 'lines':
      return range('line', place.from, place.to)
    case 'section':
      return place.heading.length === 0 ? range('paragraph', place.from, place.to) : place.heading.join(' › ')
    case 'sheet':
      return `${place.sheet === '' ? '' : `${place.sheet}, `}${range('row', place.from, place.to)}`
    case 'slide':
      return `slide ${place.slide}`
    case 'chapter':
      return place.chapter
    case 'message':
      return `message ${place.message}`
    case 'time':
      return place.from === place.to ? timeText(place.from) : `${timeText(place.from)}-${timeText(place.to)}`
    default:
      return assertNever(place)
  }
}

export function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

/** A title of one line, without what is not seen: control characters, and marks that turn the direction of what follows. */
export function plainTitle(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
