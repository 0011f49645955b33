import type { TFunction } from 'i18next'
import { splitInner } from '../../contract/inner-path.ts'
import { fileName } from '../paths.ts'

/** The name of a document by its path; of one that lies in another, with that one's name. */
export function shownName(path: string, t: TFunction): string {
  const inner = splitInner(path)
  return inner === null ? fileName(path) : t('library.nameWithin', { name: inner.name, around: fileName(inner.around) })
}
