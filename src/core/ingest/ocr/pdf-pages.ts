import type { PDFiumDocument } from '@hyzyla/pdfium'
import { mostPixels, pageFailed, type OpenedPages, type PagePixels } from './pages.ts'

/** Pixels of a page for each of its points: 200 dpi, at which small print is still read. */
const wantedScale = 200 / 72
const longestSide = 8000

export async function openPdfPages(bytes: Buffer, password?: string): Promise<OpenedPages> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes, password)
    return {
      kind: 'ok',
      pages: {
        pixels: (page) => draw(document, page),
        close() {
          document.destroy()
          library.destroy()
        },
      },
    }
  } catch (error) {
    library.destroy()
    if (error instanceof Error && /password/i.test(error.message))
      return pageFailed('encrypted', 'The document is protected by a password.')
    return pageFailed('damaged', 'The document is damaged and its pages cannot be drawn.')
  }
}

async function draw(document: PDFiumDocument, number: number): Promise<PagePixels> {
  try {
    const page = document.getPage(number - 1)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    if (!(originalWidth > 0 && originalHeight > 0)) return pageFailed('damaged', 'The page has no size.')
    const scale = Math.min(
      wantedScale,
      Math.sqrt(mostPixels / (originalWidth * originalHeight)),
      longestSide / Math.max(originalWidth, originalHeight),
    )
    const width = Math.max(1, Math.floor(originalWidth * scale))
    const height = Math.max(1, Math.floor(originalHeight * scale))
    const { data } = await page.render({ width, height, render: 'bitmap' })
    return { kind: 'ok', pixels: { width, height, channels: 4, data } }
  } catch {
    return pageFailed('damaged', 'The page cannot be drawn.')
  }
}
