import { availableParallelism } from 'node:os'
import type { DocumentKind, Reason } from '../../../contract/library.ts'
import { createOpener, fileReason, type RecognisedLine } from '../read/read.ts'
import type { CallContext } from '../../work/work.ts'
import { openPages, type PageSource } from './pages.ts'
import { createRecogniser, type Recogniser } from './recogniser.ts'

export interface OcrInput {
  path: string
  kind: DocumentKind
  page: number
  /** SHA-256 of the bytes whose page it is: other bytes are not read. Null: whatever is there. */
  hash: string | null
  password?: string
}

export type OcrOutcome =
  | { kind: 'ok'; lines: RecognisedLine[] }
  /** The file is another one now, or gone. */
  | { kind: 'changed' }
  | { kind: 'failed'; reason: Reason }

export interface OcrApi {
  page(input: OcrInput, context: CallContext): Promise<OcrOutcome>
}

interface Open {
  key: string
  pages: PageSource
}

/** More threads gain little, and take them from whoever asks a question meanwhile. */
const mostThreads = 4

/** What the OCR process does: a page at a time. The last document stays open, as its next page comes next. */
export function createOcrApi(create: (threads: number) => Promise<Recogniser> = createRecogniser): OcrApi {
  let recogniser: Promise<Recogniser> | null = null
  let open: Open | null = null
  const openDocument = createOpener()

  function loaded(): Promise<Recogniser> {
    recogniser ??= create(Math.max(1, Math.min(mostThreads, availableParallelism() - 1)))
    recogniser.catch(() => (recogniser = null))
    return recogniser
  }

  async function source({
    path,
    kind,
    hash,
    password,
  }: OcrInput): Promise<{ kind: 'ok'; pages: PageSource } | Exclude<OcrOutcome, { kind: 'ok' }>> {
    const opened = await openDocument(path)
    if (opened.kind === 'failed') {
      return opened.reason.code === 'gone' || opened.reason.code === 'not-a-file' ? { kind: 'changed' } : opened
    }
    const { file } = opened
    try {
      const key = JSON.stringify([path, kind, hash, password ?? '', file.sizeBytes, file.modifiedMs])
      if (open?.key === key) return { kind: 'ok', pages: open.pages }
      open?.pages.close()
      open = null
      if (hash !== null && file.sha256() !== hash) return { kind: 'changed' }
      const pages = await openPages(file.bytes(), kind, password)
      if (pages.kind === 'failed') return pages
      open = { key, pages: pages.pages }
      return pages
    } catch (error) {
      if (error instanceof Error && 'errno' in error) return { kind: 'failed', reason: fileReason(error) }
      throw error
    } finally {
      file.close()
    }
  }

  return {
    async page(input, { signal }) {
      const found = await source(input)
      if (found.kind !== 'ok') return found
      const drawn = await found.pages.pixels(input.page)
      if (drawn.kind === 'failed') return drawn
      return { kind: 'ok', lines: await (await loaded()).read(drawn.pixels, input.page, signal) }
    },
  }
}
