import { openPdf, type PdfDocument } from './pdf-engine.ts'
import { hasPictureText } from './pdf-danger.ts'
import { isGarbled, qualityOf, scoreOf } from './pdf-quality.ts'
import { recognisedSegments } from './pdf-recognised.ts'
import { repairedGbk } from './pdf-repair.ts'
import { segmentsOf, type TextItem, type TextStyle, type TurnedSegments } from './pdf-segments.ts'
import { lookAtPage, type PageLook, type Rectangle } from './pdfium-look.ts'
import { pdfiumItems, viewportOf, type PageItems } from './pdfium-text.ts'
import { openPdfium, type Pdfium, type PdfiumOpened } from './pdfium.ts'
import type { RecognisedLine } from './reading.ts'

/**
 * How a page came out. `blank`: nothing is on it. `scanned`: a picture without text, or hardly any. `drawn`: marks, but no text.
 * `heavy`: it would take more memory than reading may.
 */
export type PageState = 'read' | 'blank' | 'scanned' | 'drawn' | 'garbled' | 'damaged' | 'heavy'

export interface FoundPage {
  number: number
  width: number
  height: number
  groups: TurnedSegments[]
  state: PageState
}

export interface PdfPages {
  readonly count: number
  title(): Promise<string>
  page(number: number): Promise<FoundPage>
  close(): Promise<void>
}

export interface PagesOptions {
  password?: string
  recognised?: ReadonlyMap<number, RecognisedLine[]>
}

export type PagesOpened = { kind: 'ok'; pages: PdfPages } | { kind: 'encrypted' | 'damaged' | 'heavy' }

/** A document that breaks PDFium down more often is not read on. */
const mostBreakdowns = 3
/** Fewer letters on a page that is a picture are a stamp or a page number, not its text. */
const fewLetters = 20
const mostlyPictured = 0.8

/** Opens a document with both engines; each page is read by the one that reads it better. */
export async function openPages(source: Buffer, options: PagesOptions = {}): Promise<PagesOpened> {
  const second = await openPdfium(source, options.password)
  // What breaks the one that bounds its memory would take all of it from the one that does not.
  if (second.kind === 'broken') return { kind: 'heavy' }
  if (second.kind === 'password') return { kind: 'encrypted' }
  const first = hasPictureText(source) ? 'damaged' : await openFirst(source, options.password)
  if (first === 'encrypted') return { kind: 'encrypted' }
  if (first === 'damaged') return second.kind === 'ok' ? { kind: 'ok', pages: pagesOf(source, null, second, options) } : { kind: 'damaged' }
  return { kind: 'ok', pages: pagesOf(source, first, second, options) }
}

type FirstEngine = Awaited<ReturnType<typeof openPdf>>

async function openFirst(source: Buffer, password: string | undefined): Promise<FirstEngine | 'encrypted' | 'damaged'> {
  try {
    return await openPdf(source, password)
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged'
  }
}

interface Candidate {
  width: number
  height: number
  groups: TurnedSegments[]
  text: string
}

