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

interface EdgeLine {
  /** The text with its numbers left out. */
  pattern: string
  numbers: string[]
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
  return { pattern: text.replace(number, '#').replace(/\s+/g, ''), numbers: text.match(number) ?? [], at: segment.y / height }
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
 * pages of those near it, and whose numbers are the same there or count with the pages. A row of a table at the foot of
 * three pages has other numbers and stays, and so does what is set larger than the text.
 */
export function withoutRunning(
  page: number,
  groups: readonly TurnedSegments[],
  height: number,
  near: readonly PageEdges[],
  bodySize: number,
): TurnedSegments[] {
  const running = new Set(
    edgeSegments(groups, height).filter((segment) => segment.size <= bodySize * 1.18 && isRunning(page, edgeLine(segment, height), near)),
  )
  if (running.size === 0) return [...groups]
  const kept = groups
    .map((group) => ({ ...group, segments: group.segments.filter((segment) => !running.has(segment)) }))
    .filter((group) => group.segments.length > 0)
  // Where nothing else stands, it is what the page says.
  return kept.length === 0 ? [...groups] : kept
}

function isRunning(page: number, line: EdgeLine, near: readonly PageEdges[]): boolean {
  if (line.pattern === '') return false
  let pages = 1
  for (const other of near) {
    if (other.page === page) continue
    if (other.lines.some((candidate) => isSame(line, candidate, other.page - page))) pages += 1
  }
  return pages >= leastPages
}

function isSame(line: EdgeLine, other: EdgeLine, pagesApart: number): boolean {
  if (line.pattern !== other.pattern || Math.abs(line.at - other.at) > heightTolerance) return false
  return line.numbers.every((value, index) => {
    const there = other.numbers[index] ?? ''
    // A number alone that never changes is a value.
    if (value === there) return line.pattern.replaceAll('#', '') !== ''
    return counts(value, there, pagesApart)
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
