import type { Reason } from '../../../contract/library.ts'
import { failed, type ReadEnd } from './reading.ts'
import { XmlProblem } from './xml.ts'
import { ZipProblem } from './zip.ts'

export const trackedMessage = 'It has tracked changes; it was read as if all were accepted.'
export const lockedMessage = 'The document is protected by a password: save a copy without one.'
export const savedMessage = 'The file is damaged: this is what could be saved of it.'

export interface OfficeFindings {
  hasText: boolean
  damaged: boolean
  tracked?: boolean
  /** Pictures that text recognition has not looked at. */
  pictures?: readonly number[]
  /** Pictures that nothing looks at. */
  picturesUnread?: number
}

/** How a document ended that holds text, pictures, and damage. */
export function officeEnd({
  hasText,
  damaged,
  tracked = false,
  pictures = [],
  picturesUnread = 0,
}: OfficeFindings): Pick<ReadEnd, 'status' | 'reason' | 'pagesToRecognise'> {
  const waiting = pictures.length === 0 ? {} : { pagesToRecognise: [...pictures] }
  const status = hasText ? 'partial' : 'failed'
  if (damaged) return { status, reason: { code: 'damaged', message: hasText ? savedMessage : 'The file is damaged.' }, ...waiting }
  if (pictures.length > 0) {
    const count = pictures.length === 1 ? 'a picture' : `${pictures.length} pictures`
    return { status, reason: { code: 'scanned', message: `The text in ${count} of it has not been recognised.` }, ...waiting }
  }
  if (picturesUnread > 0) return { status, reason: picturesReason(picturesUnread) }
  return { status: 'ready', reason: tracked ? { code: 'tracked-changes', message: trackedMessage } : null }
}

export function picturesReason(count: number): Reason | null {
  if (count === 0) return null
  return { code: 'parts-unread', message: `The text in ${count === 1 ? 'a picture' : `${count} pictures`} of it is not read.` }
}

/** What a packed document did wrong, as its reason; anything else is thrown on. */
export function troubleOf(error: unknown): ReadEnd {
  if (error instanceof ZipProblem) {
    const messages = {
      damaged: 'The file is damaged.',
      'too-large': 'Unpacked, the file is larger than what is read.',
      encrypted: lockedMessage,
    }
    return failed(error.kind, messages[error.kind])
  }
  if (error instanceof XmlProblem) return failed('damaged', error.message)
  throw error
}
