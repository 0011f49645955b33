import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Reason } from '../../../contract/library.ts'
import { regionsOf } from './pdf-columns.ts'
import { composePage } from './pdf-paragraphs.ts'
import { segmentsOf, type TextItem, type TextStyle } from './pdf-segments.ts'
import { isGarbled, pageRanges } from './pdf-text.ts'
import { failed, shortHeading, type ReadEnd, type ReadSection, type Sections } from './reading.ts'

async function openPdf(bytes: Uint8Array) {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const task = pdfjs.getDocument({
    data: bytes,
    // Plain paths, read from the disk: without the character maps, Chinese text without embedded fonts vanishes.
    cMapUrl: join(root, 'cmaps') + sep,
    cMapPacked: true,
    standardFontDataUrl: join(root, 'standard_fonts') + sep,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    verbosity: 0,
  })
  return { task, document: await task.promise }
}

type PdfDocument = Awaited<ReturnType<typeof openPdf>>['document']

/** Each page with text is a section. Pages without text, damaged and garbled ones are named in the reason. */
export async function* readPdf(source: Buffer): Sections {
  const hasImages = /\/Subtype\s*\/Image\b/.test(source.toString('latin1'))
  // pdf.js takes the memory that it is given for itself.
  const bytes = new Uint8Array(source)
  let opened: Awaited<ReturnType<typeof openPdf>>
  try {
    opened = await openPdf(bytes)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') return failed('encrypted', 'The document is protected by a password.')
    return failed('damaged', 'The document is damaged and cannot be opened.')
  }
  const { task, document } = opened
  const silent: number[] = []
  const damaged: number[] = []
  const garbled: number[] = []
  try {
    for (let number = 1; number <= document.numPages; number++) {
      const section = await readPage(document, number)
      if (section === 'damaged') damaged.push(number)
      else if (section === null) silent.push(number)
      else {
        if (isGarbled(section.text)) garbled.push(number)
        yield section
      }
    }
    return endOf(document.numPages, await titleOf(document), { silent, damaged, garbled, hasImages })
  } finally {
    await task.destroy()
  }
}

async function readPage(document: PdfDocument, number: number): Promise<ReadSection | 'damaged' | null> {
  try {
    const page = await document.getPage(number)
    const viewport = page.getViewport({ scale: 1 })
    // Normalisation is for the index: what is shown stays as it is.
    const content = await page.getTextContent({ disableNormalization: true, includeMarkedContent: false })
    const items = content.items.filter((item) => 'str' in item) as TextItem[]
    const groups = segmentsOf(items, content.styles as unknown as Record<string, TextStyle>, viewport.transform)
    const composed = composePage(
      groups.map(({ turn, segments }) => ({ turn, regions: regionsOf(segments) })),
      { number, width: viewport.width, height: viewport.height },
    )
    page.cleanup()
    if (composed.text.trim() === '') return null
    return {
      text: composed.text,
      place: { kind: 'page', page: number },
      heading: [],
      blocks: composed.blocks,
      positions: { kind: 'page', page: number, lines: composed.lines },
    }
  } catch {
    return 'damaged'
  }
}

async function titleOf(document: PdfDocument): Promise<string | null> {
  try {
    const { info } = await document.getMetadata()
    const title = (info as { Title?: unknown }).Title
    if (typeof title !== 'string' || /^(untitled|microsoft word|.*\.(docx?|tex|dvi|indd|wps|qxd|pdf)$)/i.test(title)) return null
    return shortHeading(title) || null
  } catch {
    return null
  }
}

interface Findings {
  silent: number[]
  damaged: number[]
  garbled: number[]
  hasImages: boolean
}

function endOf(pages: number, title: string | null, { silent, damaged, garbled, hasImages }: Findings): ReadEnd {
  const partial = (code: Reason['code'], at: number[], message: string): ReadEnd => {
    const all = at.length === pages
    return {
      status: all && code !== 'garbled' ? 'failed' : 'partial',
      reason: { code, message, ...(all ? {} : { pages: pageRanges(at) }) },
      title,
      pages,
    }
  }
  if (damaged.length > 0) {
    const lost = [...damaged, ...silent].sort((a, b) => a - b)
    return lost.length === pages
      ? partial('damaged', lost, 'The document is damaged; no page could be read.')
      : partial('damaged', damaged, 'Some pages are damaged and could not be read.')
  }
  if (silent.length > 0) {
    if (hasImages)
      return partial(
        'scanned',
        silent,
        silent.length === pages ? 'The pages are pictures without text.' : 'Some pages are pictures without text.',
      )
    return partial('no-text', silent, silent.length === pages ? 'The document has no text.' : 'Some pages have no text.')
  }
  if (garbled.length > 0) return partial('garbled', garbled, 'The text of some pages cannot be decoded rightly.')
  return { status: 'ready', reason: null, title, pages }
}
