/**
 * The same articles as Markdown, Word, HTML, EPUB and PDF in one and two columns: what is found first, and whether a citation
 * names the right page. Built and run as scripts/bench.mjs does; `node out/bench/formats.js [questions of each set]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Place } from '../src/contract/place.ts'
import { createBuiltInEmbedder } from '../src/core/embed/built-in.ts'
import { loadTokenizer } from '../src/core/embed/embed.ts'
import { kindOf, openFile, readDocument } from '../src/core/ingest/read/read.ts'
import { createStructureSplitter, type SplitPassage } from '../src/core/ingest/split.ts'
import { forkProcess } from '../src/core/work/work.ts'
import { makeDocx, packed, wordParagraph } from '../test/fixtures/make-office.ts'
import { makePdf, type PdfText } from '../test/fixtures/make-pdf.ts'
import type { ScratchDocument } from '../test/fakes/scratch-library.ts'
import { dataDirectory, readSquad, type QuestionSet } from './question-sets.ts'
import { withLibrary } from './retrieval-sets.ts'

const resourcesDir = join(process.cwd(), 'resources')

/** The text as every format has it: what a font without embedded letters cannot show is left out of all. */
function plainText(text: string, chinese: boolean): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (chinese) return flat.normalize('NFKC').replace(/[^\u0020-\u007e\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/g, '')
  return flat
    .normalize('NFKD')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/[^\u0020-\u007e]/g, '')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function wrapped(text: string, most: number, chinese: boolean): string[] {
  if (chinese) return text.match(new RegExp(`.{1,${most}}`, 'gu')) ?? []
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > most) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  return lines
}

/** Pages of 500 by 700 points, and of each paragraph the pages it stands on. */
function laidOut(paragraphs: readonly string[], columns: 1 | 2, chinese: boolean): { bytes: Buffer; pagesOf: Set<number>[] } {
  const most = chinese ? (columns === 1 ? 40 : 19) : columns === 1 ? 78 : 36
  const pages: { texts: PdfText[] }[] = [{ texts: [] }]
  let column = 0
  let y = 650
  const pagesOf = paragraphs.map((paragraph) => {
    const on = new Set<number>()
    for (const text of wrapped(paragraph, most, chinese)) {
      if (y < 60) {
        y = 650
        column += 1
        if (column === columns) {
          column = 0
          pages.push({ texts: [] })
        }
      }
      pages.at(-1)!.texts.push({ x: 40 + column * 220, y, text, size: 10, font: chinese ? 'chinese' : 'latin' })
      on.add(pages.length)
      y -= 14
    }
    y -= 10
    return on
  })
  return { bytes: makePdf(pages), pagesOf }
}

interface Made {
  name: string
  bytes: Buffer | string
  pagesOf?: Set<number>[]
}

const formats: Record<string, (paragraphs: readonly string[], chinese: boolean) => Made> = {
  text: (paragraphs) => ({ name: 'a.txt', bytes: paragraphs.join('\n\n') }),
  markdown: (paragraphs) => ({ name: 'a.md', bytes: paragraphs.join('\n\n') }),
  docx: (paragraphs) => ({ name: 'a.docx', bytes: makeDocx({ body: paragraphs.map((each) => wordParagraph(escaped(each))).join('') }) }),
  html: (paragraphs) => ({
    name: 'a.html',
    bytes: `<meta charset="utf-8"><body>${paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('\n')}`,
  }),
  epub: (paragraphs) => ({
    name: 'a.epub',
    bytes: packed({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf':
        '<package><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
      'c.xhtml': `<html><body>${paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('')}</body></html>`,
    }),
  }),
  'pdf, one column': (paragraphs, chinese) => ({ name: 'a.pdf', ...laidOut(paragraphs, 1, chinese) }),
  'pdf, two columns': (paragraphs, chinese) => ({ name: 'a.pdf', ...laidOut(paragraphs, 2, chinese) }),
}

const tokenizer = await loadTokenizer(resourcesDir)
const folder = mkdtempSync(join(tmpdir(), 'siku-formats-'))

async function passagesOf({ name, bytes }: Made): Promise<SplitPassage[]> {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  try {
    const splitter = createStructureSplitter(tokenizer, { maxTokens: tokenizer.passageBudget })
    const passages: SplitPassage[] = []
    const sections = readDocument(opened.file, kindOf(path, opened.file))
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

function onPage(place: Place | undefined, pages: ReadonlySet<number>): boolean {
  return place?.kind === 'page' && [...pages].some((page) => page >= place.page && page <= (place.toPage ?? place.page))
}

interface Score {
  at1: number
  /** Of the citations whose text holds the answer; null: the format has no pages. */
  rightPage: number | null
}

async function scoreOf(set: QuestionSet, format: string, chinese: boolean, every: number): Promise<Score> {
  const articles = [...new Set(set.articles)]
  const places = new Map<string, Place>()
  const pages = new Map<number, Set<number>>()
  const documents: ScratchDocument[] = []
  for (const article of articles) {
    const own = set.paragraphs.flatMap((text, index) =>
      set.articles[index] === article ? [{ index, text: plainText(text, chinese) }] : [],
    )
    const made = formats[format]!(
      own.map(({ text }) => text),
      chinese,
    )
    own.forEach(({ index }, at) => made.pagesOf && pages.set(index, made.pagesOf[at]!))
    const path = `/bench/${article}`
    const passages = await passagesOf(made)
    for (const passage of passages) places.set(`${path}\n${passage.text}`, passage.place)
    documents.push({ path, passages: passages.map(({ text, heading }) => ({ text, heading })) })
  }
  return withLibrary(embedder, documents, async (library) => {
    const asked = set.questions.filter((_question, index) => index % every === 0)
    let found = 0
    let right = 0
    for (const { question, answers, paragraph } of asked) {
      const { hits } = await library.search.query({ query: question, k: 1 })
      const [hit] = hits
      if (hit === undefined || hit.path !== `/bench/${set.articles[paragraph]}`) continue
      if (!answers.some((answer) => squeezed(hit.text).includes(squeezed(plainText(answer, chinese))))) continue
      found += 1
      const on = pages.get(paragraph)
      if (on !== undefined && onPage(places.get(`${hit.path}\n${hit.text}`), on)) right += 1
    }
    return { at1: found / asked.length, rightPage: pages.size === 0 ? null : right / Math.max(1, found) }
  })
}

const embedder = createBuiltInEmbedder({
  deps: {
    resourcesDir,
    startProcess: forkProcess,
    workerUrl: (name) => pathToFileURL(join(process.cwd(), 'out', 'node', `${name}.js`)),
    log: () => undefined,
  },
})
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
try {
  const data = dataDirectory()
  if (data === null) throw new Error('the question sets are not there')
  const most = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
  for (const [name, file, chinese] of [
    ['XQuAD English', 'xquad.en.dev.json', false],
    ['XQuAD Chinese', 'xquad.zh.dev.json', true],
  ] as const) {
    const set = readSquad(join(data, 'xquad', file))
    const every = Math.max(1, Math.ceil(set.questions.length / most))
    let plain = 0
    for (const format of Object.keys(formats)) {
      const { at1, rightPage } = await scoreOf(set, format, chinese, every)
      if (format === 'text') plain = at1
      const pages = rightPage === null ? '' : `; right page ${percent(rightPage)}`
      const beside = format === 'text' ? '' : ` (${((at1 - plain) * 100).toFixed(1)} points)`
      console.log(`${name}, ${format}: recall at 1 ${percent(at1)}${beside}${pages}`)
    }
  }
} finally {
  await embedder.close()
  rmSync(folder, { recursive: true, force: true })
}
