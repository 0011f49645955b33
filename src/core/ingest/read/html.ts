import type { OpenFile } from './file.ts'
import type { Block, BlockKind, ReadSection, Sections } from './reading.ts'
import { sectionCharacters, shortHeading } from './reading.ts'
import { decode } from './decode.ts'

/** The little of the DOM that is read; linkedom's nodes fit it. */
interface Node {
  nodeType: number
  nodeName: string
  nodeValue: string | null
  firstChild: Node | null
  nextSibling: Node | null
  parentNode: Node | null
  getAttribute?(name: string): string | null
}

const left = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE HEAD NAV SVG IFRAME OBJECT CANVAS SELECT BUTTON INPUT TEXTAREA DIALOG AUDIO VIDEO'.split(' '),
)
const blocks = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML LEGEND LI ' +
    'MAIN OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'
  ).split(' '),
)
const cells = new Set(['TD', 'TH'])

function isHidden(node: Node): boolean {
  if (node.getAttribute === undefined) return false
  const role = node.getAttribute('role')
  return (
    node.getAttribute('hidden') !== null ||
    node.getAttribute('aria-hidden') === 'true' ||
    role === 'navigation' ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(node.getAttribute('style') ?? '')
  )
}

/** The encoding a page declares for itself within its first bytes. */
export function declaredEncoding(first: Uint8Array): string | null {
  const head = Buffer.from(first).toString('latin1')
  const found = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ?? /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)
  const label = found?.[1]?.toLowerCase() ?? null
  return label === 'gb2312' || label === 'gbk' ? 'gb18030' : label
}

interface Paragraph {
  text: string
  kind: BlockKind
  level: number
}

function* walk(root: Node): Generator<{ node: Node; entering: boolean }> {
  let node: Node = root
  let entering = true
  for (;;) {
    yield { node, entering }
    if (entering && node.firstChild !== null && !(left.has(node.nodeName.toUpperCase()) || isHidden(node))) {
      node = node.firstChild
      continue
    }
    if (entering) {
      entering = false
      continue
    }
    if (node === root) return
    if (node.nextSibling !== null) {
      node = node.nextSibling
      entering = true
    } else if (node.parentNode !== null) node = node.parentNode
    else return
  }
}

/** Paragraphs in order. Lists give an item each, tables a row each; walked without recursion, however deep it is nested. */
function* paragraphsOf(root: Node): Generator<Paragraph> {
  let text = ''
  let preformatted = 0
  let level = 0
  const lists: { ordered: boolean; count: number }[] = []
  let mark = ''
  let inRow = 0
  let cellsInRow = 0

  const skipped = (node: Node): boolean => left.has(node.nodeName.toUpperCase()) || isHidden(node)
  function* close(): Generator<Paragraph> {
    const body = preformatted > 0 ? text.replace(/^\n+|\s+$/g, '') : text.replace(/[ \t]*\n[ \t]*/g, '\n').trim()
    text = ''
    if (body === '') return
    const kind: BlockKind = level > 0 ? 'heading' : inRow > 0 ? 'row' : mark !== '' ? 'item' : preformatted > 0 ? 'fence' : 'paragraph'
    yield { text: kind === 'item' ? mark + body : body, kind, level }
    if (mark !== '') mark = '  '
  }

  for (const { node, entering } of walk(root)) {
    if (node.nodeType === 3 || node.nodeType === 4) {
      if (!entering) continue
      const value = node.nodeValue ?? ''
      if (preformatted > 0) text += value.replace(/\r\n?/g, '\n')
      else {
        const flat = value.replace(/[ \t\r\n\f]+/g, ' ')
        text += /(^|\s)$/.test(text) ? flat.replace(/^ /, '') : flat
      }
      continue
    }
    if (node.nodeType !== 1 || skipped(node)) continue
    const name = node.nodeName.toUpperCase()
    if (cells.has(name)) {
      if (entering) {
        if (cellsInRow > 0) text = `${text.trimEnd()} | `
        cellsInRow += 1
      }
      continue
    }
    if (name === 'BR' && entering) text += '\n'
    if (!blocks.has(name)) continue
    if (inRow > 0 && name !== 'TR' && name !== 'TABLE') {
      if (text !== '' && !/\s$/.test(text)) text += ' '
      continue
    }
    yield* close()
    if (name === 'PRE') preformatted += entering ? 1 : -1
    if (/^H[1-6]$/.test(name)) level = entering ? Number(name[1]) : 0
    if (name === 'TR') {
      inRow = Math.max(0, inRow + (entering ? 1 : -1))
      cellsInRow = 0
    }
    if (name === 'UL' || name === 'OL') {
      if (entering) lists.push({ ordered: name === 'OL', count: 0 })
      else lists.pop()
      mark = ''
    }
    if (name === 'LI') {
      const list = lists.at(-1)
      if (entering) {
        if (list !== undefined) list.count += 1
        mark = list?.ordered === true ? `${list.count}. ` : '- '
      } else mark = ''
    }
  }
  yield* close()
}

function* sectionsOf(paragraphs: Iterable<Paragraph>): Generator<ReadSection> {
  const path: { level: number; text: string }[] = []
  let text = ''
  let starts: number[] = []
  let found: Block[] = []
  let first = 1
  let number = 0

  function* flush(): Generator<ReadSection> {
    if (text !== '') {
      const heading = path.map((part) => part.text)
      const place = { kind: 'section' as const, heading, from: first, to: number }
      yield { text, place, heading, blocks: found, positions: { kind: 'paragraphs', first, starts } }
    }
    text = ''
    starts = []
    found = []
    first = number + 1
  }
  for (const paragraph of paragraphs) {
    if (paragraph.kind === 'heading') {
      yield* flush()
      while (path.length > 0 && path.at(-1)!.level >= paragraph.level) path.pop()
      path.push({ level: paragraph.level, text: shortHeading(paragraph.text) })
    } else if (text.length > sectionCharacters) yield* flush()
    number += 1
    const near = paragraph.kind === 'row' || paragraph.kind === 'item'
    if (text !== '') text += near && found.at(-1)?.kind === paragraph.kind ? '\n' : '\n\n'
    starts.push(text.length)
    found.push({ kind: paragraph.kind, start: text.length, end: text.length + paragraph.text.length })
    text += paragraph.text
  }
  yield* flush()
}

function textLength(root: Node): number {
  let length = 0
  for (const { node, entering } of walk(root)) if (entering && node.nodeType === 3) length += (node.nodeValue ?? '').trim().length
  return length
}

export async function* readHtml(file: OpenFile): Sections {
  const decoded = decode(() => file.chunks(), declaredEncoding(file.first(2048)))
  let source = ''
  for (const part of decoded.parts) source += part
  const { parseHTML } = await import('linkedom')
  const { document } = parseHTML(/<html[\s>]/i.test(source) ? source : `<!doctype html><html><body>${source}</body></html>`)
  const body = (document.querySelector('body') ?? document.documentElement) as unknown as Node | null
  const title = shortHeading(document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent ?? '') || null
  if (body !== null) {
    const main = document.querySelector('main, [role=main]') as unknown as Node | null
    // The part that calls itself the content is taken when it is most of what there is to read.
    const root = main !== null && textLength(main) * 2 > textLength(body) ? main : body
    yield* sectionsOf(paragraphsOf(root))
  }
  return decoded.guessed
    ? { status: 'partial', reason: { code: 'encoding-guessed', message: guessedMessage }, title, pages: null }
    : { status: 'ready', reason: null, title, pages: null }
}

export const guessedMessage = 'The encoding of this text is a guess; some characters may be wrong.'
