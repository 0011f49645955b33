import type { DocumentKind, Reason } from '../../../contract/library.ts'
import type { Pixels } from './pixels.ts'

export type PagePixels = { kind: 'ok'; pixels: Pixels } | { kind: 'failed'; reason: Reason }

/** The pages of an open document as pictures. */
export interface PageSource {
  /** Counted from 1. Never more than `mostPixels`. */
  pixels(page: number): Promise<PagePixels>
  close(): void
}

export type OpenedPages = { kind: 'ok'; pages: PageSource } | { kind: 'failed'; reason: Reason }

/** What is recognised at most, in memory of four bytes each: A3 at 200 dpi has 7.7 million. Larger pages are made smaller. */
export const mostPixels = 12_000_000

export function pageFailed(code: Reason['code'], message: string): { kind: 'failed'; reason: Reason } {
  return { kind: 'failed', reason: { code, message } }
}

/** Never throws for what the bytes are. */
export async function openPages(bytes: Buffer, kind: DocumentKind, password?: string): Promise<OpenedPages> {
  if (kind === 'pdf') {
    const { openPdfPages } = await import('./pdf-pages.ts')
    return openPdfPages(bytes, password)
  }
  if (kind === 'image') {
    const { openImagePages } = await import('./image-pages.ts')
    return openImagePages(bytes)
  }
  if (kind === 'word' || kind === 'slides') {
    const { openPackedPictures } = await import('./packed-pictures.ts')
    return openPackedPictures(bytes)
  }
  return pageFailed('unsupported-kind', 'There are no pages in files of this kind.')
}
