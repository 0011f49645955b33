import type { DocumentKind, Reason } from '../../../contract/library.ts'
import type { OpenFile } from './file.ts'
import { foreignReason, unreadReason } from './foreign.ts'
import { formatOf } from './format.ts'
import { readHtml } from './html.ts'
import { kindOf } from './kind.ts'
import { readMarkdown } from './markdown.ts'
import { readCode, readText } from './plain.ts'
import { failed, type HeardSegment, type ReadEnd, type ReadSection, type RecognisedLine, type Sections } from './reading.ts'
import { readLinesWith } from './text-lines.ts'
import { XmlProblem } from './xml-problem.ts'

export { kindOf } from './kind.ts'
export { fileReason, openFile, type OpenFile } from './file.ts'
export { createOpener } from './inner.ts'
export { decode } from './decode.ts'
export { declaredEncoding } from './encoding.ts'
export { createPageReader, type Paragraph } from './html-paragraphs.ts'
export { pictureParts } from './pictures.ts'
export { soundFormat, soundTypes } from './sound-format.ts'
export { openZip, ZipProblem } from './zip.ts'
export {
  type Block,
  type BlockKind,
  type HeardSegment,
  type PageLine,
  type Positions,
  type ReadEnd,
  type ReadSection,
  type LineTurn,
  type RecognisedLine,
  type Sections,
} from './reading.ts'

/** Raised whenever a reader or the splitting gives other text or other passages: what was read before is then read again. */
const readingVersion = 8

/** Names the reading and the splitting: another recipe is another content. */
export function readingRecipe(tokenizerKey: string): string {
  return `read-${readingVersion}/structure-${tokenizerKey}`
}

export interface ReadOptions {
  /** Larger files are not read at all. */
  maxBytes?: number
  /** Opens an encrypted document. Never stored with it. */
  password?: string
  /** What text recognition read before, by page. */
  recognised?: ReadonlyMap<number, RecognisedLine[]>
  /** After this it ends by itself, with what it has. */
  timeMs?: number
  /** What was heard in a recording before. */
  heard?: readonly HeardSegment[]
}

/** Larger files are not read. */
export const maxReadBytes = 2 * 1024 ** 3
/** These are held whole in memory while they are read. */
const wholeMaxBytes = 400 * 1024 ** 2

function unsupported(reason: Reason): ReadEnd {
  return { status: 'skipped', reason, title: null, pages: null }
}

const cutShort: ReadEnd = {
  status: 'partial',
  reason: { code: 'too-slow', message: 'Reading took too long: only the beginning was read.' },
  title: null,
  pages: null,
  isCutShort: true,
}

/** One reader for each kind. A further kind is one more line here, and one in the contract. */
const readers: Record<Exclude<DocumentKind, 'unknown'>, (file: OpenFile, options: ReadOptions) => Sections> = {
  word: async function* (file, options) {
    const { readWord } = await import('./word.ts')
    return yield* readWord(file, options.recognised)
  },
  sheet: async function* (file) {
    const { readSheet } = await import('./sheet.ts')
    return yield* readSheet(file)
  },
  slides: async function* (file, options) {
    const { readSlides } = await import('./slides.ts')
    return yield* readSlides(file, options.recognised)
  },
  epub: async function* (file) {
    const { readEpub } = await import('./epub.ts')
    return yield* readEpub(file)
  },
  data: async function* (file) {
    const { readData } = await import('./data.ts')
    return yield* readData(file)
  },
  mail: async function* (file) {
    const { readMail } = await import('./mail.ts')
    return yield* readMail(file)
  },
  image: async function* (file, options) {
    const { readImage } = await import('./image.ts')
    return yield* readImage(file, options.recognised)
  },
  sound: async function* (file, options) {
    const { readSound } = await import('./sound.ts')
    return yield* readSound(file, options.heard)
  },
  archive: archive,
  pdf: async function* (file, options) {
    const { readPdf } = await import('./pdf.ts')
    return yield* readPdf(file, options)
  },
  html: readHtml,
  markdown: (file) => readLinesWith(file, readMarkdown),
  text: (file) => readLinesWith(file, readText),
  code: (file) => readLinesWith(file, readCode),
}

async function* archive(): Sections {
  const reason = { code: 'archive' as const, message: 'Archives are not opened: unpack it to add what is in it.' }
  return { status: 'skipped', reason, title: null, pages: null }
}

/** A workbook of another format may be called .xlsb. */
function isOrdinaryWorkbook(file: OpenFile, kind: DocumentKind): boolean {
  return (
    kind === 'sheet' && !(formatOf(file) === 'xlsx' && file.at(Math.max(0, file.sizeBytes - 65_536), 65_536).includes('xl/workbook.bin'))
  )
}

/** What is nested without end stops its reader wherever it is. */
async function nextOf(sections: Sections, any: boolean): Promise<IteratorResult<ReadSection, ReadEnd>> {
  try {
    return await sections.next()
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    return { done: true, value: { ...failed('damaged', error.message), ...(any ? { status: 'partial' } : {}) } }
  }
}

/** The sections of an open file in order; the end says how it went. A document without text is never ready. */
export async function* readDocument(file: OpenFile, kind: DocumentKind, options: ReadOptions = {}): Sections {
  const tooLarge = failed('too-large', 'The file is too large to be read.')
  // Of a file that is too large for its name's kind the bytes were never asked.
  if (kind === 'unknown')
    return file.sizeBytes > maxReadBytes && kindOf(file.name) !== 'unknown' ? tooLarge : unsupported(unreadReason(file.name))
  if (file.sizeBytes === 0) return failed('empty', 'The file has no content.')
  const foreign = foreignReason(file.name, kind)
  if (foreign !== null && !isOrdinaryWorkbook(file, kind)) return unsupported(foreign)
  const most = Math.min(options.maxBytes ?? maxReadBytes, kind === 'pdf' || kind === 'html' ? wholeMaxBytes : Infinity)
  if (file.sizeBytes > most) return tooLarge
  let any = false
  // What has pages names those that were not reached.
  const endAt = kind === 'pdf' ? Infinity : performance.now() + (options.timeMs ?? Infinity)
  const sections = readers[kind](file, options)
  for (;;) {
    const next = await nextOf(sections, any)
    if (next.done === true) {
      const end = next.value
      if (any || end.status === 'failed' || end.status === 'skipped') return end
      return { ...end, ...failed('empty', 'There is no text in this file.'), title: end.title, pages: end.pages }
    }
    if (any && performance.now() >= endAt) {
      await sections.return(cutShort)
      return cutShort
    }
    any = true
    yield next.value
  }
}