function pagesOf(source: Buffer, first: FirstEngine | null, second: PdfiumOpened, options: PagesOptions): PdfPages {
  let pdfium = second.kind === 'ok' ? second.pdfium : null
  const hasSecond = pdfium !== null
  let breakdowns = 0

  /** Null: PDFium has no such page; `broken`: it did not survive it. */
  async function withPdfium<Result>(number: number, look: (pdfium: Pdfium, page: number) => Result): Promise<Result | null | 'broken'> {
    if (pdfium === null) return hasSecond ? 'broken' : null
    const used = pdfium
    try {
      return used.withPage(number, (page) => look(used, page))
    } catch {
      breakdowns += 1
      const again = breakdowns < mostBreakdowns ? await openPdfium(source, options.password) : null
      pdfium = again?.kind === 'ok' ? again.pdfium : null
      return 'broken'
    }
  }

  async function page(number: number): Promise<FoundPage> {
    const seen = await withPdfium(number, (used, open) => ({ ...lookAtPage(used, open), ...viewportOf(used, open) }))
    const found = seen === 'broken' ? null : await bestText(number, seen)
    const size = found ?? (seen === null || seen === 'broken' ? { width: 612, height: 792 } : seen)
    const { width, height } = size
    const state = seen === 'broken' ? 'heavy' : stateOf(found, seen)
    const lines = state === 'read' || state === 'blank' ? undefined : options.recognised?.get(number)
    if (lines === undefined) return { number, width, height, groups: found?.groups ?? [], state }
    const groups = recognisedSegments(lines, width, height)
    const recognised = textOf(groups)
    if (recognised !== '' && scoreOf(recognised) >= scoreOf(found?.text ?? '')) return { number, width, height, groups, state: 'read' }
    const nothing = found === null || found.text === ''
    return { number, width, height, groups: found?.groups ?? [], state: state === 'garbled' ? state : nothing ? 'blank' : 'read' }
  }

  /** Null: neither engine can read the page. */
  async function bestText(number: number, seen: PageLook | null): Promise<Candidate | null> {
    const hidden = seen?.hidden ?? []
    const read = first === null || seen?.heavy === true ? null : await firstItems(first.document, number)
    const one = read === null ? null : candidateOf(read, hidden)
    const isDoubtful = one === null || (one.text === '' ? (seen?.texts ?? 0) > 0 : isGarbled(one.text))
    if (!isDoubtful || seen === null) return one === null ? null : repaired(one)
    const items = await withPdfium(number, pdfiumItems)
    const other = items === null || items === 'broken' ? null : candidateOf(items, hidden)
    const [left, right] = [one, other].map((candidate) => (candidate === null ? null : repaired(candidate)))
    if (!left || !right) return left ?? right ?? null
    return scoreOf(right.text) > scoreOf(left.text) ? right : left
  }

  return {
    count: Math.max(first?.document.numPages ?? 0, pdfium?.pages ?? 0),
    async title() {
      const own = first === null ? '' : await titleOf(first.document)
      return own || (pdfium?.title() ?? '')
    },
    page,
    async close() {
      pdfium?.close()
      await first?.task.destroy()
    },
  }
}

async function firstItems(document: PdfDocument, number: number): Promise<PageItems | null> {
  try {
    const page = await document.getPage(number)
    const { transform, width, height } = page.getViewport({ scale: 1 })
    // Normalisation is for the index: what is shown stays as it is.
    const content = await page.getTextContent({ disableNormalization: true, includeMarkedContent: false })
    const items = content.items.filter((item) => 'str' in item) as TextItem[]
    page.cleanup()
    return { items, styles: content.styles as unknown as Record<string, TextStyle>, viewport: transform, width, height }
  } catch {
    return null
  }
}

async function titleOf(document: PdfDocument): Promise<string> {
  try {
    const { info } = await document.getMetadata()
    const title = (info as { Title?: unknown }).Title
    return typeof title === 'string' ? title : ''
  } catch {
    return ''
  }
}

function candidateOf({ items, styles, viewport, width, height }: PageItems, hidden: readonly Rectangle[]): Candidate {
  const shown = hidden.length === 0 ? items : items.filter((item) => !hidden.some((rectangle) => isIn(rectangle, item)))
  const groups = segmentsOf(shown, styles, viewport)
  return { width, height, groups, text: textOf(groups) }
}

/** By where it begins, with a little room for what the engines measure differently. */
function isIn({ left, right, bottom, top }: Rectangle, { transform }: TextItem): boolean {
  const [x, y] = [transform[4]!, transform[5]!]
  const room = 1
  return x > left - room && x < right + room && y > bottom - room && y < top + room
}

function textOf(groups: readonly TurnedSegments[]): string {
  return groups.flatMap((group) => group.segments.map((segment) => segment.text)).join('\n')
}

function repaired(candidate: Candidate): Candidate {
  if (!isGarbled(candidate.text)) return candidate
  const groups = candidate.groups.map((group) => ({
    ...group,
    segments: group.segments.map((segment) => ({ ...segment, text: repairedGbk(segment.text) ?? segment.text })),
  }))
  return { ...candidate, groups, text: textOf(groups) }
}

function stateOf(found: Candidate | null, seen: PageLook | null): PageState {
  if (found === null) return seen?.heavy === true ? 'heavy' : 'damaged'
  if (found.text === '') {
    if (seen === null) return 'drawn'
    if (seen.pictured > 0) return 'scanned'
    return seen.drawings + seen.texts > 0 ? 'drawn' : 'blank'
  }
  if (isGarbled(found.text)) return 'garbled'
  return (seen?.pictured ?? 0) > mostlyPictured && qualityOf(found.text).good < fewLetters ? 'scanned' : 'read'
}
