import type { Pdfium } from './pdfium.ts'
import type { TextItem, TextStyle } from './pdf-segments.ts'
import { isEastAsian } from './pdf-text.ts'
import type { Rectangle } from './pdfium-look.ts'

/** A page as either engine gives it: its runs of text, and how the page's points become points of the shown page. */
export interface PageItems {
  items: TextItem[]
  styles: Record<string, TextStyle>
  /** Of the page as it is shown, turned as it says, origin at the top left. */
  viewport: number[]
  width: number
  height: number
}

/** No page that people read has as many. */
const mostCharacters = 1_000_000
const styles: Readonly<Record<string, TextStyle>> = {
  across: { ascent: 0.9, descent: -0.2, vertical: false },
  down: { ascent: 0.9, descent: -0.2, vertical: true },
}

interface Character {
  text: string
  object: number
  x: number
  y: number
  left: number
  top: number
  right: number
  bottom: number
  /** The text's matrix without its place, times the font's size. */
  matrix: [number, number, number, number]
  /** Of a ligature's further letters: where the whole sign stands. */
  sign?: { x: number; y: number }
}

export interface PdfiumItems extends PageItems {
  /** Some text is without Unicode values, or in fonts that are not in the file and not of the usual Latin ones: it may be lost or wrong. */
  unsure: boolean
  /** Most of it is without Unicode values: whoever gives some has guessed. */
  unknown: boolean
  /** Characters of hidden pieces. */
  leftOut: number
  /** Where signs of fonts without a name stand that have no Unicode value: each is a drawing, whose code is no letter. */
  drawn: Rectangle[]
  /** The pieces of text that gave characters. */
  objects: ReadonlySet<number>
}

/** The text of an open page but for the `hidden` pieces of it. What has no Unicode value is a replacement character. */
export function pdfiumItems(pdfium: Pdfium, page: number, hidden: ReadonlySet<number> = new Set()): PdfiumItems {
  const { raw } = pdfium
  const text = raw._FPDFText_LoadPage(page)
  const count = Math.min(raw._FPDFText_CountChars(text), mostCharacters)
  const items: TextItem[] = []
  let run: Character[] = []
  let object: TextObject | null = null
  const objects = new Set<number>()
  let unknown = 0
  let foreign = false
  let leftOut = 0
  const drawn: Rectangle[] = []
  for (let index = 0; index < count; index++) {
    if (raw._FPDFText_IsGenerated(text, index) === 1) continue
    const handle = raw._FPDFText_GetTextObject(text, index)
    if (object?.handle !== handle) {
      object = objectAt(pdfium, text, index, handle)
      objects.add(handle)
    }
    const found = characterAt(pdfium, text, index, object)
    if (found === null) continue
    if (hidden.has(handle)) {
      if (found.text.trim() !== '') leftOut += 1
      continue
    }
    if (isDrawnAgain(run, found)) continue
    const character = besideInLigature(run.at(-1), found)
    if (character.text === '\ufffd') {
      unknown += 1
      if (!object.named) drawn.push(character)
    }
    if (!object.embedded && character.text > '\u024f' && character.text !== '\ufffd') foreign = true
    if (run.length > 0 && !goesOn(run, character)) {
      items.push(itemOf(run))
      run = []
    }
    run.push(character)
  }
  if (run.length > 0) items.push(itemOf(run))
  raw._FPDFText_ClosePage(text)
  // A circle or a rule from a font of signs is no loss.
  const unsure = foreign || unknown > Math.max(2, count * 0.01)
  return { items, styles, unsure, unknown: unknown > count * 0.5, leftOut, drawn, objects, ...viewportOf(pdfium, page) }
}

/** Characters of one object share all but their places. */
interface TextObject {
  handle: number
  matrix: Character['matrix']
  embedded: boolean
  /** Its font has a name; those made of drawings have none. */
  named: boolean
}

