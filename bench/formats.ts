/**
 * The same articles as Markdown, Word, HTML, EPUB, PDF (in one and two columns, printed by Chromium, scanned): what is found
 * first, and whether a citation names the page on which the answer stands. Built and run as scripts/bench.mjs does;
 * `node out/bench/formats.js [questions of each set] [formats whose name has this] [articles of each set]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Place } from '../src/contract/place.ts'
import { builtInEmbedder } from './built-in-embedder.ts'
import { loadTokenizer } from '../src/core/embed/embed.ts'
import { createOcrApi } from '../src/core/ingest/ocr/ocr-api.ts'
import { kindOf, openFile, readDocument, type RecognisedLine } from '../src/core/ingest/read/read.ts'
import { createStructureSplitter, type SplitPassage } from '../src/core/ingest/split.ts'
import { placeWithin } from '../src/core/turns/turns.ts'
import type { ScratchDocument } from '../test/fakes/scratch-library.ts'
import { formats, plainText, type Made, type PlacedText } from './format-files.ts'
import { dataDirectory, readSquad, type QuestionSet } from './question-sets.ts'
import { withLibrary } from './retrieval-sets.ts'

const resourcesDir = join(process.cwd(), 'resources')

const tokenizer = await loadTokenizer(resourcesDir)
const folder = mkdtempSync(join(tmpdir(), 'siku-formats-'))

const ocr = createOcrApi()

async function recognisedPages(path: string, pages: number): Promise<Map<number, RecognisedLine[]>> {
  const lines = new Map<number, RecognisedLine[]>()
  const { signal } = new AbortController()
  for (let page = 1; page <= pages; page += 1) {
    const found = await ocr.page({ path, kind: 'pdf', page, hash: null }, { signal, emit: () => setImmediate() })
    if (found.kind !== 'ok') throw new Error(`page ${page} is ${found.kind}`)
    lines.set(page, found.lines)
  }
  return lines
}

async function passagesOf({ name, bytes, pages }: Made): Promise<SplitPassage[]> {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  try {
    const splitter = createStructureSplitter(tokenizer, { maxTokens: tokenizer.passageBudget })
    const passages: SplitPassage[] = []
    const recognised = pages === undefined ? undefined : await recognisedPages(path, pages)
    const sections = readDocument(opened.file, kindOf(path, opened.file), { recognised })
    let next = await sections.next()
    for (; next.done !== true; next = await sections.next()) passages.push(...splitter.push(next.value))
    if (next.value.status !== 'ready') throw new Error(`${name} is ${next.value.status}: ${next.value.reason?.message ?? ''}`)
    return [...passages, ...splitter.end()]
  } finally {
    opened.file.close()
  }
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

/** The first and the last page on which the words stand, wherever they do. */
function pagesOf(lines: readonly PlacedText[], words: string): [number, number][] {
  const letters = lines.flatMap(({ text, page }) => Array.from({ length: squeezed(text).length }, () => page))
  const all = lines.map(({ text }) => squeezed(text)).join('')
  const pages: [number, number][] = []
  for (let at = all.indexOf(words); at !== -1; at = all.indexOf(words, at + 1)) pages.push([letters[at]!, letters[at + words.length - 1]!])
  return pages
}

/** What of a text the words are, whatever blanks and breaks it has. */
function rangeOf(text: string, words: string): [number, number] | null {
  const offsets = Array.from({ length: text.length }, (_, index) => index).filter((index) => /\S/.test(text[index]!))
  const at = offsets
    .map((offset) => text[offset]!.toLowerCase())
    .join('')
    .indexOf(words)
  return at === -1 || words === '' ? null : [offsets[at]!, offsets[at + words.length - 1]! + 1]
}

/** What stands around an answer is quoted with it: few words stand in many places. */
const around = 30

/** Whether the citation of the words in the passage names the pages on which they stand, and no other. */
function isRightPage(place: Place | undefined, text: string, words: string, article: readonly PlacedText[]): boolean {
  const range = rangeOf(text, words)
  if (place === undefined || range === null) return false
  const [start, end] = [Math.max(0, range[0] - around), Math.min(text.length, range[1] + around)]
  const cited = placeWithin(place, start, end)
  if (cited.kind !== 'page') return false
  return pagesOf(article, squeezed(text.slice(start, end))).some(([from, to]) => cited.page === from && (cited.toPage ?? cited.page) === to)
}

interface Score {
  asked: number
  at1: number
  /** Of the citations whose text holds the answer; null: the format has no pages. */
  rightPage: number | null
}

async function scoreOf(set: QuestionSet, format: string, chinese: boolean, every: number, most: number): Promise<Score> {
  const articles = [...new Set(set.articles)].slice(0, most)
  const places = new Map<string, Place>()
  const lines = new Map<string, PlacedText[]>()
  const documents: ScratchDocument[] = []
  for (const article of articles) {
    const own = set.paragraphs.flatMap((text, index) =>
      set.articles[index] === article ? [{ index, text: plainText(text, chinese) }] : [],
    )
    const made = await formats[format]!(
      own.map(({ text }) => text),
      chinese,
    )
    const path = `/bench/${article}`
    if (made.lines !== undefined) lines.set(path, made.lines.flat())
    const passages = await passagesOf(made)
    for (const passage of passages) places.set(`${path}\n${passage.text}`, passage.place)
    documents.push({ path, passages: passages.map(({ text, heading }) => ({ text, heading })) })
  }
  return withLibrary(embedder, documents, async (library) => {
    const asked = set.questions.filter(({ paragraph }, index) => index % every === 0 && articles.includes(set.articles[paragraph]!))
    let found = 0
    let right = 0
    for (const { question, answers, paragraph } of asked) {
      const { hits } = await library.search.query({ query: question, k: 1 })
      const [hit] = hits
      if (hit === undefined || hit.path !== `/bench/${set.articles[paragraph]}`) continue
      const words = answers.map((answer) => squeezed(plainText(answer, chinese))).find((answer) => squeezed(hit.text).includes(answer))
      if (words === undefined) continue
      found += 1
      const article = lines.get(hit.path)
      if (article !== undefined && isRightPage(places.get(`${hit.path}\n${hit.text}`), hit.text, words, article)) right += 1
    }
    return { asked: asked.length, at1: found / asked.length, rightPage: lines.size === 0 ? null : right / Math.max(1, found) }
  })
}

const embedder = builtInEmbedder(process.cwd())
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
try {
  const data = dataDirectory()
  if (data === null) throw new Error('the question sets are not there')
  const most = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
  const chosen = ['text', ...Object.keys(formats).filter((name) => name !== 'text' && name.includes(process.argv[3] ?? ''))]
  const articles = Number(process.argv[4] ?? Number.POSITIVE_INFINITY)
  for (const [name, file, chinese] of [
    ['XQuAD English', 'xquad.en.dev.json', false],
    ['XQuAD Chinese', 'xquad.zh.dev.json', true],
  ] as const) {
    const set = readSquad(join(data, 'xquad', file))
    const every = Math.max(1, Math.ceil(set.questions.length / most))
    let plain = 0
    for (const format of chosen) {
      const { asked, at1, rightPage } = await scoreOf(set, format, chinese, every, articles)
      if (format === 'text') plain = at1
      const pages = rightPage === null ? '' : `; right page ${percent(rightPage)}`
      const beside = format === 'text' ? '' : ` (${((at1 - plain) * 100).toFixed(1)} points)`
      console.log(`${name}, ${format}: recall at 1 ${percent(at1)} of ${asked} questions${beside}${pages}`)
    }
  }
} finally {
  await embedder.close()
  rmSync(folder, { recursive: true, force: true })
}
