import type { DocumentRow, DocumentStatus } from '../../contract/library.ts'

/** What a document is said to be: one without text whose pages wait for text recognition is not given up. */
export function shownStatus({ status, pagesToRecognise }: Pick<DocumentRow, 'status' | 'pagesToRecognise'>): DocumentStatus {
  return status === 'failed' && pagesToRecognise > 0 ? 'waiting' : status
}