function objectAt(pdfium: Pdfium, text: number, index: number, handle: number): TextObject {
  const { raw, scratch } = pdfium
  raw._FPDFText_GetMatrix(text, index, scratch)
  const size = raw._FPDFText_GetFontSize(text, index) || 1
  const matrix: Character['matrix'] = [pdfium.float(0) * size, pdfium.float(1) * size, pdfium.float(2) * size, pdfium.float(3) * size]
  const font = handle === 0 ? 0 : raw._FPDFTextObj_GetFont(handle)
  const named = font === 0 || raw._FPDFFont_GetBaseFontName(font, 0, 0) > 1
  return { handle, matrix, embedded: font === 0 || raw._FPDFFont_GetIsEmbedded(font) === 1, named }
}

function characterAt(pdfium: Pdfium, text: number, index: number, object: TextObject): Character | null {
  const { raw, scratch } = pdfium
  let code = raw._FPDFText_GetUnicode(text, index)
  if (code >= 0xdc00 && code <= 0xdfff) return null
  if (code >= 0xd800 && code <= 0xdbff)
    code = 0x10000 + ((code - 0xd800) << 10) + ((raw._FPDFText_GetUnicode(text, index + 1) - 0xdc00) & 0x3ff)
  // Its mark for a hyphen at the end of a line.
  if (code === 2) code = 0x2d
  if (code === 0 || code > 0x10ffff || raw._FPDFText_HasUnicodeMapError(text, index) === 1) code = 0xfffd
  if (raw._FPDFText_GetCharOrigin(text, index, scratch, scratch + 8) === 0) return null
  const x = pdfium.double(0)
  const y = pdfium.double(1)
  if (raw._FPDFText_GetLooseCharBox(text, index, scratch) === 0) return null
  const [left, top, right, bottom] = [pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3)]
  return { text: String.fromCodePoint(code), object: object.handle, x, y, left, top, right, bottom, matrix: object.matrix }
}

const letter = /^[A-Za-z]$/

/** In sizes. The letters that signs are made of are narrower, the signs are wider. */
const widestLetter = 0.45

/**
 * The letters of a ligature are all told to stand where their one sign stands, each as wide as the letter alone or as the sign:
 * the narrow ones are set side by side, so that the sign ends where the next one begins.
 */
function besideInLigature(before: Character | undefined, character: Character): Character {
  const [a, b] = character.matrix
  const length = Math.hypot(a, b)
  if (before?.object !== character.object || length === 0 || !letter.test(before.text) || !letter.test(character.text)) return character
  const { x, y } = before.sign ?? before
  if (character.x !== x || character.y !== y) return character
  const width = endOf(before, before)
  const isAsWide = Math.abs(width - endOf(character, character)) < 0.01 * length
  if (isAsWide && (before.text !== character.text || width > length * widestLetter)) return { ...character, sign: { x, y } }
  const [dx, dy] = [before.x - x + (width * a) / length, before.y - y + (width * b) / length]
  return {
    ...character,
    sign: { x, y },
    x: character.x + dx,
    y: character.y + dy,
    left: character.left + dx,
    right: character.right + dx,
    top: character.top + dy,
    bottom: character.bottom + dy,
  }
}

function sizeOf({ matrix: [a, b, c, d] }: Character): number {
  return Math.hypot(c, d) || Math.hypot(a, b) || 1
}

/** How far the point lies along the line that the text runs on, and beside it. */
function along(from: Character, x: number, y: number): { ahead: number; beside: number } {
  const [a, b] = from.matrix
  const length = Math.hypot(a, b) || 1
  const [dx, dy] = [x - from.x, y - from.y]
  return { ahead: (dx * a + dy * b) / length, beside: (dy * a - dx * b) / length }
}

function endOf(from: Character, last: Character): number {
  const [a, b] = from.matrix
  // The corner that is furthest in the direction of the text.
  return along(
    from,
    a > 0 || (a === 0 && b === 0) ? last.right : a < 0 ? last.left : from.x,
    b > 0 ? last.top : b < 0 ? last.bottom : from.y,
  ).ahead
}

