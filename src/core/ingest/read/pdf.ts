import type { Reason } from '../../../contract/library.ts'
import { regionsOf } from './pdf-columns.ts'
import { openPdf, type PdfDocument } from './pdf-engine.ts'
import { composePage } from './pdf-paragraphs.ts'
import { segmentsOf, type TextItem, type TextStyle } from './pdf-segments.ts'
import { isGarbled, pageRanges } from './pdf-text.ts'
import { failed, shortHeading, type ReadEnd, type ReadSection, type Sections } from './reading.ts'

/** Each page with text is a section. Pages without text, damaged and garbled ones are named in the reason. */
export async function* readPdf(source: Buffer): Sections {
  let opened: Awaited<ReturnType<typeof openPdf>>
  try {
    opened = await openPdf(source)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException') return failed('encrypted', 'The document is protected by a password.')
    return failed('damaged', 'The document is damaged and cannot be opened.')
  }
  const { task, document } = opened
  const silent: number[] = []
  const damaged: number[] = []
  const garbled: number[] = []
  const headings = createHeadingPath()
  let title: string | null
  let pages: number
  try {
    for (let number = 1; number <= document.numPages; number++) {
      const section = await readPage(document, number, headings)
      if (section === 'damaged') damaged.push(number)
      else if (section === null) silent.push(number)
      else {
        if (isGarbled(section.text)) garbled.push(number)
        yield section
      }
    }
    title = (await titleOf(document)) ?? headings.title()
    pages = document.numPages
  } finally {
    await task.destroy()
  }
  const { scanned, drawn } = silent.length === 0 ? { scanned: [], drawn: [] } : await lookAt(source, silent)
  // A page without a mark on it hides nothing, unless nothing is all there is.
  const unread = silent.length === pages ? silent : drawn
  return endOf(pages, title, { unread, scanned, damaged, garbled })
}

async function readPage(document: PdfDocument, number: number, headings: HeadingPath): Promise<ReadSection | 'damaged' | null> {
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
      heading: headings.path(),
      headings: composed.headings.flatMap((heading) => headings.enter(heading, number)),
      blocks: composed.blocks,
      positions: { kind: 'page', page: number, lines: composed.lines },
    }
  } catch {
    return 'damaged'
  }
}

interface HeadingPath {
  path(): string[]
  /** The largest of the first page. */
  title(): string | null
  enter(heading: { offset: number; text: string; size: number }, page: number): { offset: number; path: string[] }[]
}

/** Headings over all pages; what is set larger stands above what is set smaller. */
function createHeadingPath(): HeadingPath {
  const open: { text: string; size: number }[] = []
  const path = (): string[] => open.map((heading) => heading.text)
  let largest: { text: string; size: number } | null = null
  return {
    path,
    title: () => largest?.text ?? null,
    enter({ offset, text, size }, page) {
      if ((text.match(/\p{L}/gu)?.length ?? 0) < 2 || text.length > 160) return []
      while (open.length > 0 && open.at(-1)!.size < size * 1.05) open.pop()
      const heading = { text: shortHeading(text), size }
      if (page === 1 && (largest === null || size > largest.size)) largest = heading
      open.push(heading)
      return [{ offset, path: path() }]
    },
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

/** Which of the pages without text show pictures, and which show anything at all. */
async function lookAt(source: Buffer, pages: readonly number[]): Promise<{ scanned: number[]; drawn: number[] }> {
  const nothing = pages.map(() => ({ count: 0, marks: true }))
  const strict = await operatorsOf(source, pages, 'strict').catch(() => nothing)
  const lenient = await operatorsOf(source, pages, 'lenient').catch(() => nothing)
  // An image that is dropped leaves no operator; it is told by where the strict reading ended.
  const scanned = pages.filter((_page, index) => strict[index]!.count < lenient[index]!.count)
  return { scanned, drawn: pages.filter((page, index) => lenient[index]!.marks || scanned.includes(page)) }
}

async function operatorsOf(
  source: Buffer,
  pages: readonly number[],
  looking: 'strict' | 'lenient',
): Promise<{ count: number; marks: boolean }[]> {
  const { task, document, operators } = await openPdf(source, looking)
  const marks = new Set([
    operators.constructPath,
    operators.shadingFill,
    operators.showText,
    operators.showSpacedText,
    operators.rawFillPath,
  ])
  const found: { count: number; marks: boolean }[] = []
  try {
    for (const number of pages) {
      try {
        const page = await document.getPage(number)
        const { fnArray } = await page.getOperatorList()
        found.push({ count: fnArray.length, marks: fnArray.some((operator) => marks.has(operator)) })
        page.cleanup()
      } catch {
        found.push({ count: 0, marks: looking === 'lenient' })
      }
    }
  } finally {
    await task.destroy()
  }
  return found
}

interface Findings {
  /** Pages without text that show something. */
  unread: number[]
  /** Those of them that are pictures. */
  scanned: number[]
  damaged: number[]
  garbled: number[]
}

function endOf(pages: number, title: string | null, { unread, scanned, damaged, garbled }: Findings): ReadEnd {
  const lost = [...damaged, ...unread].length === pages
  function because(code: Reason['code'], at: number[], some: string, all: string): ReadEnd {
    const everywhere = at.length === pages
    const reason: Reason = { code, message: everywhere ? all : some, ...(everywhere ? {} : { pages: pageRanges(at) }) }
    return { status: lost ? 'failed' : 'partial', reason, title, pages }
  }
  if (damaged.length > 0)
    return because('damaged', damaged, 'Some pages are damaged and could not be read.', 'The document is damaged; no page could be read.')
  if (scanned.length > 0)
    return because('scanned', scanned, 'Some pages are pictures without text.', 'The pages are pictures without text.')
  if (unread.length > 0) return because('no-text', unread, 'Some pages have no text.', 'The document has no text.')
  if (garbled.length > 0)
    return because('garbled', garbled, 'The text of some pages cannot be decoded rightly.', 'The text cannot be decoded rightly.')
  return { status: 'ready', reason: null, title, pages }
}
