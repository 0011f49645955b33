import { z } from 'zod'
import { counted } from '../../../contract/counted.ts'
import { assertNever } from '../../../contract/errors.ts'
import type { DocumentRow, Passage, Scope } from '../../../contract/library.ts'
import type { Place } from '../../../contract/place.ts'
import type { Store } from '../../store/store.ts'
import { defineTool, type Tool, type ToolContext } from '../tool.ts'
import { fileName, placeWithin } from '../../turns/turns.ts'
import { findDocuments, findNames, type DocumentName } from './library-scope.ts'
import { dataSentence, passageText } from './library-text.ts'
import { documentLine } from './list-documents.ts'
import type { ToolParts } from './tools.ts'

const schema = z.object({
  document: z.string().min(1).max(2000).describe('its id, file name or path, e.g. "12" or "lease.pdf"'),
  from: z.int().min(1).optional().describe('first page, line, row, slide or paragraph to read'),
  to: z.int().min(1).optional().describe('the last one'),
  heading: z.string().max(500).optional().describe('only below headings, chapters or sheets with these words'),
  start_passage: z.int().min(1).optional().describe('to read on: the number that the last result gave'),
})
type Wanted = z.output<typeof schema>

const mostCharacters = 12_000
const mostHeadings = 30
const mostChoices = 10
const mostNames = 2000
const passagesAtOnce = 200

export function createReadDocument({ store }: Pick<ToolParts, 'store'>): Tool {
  return defineTool({
    name: 'read_document',
    description:
      'Reads a document of the library in order: all of it, or some pages, lines or a heading. Use it when passages of search_library are not enough, or when the user names a document.',
    schema,
    suits:
      /\b(?:read|open|pages?|chapters?|sections?|paragraphs?|lines?|whole|entire|full text|quote)\b|\.(?:pdf|docx?|md|txt|epub|html?|pptx?)\b|读|打开|第.{1,6}[页章节段行]|全文|原文|通读|章节/iu,
    access: 'read',
    gives: { private: true, untrusted: true },
    aliases: ['read_file', 'open_document'],
    limits: { maxCharacters: 2 * mostCharacters },
    line: ({ document, from, to }, language) => {
      const range = from === undefined && to === undefined ? '' : ` (${from ?? 1}–${to ?? ''})`
      return `${language === 'zh' ? '阅读' : 'Read'} ${document}${range}`
    },
    async run(wanted, context) {
      const found = documentNamed(store, context.scope, wanted.document.trim())
      if (found.kind === 'none') {
        return { failed: true, text: `No document of the library has this name: "${wanted.document}". list_documents shows what there is.` }
      }
      if (found.kind === 'several') {
        const lines = found.documents.map(documentLine)
        return { failed: true, text: [`${found.total} documents fit. Call it again with one id:`, ...lines].join('\n') }
      }
      return readPassages(store, found.document, wanted, context)
    },
  })
}

type Named = { kind: 'one'; document: DocumentRow } | { kind: 'several'; documents: DocumentRow[]; total: number } | { kind: 'none' }

