import { openPdf, type PdfDocument } from './pdf-engine.ts'
import { mended } from './pdf-mend.ts'
import { shownRules, type Rule } from './pdf-rules.ts'
import { isGarbled, qualityOf, readsLikeWords, scoreOf } from './pdf-quality.ts'
import { joinSidewaysWords } from './pdf-sideways-words.ts'
import { recognisedGroups } from './recognised-lines.ts'
import { repairedGbk } from './pdf-repair.ts'
import { segmentsOf, type TextItem, type TextStyle, type TurnedSegments } from './pdf-segments.ts'
import { lookAtPage, type PageLook, type Rectangle } from './pdfium-look.ts'
import { pdfiumItems, viewportOf, type PageItems, type PdfiumItems } from './pdfium-text.ts'
import { openPdfium, type Pdfium, type PdfSource } from './pdfium.ts'
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
  /** Upright and level lines, in points of the page as it is shown. */
  rules: Rule[]
  state: PageState
  /** There is text on it that nobody can see. */
  hidesText: boolean
  /** What people wrote on it. */
  comments: readonly string[]
}

export interface PdfPages {
  readonly count: number
  title(): Promise<string>
  /** Names of the files that lie in the document. */
  readonly files: readonly string[]
  page(number: number): Promise<FoundPage>
  close(): Promise<void>
}

export interface PagesOptions {
  password?: string
  recognised?: ReadonlyMap<number, RecognisedLine[]>
  /** After this it ends by itself, with what it has. */
  timeMs?: number
}

export type PagesOpened = { kind: 'ok'; pages: PdfPages } | { kind: 'encrypted' | 'damaged' | 'heavy' }

/** pdf.js holds the document once more, and copies what it looks at. */
const mostThoroughBytes = 128 << 20
const mostMendedBytes = 64 << 20
/** A document that breaks PDFium down more often is not read on. */
const mostBreakdowns = 3
/** Fewer letters on a page that is a picture are a stamp or a page number, not its text. */
const fewLetters = 20
const mostlyPictured = 0.8
/** Fewer letters that nobody can see are no text. */
const leastHidden = 3
const unknownSize = { width: 612, height: 792 }

/**
 * Opens a document to be read page by page: by PDFium, which is quick and bounded, and where that is in doubt by pdf.js too; the
 * better text is taken.
 */
export async function openPages(source: PdfSource, options: PagesOptions = {}): Promise<PagesOpened> {
  const opened = await openWhole(source, options)
  const mend = opened.kind === 'damaged' && source.sizeBytes < mostMendedBytes ? mended(source.bytes()) : null
  return mend === null ? opened : openWhole({ sizeBytes: mend.length, chunks: () => [mend], bytes: () => mend }, options)
}

async function openWhole(source: PdfSource, options: PagesOptions): Promise<PagesOpened> {
  const quick = await openPdfium(source, options.password)
  // What breaks the one that bounds its memory would take all of it from the one that does not.
  if (quick.kind === 'broken') return { kind: 'heavy' }
  if (quick.kind === 'password') return { kind: 'encrypted' }
  const isDangerous = quick.packsText || source.sizeBytes > mostThoroughBytes
  const thorough = thoroughEngine(source, options.password)
  if (quick.kind === 'ok') return { kind: 'ok', pages: await pagesOf(source, quick.pdfium, isDangerous ? null : thorough, options) }
  if (isDangerous) return { kind: 'damaged' }
  const opened = await thorough.opened()
  return opened === 'encrypted' || opened === 'damaged'
    ? { kind: opened }
    : { kind: 'ok', pages: await pagesOf(source, null, thorough, options) }
}

type Thorough = Awaited<ReturnType<typeof openPdf>>

/** pdf.js, opened when it is first needed. */
function thoroughEngine(source: PdfSource, password: string | undefined) {
  let opening: Promise<Thorough | 'encrypted' | 'damaged'> | undefined
  function opened(): Promise<Thorough | 'encrypted' | 'damaged'> {
    opening ??= openPdf(source.bytes(), password).catch((error: unknown) =>
      error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged',
    )
    return opening
  }
  async function document(): Promise<PdfDocument | null> {
    const engine = await opened()
    return typeof engine === 'string' ? null : engine.document
  }
  async function close(): Promise<void> {
    const engine = await opening
    if (typeof engine === 'object') await engine.task.destroy()
  }
  return { opened, document, close }
}

interface Candidate {
  width: number
  height: number
  groups: TurnedSegments[]
  text: string
  /** Its characters were guessed, and are no words. */
  guessed: boolean
}

