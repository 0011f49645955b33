import type { Block, BlockKind } from './read/read.ts'

/** How good a cut after a unit is: after a block, a sentence or line, a clause, or only anywhere. */
export type Border = 'block' | 'sentence' | 'clause' | 'anywhere'

/** A stretch that is kept whole. Units follow each other; between them stands white space or nothing. */
export interface Unit {
  start: number
  end: number
  border: Border
  block: BlockKind
}

const abbreviations = new Set(
  (
    'mr mrs ms dr prof st sr jr vs etc e.g i.e cf al fig figs eq eqs no nos vol ed eds pp ch sec art inc ltd co corp dept approx est jan feb mar apr jun jul aug sep sept oct ' +
    'nov dec mt ft rev gen col capt lt sgt hon ave blvd rd'
  ).split(' '),
)
const sentenceEnd = /[。！？；…．｡]+[”』」）》】"'’)\]]*|[.!?]+["'”’)\]]*(?=\s|$)|\n/g
const clauseEnd = /[，、：,;:)）」』”]\s*|\s[-–—]\s|——/g

function isAbbreviation(text: string, dot: number, from: number): boolean {
  let start = dot
  while (start > from && /[A-Za-z.]/.test(text[start - 1]!)) start -= 1
  const word = text.slice(start, dot)
  if (word === '') return false
  // An initial, as in `J. Smith`, or letters with points, as in `U.S.`
  if (word.length === 1 && word !== 'I' && /[A-Z]/.test(word)) return true
  return abbreviations.has(word.toLowerCase())
}

/** Where sentences end in a stretch: offsets just behind the mark, the last one the stretch's end. */
export function sentenceEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = []
  sentenceEnd.lastIndex = from
  for (let match = sentenceEnd.exec(text); match !== null && match.index < to; match = sentenceEnd.exec(text)) {
    const mark = match[0]
    const end = match.index + mark.length
    if (mark === '\n') {
      // A soft break inside a sentence: only a line that is complete in itself ends one.
      if (!isWholeLine(text, match.index, from, to)) continue
      ends.push(match.index)
      continue
    }
    if (mark[0] === '.' && mark.length === 1) {
      const after = /\S/.exec(text.slice(end, end + 20))?.[0] ?? ''
      if (isAbbreviation(text, match.index, from) && after !== '') continue
      if (/[a-z,;]/.test(after)) continue
    }
    ends.push(Math.min(end, to))
  }
  if (ends.at(-1) !== to) ends.push(to)
  return ends
}

/** A long line without an end mark, or one after which the text goes on like a new entry, stands for itself. */
function isWholeLine(text: string, at: number, from: number, to: number): boolean {
  const before = text.lastIndexOf('\n', at - 1) + 1
  const line = text.slice(Math.max(before, from), at)
  const next = text.slice(at + 1, Math.min(at + 40, to))
  return line.length > 200 || /^\s*(?:[-*+•·]\s|\(?\d{1,3}[.)、]|[（(]?[一二三四五六七八九十]{1,3}[)）、])/.test(next)
}

/** Cuts `[from, to)` at the ends given, leaving white space at their edges out. */
function pushTrimmed(units: Unit[], text: string, from: number, to: number, border: Border, block: BlockKind): void {
  let start = from
  let end = to
  while (start < end && /\s/.test(text[start]!)) start += 1
  while (end > start && /\s/.test(text[end - 1]!)) end -= 1
  if (start < end) units.push({ start, end, border, block })
}

function lineEnds(text: string, from: number, to: number): number[] {
  const ends: number[] = []
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) ends.push(at)
  ends.push(to)
  return ends
}

/** The units of a text; `fits` says whether a fence may stay whole. */
export function unitsOf(text: string, blocks: readonly Block[], fits: (start: number, end: number) => boolean): Unit[] {
  const units: Unit[] = []
  for (const block of blocks) {
    const { start: from, end: to } = block
    const first = units.length
    const whole = block.kind === 'heading' || (block.kind === 'fence' && fits(from, to))
    const lined = block.kind === 'fence' || block.kind === 'code' || block.kind === 'row'
    const ends = whole ? [to] : lined ? lineEnds(text, from, to) : sentenceEnds(text, from, to)
    let start = from
    for (const end of ends) {
      pushTrimmed(units, text, start, end, 'sentence', block.kind)
      start = end
    }
    if (units.length > first) units.at(-1)!.border = 'block'
  }
  return units
}

/** Cuts a unit that is too long at the last line, clause or blank before each limit, else between two characters, never inside one. */
export function cutUnit(text: string, unit: Unit, limitAt: (from: number) => number): Unit[] {
  const cut: Unit[] = []
  let from = unit.start
  while (from < unit.end) {
    const limit = Math.min(limitAt(from), unit.end)
    if (limit >= unit.end) break
    const earliest = from + Math.floor((limit - from) / 2)
    const { at, border } = bestCut(text, from, earliest, limit)
    pushTrimmed(cut, text, from, at, border, unit.block)
    from = at
  }
  pushTrimmed(cut, text, from, unit.end, unit.border, unit.block)
  return cut
}

function bestCut(text: string, from: number, earliest: number, limit: number): { at: number; border: Border } {
  const line = text.lastIndexOf('\n', limit - 1)
  if (line > earliest) return { at: line, border: 'sentence' }
  let clause = -1
  clauseEnd.lastIndex = earliest
  for (let match = clauseEnd.exec(text); match !== null; match = clauseEnd.exec(text)) {
    const end = match.index + match[0].length
    if (end > limit) break
    clause = end
  }
  if (clause > earliest) return { at: clause, border: 'clause' }
  for (let at = limit; at > earliest; at--) if (/\s/.test(text[at - 1]!)) return { at, border: 'anywhere' }
  return { at: characterBorder(text, from, limit), border: 'anywhere' }
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const graphemeWindow = 64

/** The last border between two characters as people see them at or before `limit`, and always behind `from`. */
export function characterBorder(text: string, from: number, limit: number): number {
  const start = wellFormed(text, Math.max(from, limit - graphemeWindow))
  let border = -1
  for (const { index, segment } of graphemes.segment(text.slice(start, limit + graphemeWindow))) {
    const end = start + index + segment.length
    if (end > limit) break
    border = end
  }
  if (border > from) return border
  const plain = wellFormed(text, limit)
  return plain > from ? plain : Math.min(text.length, from + (text.codePointAt(from)! > 0xffff ? 2 : 1))
}

function wellFormed(text: string, at: number): number {
  const low = text.charCodeAt(at)
  const high = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? at - 1 : at
}
