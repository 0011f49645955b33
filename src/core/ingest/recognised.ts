import type { Reason } from '../../contract/library.ts'
import type { Store } from '../store/store.ts'
import { recognitionVersion } from './ocr/ocr.ts'
import type { ReadResult, RecognisedPages } from './reader.ts'

/** What text recognition made of some bytes, or was heard in them, complete: every page that was to be read is done or given up. */
export interface Recognised extends RecognisedPages {
  givenUp: ReadonlyMap<number, Reason>
}

/** Raised when recordings are sent or their answers taken in another way. */
const hearingVersion = 1

/** What the reading queue knows of text recognition and of hearing. */
export function createRecognised(store: Store) {
  return {
    /** Null while pages wait, and when there were none. */
    of(hash: string): Recognised | null {
      const heard = store.transcripts.of(hash)
      if (heard !== null) return { hash, pages: new Map(), givenUp: new Map(), heard }
      const found = store.recognition.of(hash)
      return found === null || found.waiting > 0 ? null : { hash, pages: found.pages, givenUp: found.givenUp }
    },

    /** What is read with recognised pages is another content than what was read without, or with fewer of them. */
    recipe(base: string, used: Recognised | null): string {
      if (used?.heard !== undefined) return `${base}/heard-${hearingVersion}`
      return used === null ? base : `${base}/ocr-${recognitionVersion}.${used.pages.size}.${used.givenUp.size}`
    },
  }
}

/** Why a document is not ready, when some of its pages were given up: they do not wait any more. */
export function reasonAfter(
  { status, reason, kind }: Pick<ReadResult, 'status' | 'reason' | 'kind'>,
  givenUp: ReadonlyMap<number, Reason> | undefined,
): Reason | null {
  const [problem] = givenUp?.values() ?? []
  if (problem === undefined || reason?.code !== 'scanned') return reason
  // Of a picture the reason is the document's own: it is damaged, or of a kind that is not read.
  if (kind === 'image' && status === 'failed') return problem
  return { ...reason, message: `Text recognition could not read these pages. ${problem.message}` }
}