function isBelow(before: Character, next: Character): boolean {
  const size = sizeOf(before)
  const { ahead, beside } = along(before, next.x, next.y)
  const middle = Math.abs(before.left + before.right - next.left - next.right) / 2
  if (before.object === next.object)
    return beside < -size * 0.5 && beside > -size * 2.2 && (Math.abs(ahead) < size * 0.3 || middle < size * 0.3)
  // Some programs draw a column sign by sign. Lines of text stand further apart.
  return isEastAsian(before.text) && isEastAsian(next.text) && beside < -size * 0.5 && beside > -size * 1.15 && Math.abs(ahead) < size * 0.3
}

/** The same sign drawn once more, nearly where it is: bold that is made so, or a shadow. */
function isDrawnAgain(run: readonly Character[], next: Character): boolean {
  return run.slice(-2).some((before) => {
    if (before.text !== next.text || before.object === next.object) return false
    const { ahead, beside } = along(before, next.x, next.y)
    return Math.hypot(ahead, beside) < sizeOf(before) * 0.15
  })
}

function runsDown(run: readonly Character[]): boolean {
  return run.length > 1 && isBelow(run[0]!, run[1]!)
}

const leftward = /[\u0590-\u08ff]/

function goesOn(run: readonly Character[], next: Character): boolean {
  const before = run.at(-1)!
  if (before.matrix !== next.matrix && before.matrix.some((value, index) => Math.abs(value - next.matrix[index]!) > 0.01 * sizeOf(before)))
    return false
  if (next.sign !== undefined) return true
  if (runsDown(run)) return isBelow(before, next)
  if (run.length === 1 && isBelow(before, next)) return true
  const size = sizeOf(before)
  const { ahead, beside } = along(before, next.x, next.y)
  if (Math.abs(beside) > size * 0.2) return false
  if (leftward.test(next.text)) return before.object === next.object && leftward.test(before.text)
  const gap = ahead - endOf(before, before)
  return gap > -size * 0.5 && gap < size * 0.12
}

function itemOf(run: readonly Character[]): TextItem {
  const first = run[0]!
  const last = run.at(-1)!
  const str = run.map((character) => character.text).join('')
  if (runsDown(run)) {
    const height = first.top - last.bottom
    const transform = [...first.matrix, (first.left + first.right) / 2, first.top]
    return { str, dir: 'ttb', width: 0, height, transform, fontName: 'down' }
  }
  if (leftward.test(str)) {
    const start = run.reduce((most, character) => (along(most, character.x, character.y).ahead < 0 ? character : most))
    const width = Math.max(...run.map((character) => endOf(start, character)))
    return { str, dir: 'rtl', width, height: sizeOf(first), transform: [...first.matrix, start.x, start.y], fontName: 'across' }
  }
  return {
    str,
    dir: 'ltr',
    width: endOf(first, last),
    height: sizeOf(first),
    transform: [...first.matrix, first.x, first.y],
    fontName: 'across',
  }
}

export function viewportOf(pdfium: Pdfium, page: number): { viewport: number[]; width: number; height: number } {
  const { raw, scratch } = pdfium
  raw._FPDF_GetPageBoundingBox(page, scratch)
  const [left, top, right, bottom] = [pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3)]
  const [across, down] = [right - left || 1, top - bottom || 1]
  switch (raw._FPDFPage_GetRotation(page)) {
    case 1:
      return { viewport: [0, 1, 1, 0, -bottom, -left], width: down, height: across }
    case 2:
      return { viewport: [-1, 0, 0, 1, right, -bottom], width: across, height: down }
    case 3:
      return { viewport: [0, -1, -1, 0, top, right], width: down, height: across }
    default:
      return { viewport: [1, 0, 0, -1, -left, top], width: across, height: down }
  }
}
