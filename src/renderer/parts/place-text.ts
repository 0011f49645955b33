import type { TFunction } from 'i18next'
import { timeText, type Place } from '../../contract/place.ts'

/** A place in words: page 3, lines 18–22, a heading. */
export function placeText(place: Place, t: TFunction): string {
  switch (place.kind) {
    case 'page':
      return place.toPage !== undefined && place.toPage !== place.page
        ? t('common.placePages', { from: place.page, to: place.toPage })
        : t('common.placePage', { page: place.page })
    case 'lines':
      return place.from === place.to
        ? t('common.placeLine', { line: place.from })
        : t('common.placeLines', { from: place.from, to: place.to })
    case 'section':
      return place.heading.at(-1) ?? t('common.placeParagraph', { from: place.from })
    case 'sheet':
      return place.sheet === '' ? rowsText(place, t) : t('common.placeSheet', { sheet: place.sheet, rows: rowsText(place, t) })
    case 'slide':
      return t('common.placeSlide', { slide: place.slide })
    case 'chapter':
      return place.chapter
    case 'message':
      return place.message
    case 'time':
      return place.from === place.to ? timeText(place.from) : `${timeText(place.from)}–${timeText(place.to)}`
  }
}

function rowsText({ from, to }: { from: number; to: number }, t: TFunction): string {
  return from === to ? t('common.placeRow', { row: from }) : t('common.placeRows', { from, to })
}
