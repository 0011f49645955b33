import { median } from './pdf-columns.ts'
import type { Segment, TurnedSegments } from './pdf-segments.ts'

/** Pages on either side that a page is compared with. */
export const runningReach = 4
/** At the top and at the bottom, of the page's height. */
const edgeShare = 0.13
/** The outermost line of a page with wide margins. */
const outermostShare = 0.2
const mostAtEdge = 8
/** What comes after so many characters tells no more. */
const longestLine = 200
const heightTolerance = 0.012
/** So many pages must show a line at one height, whatever its numbers. */
const leastPages = 3

/** Between a label and its value, in sizes. */
const widestLabelGap = 6
/** In a shorter document a bare number beside words may as well be that of an invoice or a pupil. */
const leastPagesOfMixed = 5

/** What a number may be: that of the page, by the words beside it or as it stands alone; perhaps that of the page; content. */
type NumberKind = 'page' | 'mixed' | 'content'

interface EdgeLine {
  /** The text with its numbers left out. */
  pattern: string
  numbers: { text: string; kind: NumberKind }[]
  /** The baseline, of the page's height from the top. */
  at: number
}

export interface PageEdges {
  page: number
  lines: EdgeLine[]
}

const number = /\d+|[〇零一二三四五六七八九十百]+(?=\s*页)|(?<=^|[-–—\s])[ivxlc]+(?=$|[-–—\s])/g

function edgeLine(segment: Segment, height: number): EdgeLine {
  const text = segment.text.slice(0, longestLine).normalize('NFKC').trim()
  const numbers = [...text.matchAll(number)].map((match) => ({ text: match[0], kind: kindOf(text, match.index, match[0]) }))
  return { pattern: text.replace(number, '#').replace(/\s+/g, ''), numbers, at: segment.y / height }
}

const pageBefore = /(?:\b(?:page|pag|pg|pp?|seite|стр)\.?|页码|頁碼|^)[\s:：]*[-–—·•|([]*\s*$/iu
const pageBehind = /^\s*[-–—·•|)\]]*\s*(?:$|\/|(?:of|von|sur)\s*\d)/iu
const chineseBefore = /第\s*$/u
const chineseBehind = /^\s*[页頁ペ]/u
const apartBefore = /(?:^|[\s|·•])$/u
const apartBehind = /^(?:$|[\s|·•])/u

