import type { TFunction } from 'i18next'
import { sizeBands } from '../../contract/library.ts'
import type { Format } from '../format.ts'

/** A band of sizes in words: under 10 kB, from 10 to 100 kB. */
export function sizeText(band: number, t: TFunction, format: Format): string {
  const least = sizeBands[band] ?? 0
  const next = sizeBands[band + 1]
  if (least === 0) return t('library.sizeUnder', { size: format.bytes(next ?? 0) })
  return next === undefined
    ? t('library.sizeOver', { size: format.bytes(least) })
    : t('library.sizeBetween', { least: format.bytes(least), next: format.bytes(next) })
}
