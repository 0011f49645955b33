import type { ErrorReason } from '../contract/error-reasons.ts'
import { problemText } from '../contract/errors.ts'
import { splitInner } from '../contract/inner-path.ts'
import { timeText, type Place } from '../contract/place.ts'
import { localeOf, type Words } from './words.ts'

/** Results and nothing else go to stdout; everything said along the way goes to stderr. */
export function result(text: string): void {
  process.stdout.write(`${plain(text)}\n`)
}

export function jsonResult(value: unknown): void {
  jsonText(JSON.stringify(value))
}

/** A JSON document as it is: what a terminal would obey is written as an escape, which means the same. */
export function jsonText(json: string): void {
  const escaped = json.replace(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  process.stdout.write(`${escaped}\n`)
}

export function say(text: string): void {
  process.stderr.write(`${plain(text)}\n`)
}

/** What went wrong, and what to do about it: in the terminal's language where the error's reason has words. */
export function sayProblem(problem: { message: string; hint?: string | undefined; reason?: ErrorReason | undefined }): void {
  const { message, hint } = problemText(problem, localeOf(process.env)) ?? problem
  say(`siku: ${message}`)
  if (hint !== undefined) say(`      ${hint}`)
}

const countFormat = new Intl.NumberFormat('en-US')
export function count(value: number): string {
  return countFormat.format(value)
}

export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)
}

export function clock(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1000))
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** A time to the minute, in this machine's zone. */
export function moment(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16).replace('T', ' ')
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let [amount, unit] = [value / 1000, 0]
  while (amount >= 1000 && unit < units.length - 1) [amount, unit] = [amount / 1000, unit + 1]
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${units[unit]}`
}

export function placeText(place: Place, words: Words): string {
  return oneLine(placeWords(place, words))
}

/** A path; of a document that lies in another, its name and the path of that one. */
export function pathText(path: string, words: Words): string {
  const inner = splitInner(path)
  return inner === null ? oneLine(path) : words.within(oneLine(inner.name), pathText(inner.around, words))
}

function placeWords(place: Place, words: Words): string {
  switch (place.kind) {
    case 'page':
      return words.page(place.toPage === undefined || place.toPage === place.page ? String(place.page) : `${place.page}–${place.toPage}`)
    case 'lines':
      return words.lines(String(place.from), String(place.to))
    case 'section':
      return [...place.heading, words.paragraph(String(place.from), String(place.to))].join(' › ')
    case 'sheet':
      return words.rows(place.sheet, String(place.from), String(place.to))
    case 'slide':
      return words.slide(String(place.slide))
    case 'chapter':
      return place.chapter
    case 'message':
      return place.message
    case 'time':
      return place.from === place.to ? timeText(place.from) : `${timeText(place.from)}–${timeText(place.to)}`
  }
}

/** Columns of a terminal that a text takes: Chinese, Japanese and Korean characters take two. */
export function width(text: string): number {
  let columns = 0
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u.test(
      character,
    )
      ? 2
      : 1
  return columns
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}

export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let [kept, used] = ['', 0]
  for (const character of text) {
    used += width(character)
    if (used > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

/** A cell is one line: what would break it is shown as an escape. */
export function table(texts: string[][]): string {
  const rows = texts.map((row) => row.map(oneLine))
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, width(cell))))
  return rows
    .map((row) => row.map((cell, index) => (index === row.length - 1 ? cell : pad(cell, widths[index] ?? 0))).join('  '))
    .join('\n')
}

/** What a terminal obeys: control characters (but tab and line feed), and the signs that turn the direction of text. */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** What a document, a model or a server says may hold such signs; they never reach the terminal. */
export function plain(text: string): string {
  return text.replace(obeyed, '')
}

/** A name or a path in a line: what would break the line, or be obeyed, is shown as an escape. */
export function oneLine(text: string): string {
  return text.replace(breaking, (sign) => named[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const breaking = new RegExp(`[\\t\\n]|${obeyed.source}`, 'g')
const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function quote(text: string, columns = 160): string {
  return fit(plain(text).replace(/\s+/g, ' ').trim(), columns)
}