function kindOf(text: string, at: number, value: string): NumberKind {
  const [before, behind] = [text.slice(0, at), text.slice(at + value.length)]
  const isChinese = chineseBehind.test(behind)
  if (isChinese || (pageBefore.test(before) && pageBehind.test(behind))) return 'page'
  if (/^0\d/.test(value) || chineseBefore.test(before)) return 'content'
  if (/\b(?:page|pag|pg|seite)\.?\s*$/iu.test(before)) return 'page'
  const atEnd = (behind === '' && apartBefore.test(before)) || (before === '' && apartBehind.test(behind))
  return atEnd && !/(?:\bno|№|#)\.?\s*$/iu.test(before) ? 'mixed' : 'content'
}

function edgeSegments(groups: readonly TurnedSegments[], height: number): Segment[] {
  const segments = groups.find((group) => group.turn === 'right')?.segments ?? []
  const sorted = [...segments].sort((a, b) => a.y - b.y)
  const [first, last] = [sorted[0]?.y ?? 0, sorted.at(-1)?.y ?? 0]
  const isTop = ({ y }: Segment): boolean => y < height * edgeShare || (y === first && y < height * outermostShare)
  const isBottom = ({ y }: Segment): boolean => y > height * (1 - edgeShare) || (y === last && y > height * (1 - outermostShare))
  const top = sorted.slice(0, mostAtEdge).filter(isTop)
  const bottom = sorted.slice(-mostAtEdge).filter(isBottom)
  return [...top, ...bottom.filter((segment) => !top.includes(segment))]
}

export function edgesOf(page: number, groups: readonly TurnedSegments[], height: number): PageEdges {
  return { page, lines: edgeSegments(groups, height).map((segment) => edgeLine(segment, height)) }
}

/**
 * The page without its running heads, feet and numbers: lines near its edge that stand at the same height on at least three
 * pages of those near it, and whose numbers are the same there, but for that of the page, which counts with the pages. A row of
 * a table at the foot of three pages has other numbers and stays, so does what counts and is no number of a page, as on
 * receipts and certificates, and what is set larger than the text.
 */
export function withoutRunning(
  page: number,
  groups: readonly TurnedSegments[],
  height: number,
  near: readonly PageEdges[],
  bodySize: number,
): TurnedSegments[] {
  const edge = edgeSegments(groups, height)
  const running = new Set(edge.filter((segment) => segment.size <= bodySize * 1.18 && isRunning(page, edgeLine(segment, height), near)))
  for (const label of running) {
    if (edge.some((value) => !running.has(value) && isLabelOf(label, value))) running.delete(label)
  }
  if (running.size === 0) return [...groups]
  const kept = groups
    .map((group) => ({ ...group, segments: group.segments.filter((segment) => !running.has(segment)) }))
    .filter((group) => group.segments.length > 0)
  // Where nothing else stands, it is what the page says.
  return kept.length === 0 ? [...groups] : kept
}

/** What is the same on each page, right before what is not, names that. */
function isLabelOf(label: Segment, value: Segment): boolean {
  const gap = value.x0 - label.x1
  return Math.abs(label.y - value.y) < label.size * 0.3 && gap > -label.size && gap < label.size * widestLabelGap
}

function isRunning(page: number, line: EdgeLine, near: readonly PageEdges[]): boolean {
  if (line.pattern === '') return false
  let pages = 1
  for (const other of near) {
    if (other.page === page) continue
    if (other.lines.some((candidate) => isSame(line, candidate, other.page - page, near.length))) pages += 1
  }
  return pages >= leastPages
}

function isSame(line: EdgeLine, other: EdgeLine, pagesApart: number, pagesNear: number): boolean {
  if (line.pattern !== other.pattern || Math.abs(line.at - other.at) > heightTolerance) return false
  let counting = 0
  return line.numbers.every(({ text: value, kind }, index) => {
    const there = other.numbers[index]?.text ?? ''
    // A number alone that never changes is a value.
    if (value === there) return line.pattern.replaceAll('#', '') !== ''
    counting += 1
    const isPage = kind === 'page' || (kind === 'mixed' && pagesNear >= leastPagesOfMixed)
    return isPage && counting === 1 && counts(value, there, pagesApart)
  })
}

const roman: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }
const chinese = '零一二三四五六七八九'

function counts(value: string, there: string, pagesApart: number): boolean {
  const [from, to] = [valueOf(value), valueOf(there)]
  return from !== null && to !== null && to - from === pagesApart
}

function valueOf(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text)
  if (/^[ivxlc]+$/.test(text)) {
    const digits = [...text].map((digit) => roman[digit]!)
    return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
  }
  const parts = /^(?:(.)?百)?零?(?:(.)?十)?(.)?$/u.exec(text.replaceAll('〇', '零'))
  if (parts === null) return null
  const [, hundreds, tens, ones] = parts
  const digit = (character: string | undefined): number => (character === undefined ? 0 : chinese.indexOf(character))
  const place = (character: string | undefined, unit: string, worth: number): number =>
    text.includes(unit) ? (character === undefined ? 1 : digit(character)) * worth : 0
  return place(hundreds, '百', 100) + place(tens, '十', 10) + Math.max(0, digit(ones))
}

/** The size that most of a page's characters have. */
export function bodySizeOf(groups: readonly TurnedSegments[]): number {
  const sizes: number[] = []
  for (const { segments } of groups)
    for (const { text, size } of segments) for (let left = text.length; left > 0; left -= 20) sizes.push(size)
  return median(sizes)
}
