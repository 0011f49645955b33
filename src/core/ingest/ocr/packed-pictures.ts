import { openZip, pictureParts, ZipProblem } from '../read/read.ts'
import { openImagePages } from './image-pages.ts'
import { pageFailed, type OpenedPages, type PagePixels } from './pages.ts'

/** The pictures of a packed document (docx, pptx, odt, odp) as its pages. */
export async function openPackedPictures(bytes: Buffer): Promise<OpenedPages> {
  try {
    const zip = await openZip(bytes, { maxTotalBytes: Infinity })
    const parts = pictureParts(zip)
    return { kind: 'ok', pages: { pixels: (page) => pixelsOf(parts[page - 1] ?? ''), close: () => zip.close() } }

    async function pixelsOf(part: string): Promise<PagePixels> {
      try {
        const picture = await zip.bytes(part)
        if (picture === null) return pageFailed('damaged', 'The picture is not in the document.')
        const opened = await openImagePages(picture)
        return opened.kind === 'ok' ? await opened.pages.pixels(1) : opened
      } catch (error) {
        return problemOf(error)
      }
    }
  } catch (error) {
    return problemOf(error)
  }
}

function problemOf(error: unknown): ReturnType<typeof pageFailed> {
  if (!(error instanceof ZipProblem)) throw error
  return pageFailed(error.kind, error.message)
}
