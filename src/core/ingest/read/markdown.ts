import type { BlockKind, ReadSection, Sections } from './reading.ts'
import { shortHeading } from './reading.ts'
import { LineSection } from './section-builder.ts'
import type { Line } from './lines.ts'

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const setext = /^ {0,3}(=+|-{2,})[ \t]*$/
const fence = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/
const row = /^[ \t]*\|.*\|[ \t]*$/
/** Front matter may be this many lines long. */
const frontLines = 200

/** Longer lines are prose: the patterns above take the square of a line's length on some. */
const longestMarked = 2000

function matchIn(pattern: RegExp, text: string): RegExpExecArray | null {
  return text.length > longestMarked ? null : pattern.exec(text)
}

/** What a heading says, without its marks. */
function plainHeading(text: string): string {
  return shortHeading(
    text
      .slice(0, longestMarked)
      .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
      .replace(/<[^>]+>/g, '')
      .replace(/\s*\{#[^}]*\}\s*$/, '')
      .replace(/(\*\*|__|\*|`+|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
      .replace(/\\([\\`*_{}[\]()#+\-.!])/g, '$1'),
  )
}

function* withoutFront(lines: Iterator<Line>, take: (line: Line) => void): Generator<Line> {
  const held: Line[] = []
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    held.push(next.value)
    const { text } = next.value
    if (held.length === 1 && text.trimEnd() !== '---') break
    if (held.length > 1 && /^(---|\.\.\.)\s*$/.test(text)) {
      for (const line of held) take(line)
      held.length = 0
      break
    }
    if (held.length >= frontLines) break
  }
  yield* held
  for (let next = lines.next(); next.done !== true; next = lines.next()) yield next.value
}

/** Sections follow the headings; the path of the headings above goes along. Fences are not looked into. */
export async function* readMarkdown(lines: Iterable<Line>): Sections {
  const open = new LineSection()
  const path: { level: number; text: string }[] = []
  let fenceMark: string | null = null
  let title: string | null = null

  const heading = (): string[] => path.map((part) => part.text).filter((text) => text !== '')
  function* flush(): Generator<ReadSection> {
    const section = open.take(heading())
    if (section !== null) yield section
  }
  function enter(level: number, text: string): void {
    while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
    path.push({ level, text: plainHeading(text) })
    title ??= level === 1 ? plainHeading(text) || null : null
  }

  const front = (line: Line): void => {
    open.add({ ...line, block: 'fence', begins: false })
    const named = matchIn(/^title\s*:\s*["']?(.+?)["']?\s*$/, line.text)
    if (named !== null) title ??= shortHeading(named[1]!)
  }
  for (const line of withoutFront(lines[Symbol.iterator](), front)) {
    const { text } = line
    const before = open.last
    if (fenceMark !== null) {
      if (open.isFull(false)) yield* flush()
      open.add({ ...line, block: 'fence', begins: false })
      const close = matchIn(/^[ \t]*(`{3,}|~{3,})[ \t]*$/, text)
      if (close !== null && close[1]![0] === fenceMark[0] && close[1]!.length >= fenceMark.length) fenceMark = null
      continue
    }
    const opening = matchIn(fence, text)
    if (opening !== null) {
      fenceMark = opening[1]!
      open.add({ ...line, block: 'fence', begins: true })
      continue
    }
    if (text.trim() === '') {
      open.add({ ...line, block: null, begins: false })
      if (open.isFull(true)) yield* flush()
      continue
    }
    const hashes = matchIn(atx, text)
    if (hashes !== null) {
      yield* flush()
      enter(hashes[1]!.length, hashes[2] ?? '')
      open.add({ ...line, block: 'heading', begins: true })
      continue
    }
    const underline = before?.block === 'paragraph' ? matchIn(setext, text) : null
    if (underline !== null) {
      const words = open.takeParagraph()
      yield* flush()
      enter(underline[1]![0] === '=' ? 1 : 2, words.map((part) => part.text.trim()).join(' '))
      for (const part of words) open.add({ ...part, block: 'heading', begins: false })
      open.add({ ...line, block: 'heading', begins: false })
      continue
    }
    if (open.isFull(false)) yield* flush()
    const kind: BlockKind = matchIn(row, text) !== null ? 'row' : item.test(text) ? 'item' : before?.block === 'item' ? 'item' : 'paragraph'
    open.add({ ...line, block: kind, begins: kind === 'item' ? item.test(text) : before?.block !== kind })
  }
  yield* flush()
  return { status: 'ready', reason: null, title, pages: null }
}