async function pagesOf(
  source: PdfSource,
  opened: Pdfium | null,
  thorough: ReturnType<typeof thoroughEngine> | null,
  options: PagesOptions,
): Promise<PdfPages> {
  let quick = opened
  let breakdowns = 0

  /** Null: PDFium has no such page; `broken`: it did not survive it. */
  async function withQuick<Result>(number: number, look: (pdfium: Pdfium, page: number) => Result): Promise<Result | null | 'broken'> {
    if (quick === null) return opened === null ? null : 'broken'
    const used = quick
    try {
      return used.withPage(number, (page) => look(used, page))
    } catch {
      breakdowns += 1
      const again = breakdowns < mostBreakdowns ? await openPdfium(source, options.password) : null
      quick = again?.kind === 'ok' ? again.pdfium : null
      return 'broken'
    }
  }

  async function page(number: number): Promise<FoundPage> {
    const seen = await withQuick(number, (pdfium, open) => {
      const look = lookAtPage(pdfium, open)
      const rules = shownRules(look.rules, viewportOf(pdfium, open).viewport)
      const read = pdfiumItems(pdfium, open, new Set(look.hidden.map(({ object }) => object)))
      return { look, rules, comments: pdfium.comments(), read }
    })
    if (seen === 'broken') {
      return { number, ...unknownSize, groups: [], rules: [], state: 'heavy', hidesText: false, comments: [] }
    }
    const found = await bestText(number, seen)
    const { width, height } = found ?? unknownSize
    const state = stateOf(found, seen?.look ?? null)
    const comments = seen?.comments ?? []
    const hidesText = seen !== null && (seen.look.invisible || seen.read.leftOut >= leastHidden)
    const lines = state === 'read' || state === 'blank' ? undefined : options.recognised?.get(number)
    if (lines === undefined) {
      return { number, width, height, groups: found?.groups ?? [], rules: seen?.rules ?? [], state, hidesText, comments }
    }
    const groups = recognisedGroups(lines, width, height)
    const recognised = textOf(groups)
    if (recognised !== '' && (found?.guessed === true || scoreOf(recognised) >= scoreOf(found?.text ?? '')))
      return { number, width, height, groups, rules: [], state: 'read', hidesText, comments }
    const nothing = found === null || found.text === ''
    return {
      number,
      width,
      height,
      groups: found?.groups ?? [],
      rules: seen?.rules ?? [],
      state: state === 'garbled' ? state : nothing ? 'blank' : 'read',
      hidesText,
      comments,
    }
  }

  /** Null: neither engine can read the page. */
  async function bestText(number: number, seen: { look: PageLook; read: PdfiumItems } | null): Promise<Candidate | null> {
    const hidden = seen?.look.hidden.map(({ at }) => at) ?? []
    const one = seen === null ? null : candidateOf(seen.read, [])
    const isDoubtful = seen === null || one === null || isUnsure(seen.look, seen.read) || isGarbled(one.text)
    const document = isDoubtful && seen?.look.heavy !== true ? ((await thorough?.document()) ?? null) : null
    const read = document === null ? null : await thoroughItems(document, number)
    // The code of a drawing among letters is no letter; where nearly all is drawn, it may be.
    const drawn = seen === null || seen.read.unknown ? [] : seen.read.drawn
    const other = read === null ? null : repaired(candidateOf(read, [...hidden, ...drawn]))
    if (one === null) return other
    const right = repaired(one)
    if (other === null || scoreOf(other.text) < scoreOf(right.text)) return right
    return { ...other, guessed: seen?.read.unknown === true && !readsLikeWords(other.text) }
  }

  return {
    count: Math.max(quick?.pages ?? 0, quick === null ? ((await thorough?.document())?.numPages ?? 0) : 0),
    files: quick?.files() ?? [],
    async title() {
      if (quick !== null) return quick.title()
      const document = (await thorough?.document()) ?? null
      return document === null ? '' : titleOf(document)
    },
    page,
    async close() {
      quick?.close()
      await thorough?.close()
    },
  }
}

async function thoroughItems(document: PdfDocument, number: number): Promise<PageItems | null> {
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
  const groups = joinSidewaysWords(segmentsOf(shown, styles, viewport))
  return { width, height, groups, text: textOf(groups), guessed: false }
}

/** By where it begins: a letter stands a little within its place, and the engines measure it differently. */
function isIn({ left, right, bottom, top }: Rectangle, { transform }: TextItem): boolean {
  const [x, y] = [transform[4]!, transform[5]!]
  const room = Math.max(1, (top - bottom) * 0.3)
  return x > left - room && x < right + room && y > bottom - room && y < top + room
}

/** Something on the page may have come out wrong, or not at all. */
function isUnsure(look: PageLook, read: PdfiumItems): boolean {
  return read.unsure || (read.items.length === 0 && look.texts > 0) || look.foreign.some((piece) => !read.objects.has(piece))
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
  if (found.guessed || isGarbled(found.text)) return 'garbled'
  return (seen?.pictured ?? 0) > mostlyPictured && qualityOf(found.text).good < fewLetters ? 'scanned' : 'read'
}