/** By id, whole path, file name, file name without its ending, then any part of path or title: the first that fits at all. */
function documentNamed(store: Store, scope: Scope, name: string): Named {
  const id = /^(?:id\s*|#)?(\d{1,15})$/i.exec(name)?.[1]
  if (id !== undefined) {
    const wanted = scope.documentIds === undefined || scope.documentIds.includes(Number(id)) ? [Number(id)] : []
    const [document] = findDocuments(store, { scope: { ...scope, documentIds: wanted }, sort: 'name', offset: 0, limit: 1 }).documents
    if (document) return { kind: 'one', document }
  }
  const { total, names } = findNames(store, { scope, name, sort: 'name', offset: 0, limit: mostNames })
  const folded = name.toLowerCase()
  const file = ({ path }: DocumentName): string => fileName(path).toLowerCase()
  const fits: ((named: DocumentName) => boolean)[] = [
    (named) => named.path === name,
    (named) => file(named) === folded,
    (named) => file(named).replace(/\.[^.]+$/, '') === folded,
    (named) => named.title?.toLowerCase() === folded,
    () => true,
  ]
  const found = fits.map((fit) => names.filter(fit)).find((each) => each.length > 0) ?? []
  const documents = found.slice(0, mostChoices).flatMap(({ id }) => store.documents.get(id) ?? [])
  if (documents.length === 0) return { kind: 'none' }
  return documents.length === 1
    ? { kind: 'one', document: documents[0]! }
    : { kind: 'several', documents, total: found.length === names.length ? total : found.length }
}

async function readPassages(
  store: Store,
  document: DocumentRow,
  wanted: Wanted,
  context: ToolContext,
): Promise<string | { failed: true; text: string }> {
  const shown: Passage[] = []
  let length = 0
  let next: number | null = null
  let last: Place | null = null
  let end = 0
  let total = 0
  const headings = new Set<string>()
  const start = wanted.start_passage ?? 1
  // One before it, for the text that both may share.
  reading: for (let offset = Math.max(0, start - 2); ; offset += passagesAtOnce) {
    const read = store.documents.passages(document.id, offset, passagesAtOnce)
    total = read.total
    for (const passage of read.passages) {
      last = passage.place
      for (const heading of [headingText(passage.place, passage.heading), ...headingsInside(passage.text)])
        if (headings.size < mostHeadings) headings.add(heading)
      if (!isWanted(passage, wanted)) continue
      if (passage.ordinal + 1 < start) {
        end = passage.end
        continue
      }
      const text = withoutOverlap(passage, end)
      if (shown.length > 0 && length + text.length > mostCharacters) {
        next = passage.ordinal + 1
        break reading
      }
      length += text.length
      end = Math.max(end, passage.end)
      const { place } = passage
      if (text.trim() !== '')
        shown.push({ ...passage, text, place: placeWithin(place, passage.text.length - text.length, passage.text.length) })
    }
    if (offset + passagesAtOnce >= total) break
    // A long document does not hold up everything else.
    await new Promise(setImmediate)
    context.signal.throwIfAborted()
  }
  const line = documentLine(document)
  if (total === 0) return { failed: true, text: `There is no text of it:\n${line}` }
  if (start > total) return { failed: true, text: `It has ${counted(total, 'passage')}, and none from ${start} on.\n${line}` }
  if (shown.length === 0)
    return {
      failed: true,
      text: `${nothingThere(wanted, headings)}\n${line}\n${extent(store.documents.passages(document.id, 0, 1).passages[0]?.place ?? null, last)}`,
    }
  const row = store.reader.prepare('SELECT hash FROM live_documents WHERE id = ?').get(document.id) as { hash: string | null } | undefined
  const contentHash = row?.hash ?? ''
  const markers = context.cite(
    shown.map((passage) => {
      const { id: passageId, place, heading, text } = passage
      return { documentId: document.id, passageId, path: document.path, place, heading, text, contentHash, score: 1 }
    }),
  )
  const passages = shown.map((passage, index) => passageText({ ...passage, path: document.path, marker: markers[index]! }))
  const more = next === null ? 'This is the end of what was asked for.' : `There is more: read on with start_passage ${next} of ${total}.`
  return [`${line}\nCite by number, like [${markers[0]}]. ${dataSentence}`, ...passages, more].join('\n')
}

function nothingThere({ heading }: Wanted, headings: ReadonlySet<string>): string {
  const there = [...headings].filter((each) => each !== '')
  if (heading === undefined || there.some((each) => each.toLowerCase().includes(heading.trim().toLowerCase())))
    return 'Nothing stands there.'
  if (there.length === 0) return `It has no headings: read it without “${heading}”.`
  return `It has no heading “${heading}”. It has: ${there.map((each) => `“${each}”`).join(', ')}${there.length < mostHeadings ? '' : ', …'}.`
}

/** Neighbouring passages may share text: it is shown once. */
function withoutOverlap({ text, start, end }: Passage, shownTo: number): string {
  return start < shownTo && text.length === end - start ? text.slice(Math.min(text.length, shownTo - start)) : text
}

function isWanted({ place, heading, text }: Passage, { from, to, heading: words = '' }: Wanted): boolean {
  const wanted = words.trim().toLowerCase()
  if (wanted !== '') {
    const there = [headingText(place, heading), ...headingsInside(text)].some((each) => each.toLowerCase().includes(wanted))
    // Where a heading is a line like others, only its own words tell it.
    if (!there && !text.split('\n').some((line) => line.trim().toLowerCase() === wanted)) return false
  }
  if (from === undefined && to === undefined) return true
  const range = rangeOf(place)
  // A `to` before `from` means one place.
  const [low, high] = [from ?? 1, Math.max(to ?? (from === undefined ? Infinity : from), from ?? 1)]
  return range !== null && range.from <= high && range.to >= low
}

/** Headings of Markdown that stand inside a passage: a small section is kept with the one before it. */
function headingsInside(text: string): string[] {
  return [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, words = '']) => words)
}

function headingText(place: Place, heading: string[]): string {
  const own =
    place.kind === 'sheet' ? [place.sheet] : place.kind === 'chapter' ? [place.chapter] : place.kind === 'section' ? place.heading : []
  return [...heading, ...own].join(' › ')
}

function rangeOf(place: Place): { unit: string; from: number; to: number } | null {
  switch (place.kind) {
    case 'page':
      return { unit: 'page', from: place.page, to: place.toPage ?? place.page }
    case 'lines':
      return { unit: 'line', from: place.from, to: place.to }
    case 'section':
      return { unit: 'paragraph', from: place.from, to: place.to }
    case 'sheet':
      return { unit: 'row', from: place.from, to: place.to }
    case 'slide':
      return { unit: 'slide', from: place.slide, to: place.slide }
    case 'chapter':
      return place.from === undefined ? null : { unit: 'paragraph', from: place.from, to: place.to ?? place.from }
    case 'message':
      return null
    case 'time':
      return { unit: 'second', from: place.from, to: place.to }
    default:
      return assertNever(place)
  }
}

function extent(first: Place | null, last: Place | null): string {
  const [from, to] = [first && rangeOf(first), last && rangeOf(last)]
  return from && to
    ? `It goes from ${from.unit} ${from.from} to ${to.unit} ${to.to}.`
    : 'It has no numbered places: read it without from and to.'
}
