import type { VisualLine } from './pdf-paragraphs.ts'
import { endsSentence, firstCharacter, isEastAsian, needsBlank } from './pdf-text.ts'

export interface Column {
  left: number
  width: number
  /** Most of its lines are long: it holds running text, and its width is what there is room for. */
  running: boolean
}

/** The last line of a column, as far as its text may go on elsewhere. */
export interface Closing extends Column {
  line: VisualLine
}

/** Of a column's width: a line that reaches so far is full, one that does not reach so far is none. */
const surelyFull = 0.82
const leastFull = 0.5
const leastRunning = 5

export function columnOf(lines: readonly VisualLine[]): Column {
  const left = Math.min(...lines.map((line) => line.x0))
  const width = Math.max(...lines.map((line) => line.x1)) - left
  const long = lines.filter((line) => line.x1 > left + width * 0.7).length
  return { left, width, running: lines.length >= leastRunning && long > lines.length * 0.6 }
}

/** The text goes on in the next line only because the line was full: it reaches the edge, the next word would not have fitted, or begins small in the middle of a sentence. */
export function isFull(line: VisualLine, next: VisualLine, { left, width, running }: Column): boolean {
  if (line.x1 > left + width * surelyFull) return true
  if (!running || line.x1 < left + width * leastFull) return false
  return (/^\p{Ll}/u.test(next.text) && !endsSentence(line.text)) || line.x1 + line.size * 0.2 + firstWordWidth(next) > left + width
}

function firstWordWidth({ segments }: VisualLine): number {
  const [{ text, x0, x1, size }] = segments as [VisualLine['segments'][number]]
  const first = firstCharacter(text)
  if (isEastAsian(first)) return size
  let length = 0
  for (const character of text) {
    if (/\s/.test(character) || isEastAsian(character)) break
    length += character.length
  }
  return ((x1 - x0) * length) / text.length
}

/** What is set between the parts of a text: it interrupts a sentence, and is none of it. */
const caption = /^(?:fig(?:ure)?|table|图|表|圖|附表|附图)\.?\s*[\d一二三四五六七八九十]/i
/** Behind these a date, a number or a path may be broken, without a blank. */
const breakable = /[\p{L}\p{N}][-\u2010/]$|\p{N}[\u2011\u2012\u2013]$/u
const broken = /\p{L}[-\u2010\u00ad]$/u

/** Whether a text that ends a column or page in the middle of a sentence goes on in the first line of the next one. */
export function runsOn(closing: Closing, opening: VisualLine): boolean {
  const { line } = closing
  if (Math.abs(line.size - opening.size) > line.size * 0.08 || caption.test(opening.text)) return false
  if (broken.test(line.text)) return /^\p{Ll}/u.test(opening.text)
  return !endsSentence(line.text) && isFull(line, opening, closing)
}

/**
 * How a text goes on: the characters at its end that are only the hyphen of a broken word, and what stands between the two;
 * by the scripts on both sides a blank or nothing. `words` are those that stand whole on the page: those with hyphens in lower
 * case, whose hyphen stays, and those with capitals inside.
 */
export function jointOf(before: string, next: string, words: ReadonlySet<string>): { cut: 0 | 1; joint: '' | ' ' } {
  const [, stem, hyphen] = /(\p{L}[\p{L}\p{N}-]*)([-\u2010\u00ad])$/u.exec(before.slice(-60)) ?? []
  const word = /^\p{L}+/u.exec(next)?.[0]
  if (stem !== undefined && word !== undefined && !isEastAsian(firstCharacter(word)))
    return { cut: breaksWord(stem, hyphen!, word, words) ? 1 : 0, joint: '' }
  return { cut: 0, joint: breakable.test(before.slice(-8)) && /^[\p{L}\p{N}]/u.test(next) ? '' : needsBlank(before, next) ? ' ' : '' }
}

/** Whether the hyphen at the end of the text only breaks a word. */
function breaksWord(stem: string, hyphen: string, next: string, words: ReadonlySet<string>): boolean {
  if (hyphen === '\u00ad') return true
  if (words.has(stem + next)) return true
  return /^\p{Ll}/u.test(next) && !stem.includes('-') && stem.length > 1 && !words.has(`${stem}-${next}`.toLowerCase())
}
