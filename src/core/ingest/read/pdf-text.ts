/** Small questions about characters that the page layout asks. */

/** Written without spaces between words: Han, kana and their full-width punctuation. Hangul is not: Korean has spaces. */
const eastAsian = /[\u2e80-\u312f\u3190-\u319f\u31c0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{323af}“”‘’…—]/u

export function lastCharacter(text: string): string {
  const low = text.charCodeAt(text.length - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(-2) : text.slice(-1)
}

export function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!)
}

export function isEastAsian(character: string): boolean {
  return eastAsian.test(character)
}

/** Quotes, dashes and dots belong to the script that they stand in. */
const neutral = /[“”‘’…—]/

function scriptOf(characters: Iterable<string>): 'wide' | 'letter' | 'other' | null {
  for (const character of characters) {
    if (neutral.test(character) || character === ' ') continue
    return isEastAsian(character) ? 'wide' : /\p{L}/u.test(character) ? 'letter' : 'other'
  }
  return null
}

/** Whether a blank stands where one line goes on in the next: between words that blanks part, and around foreign words. */
export function needsBlank(before: string, next: string): boolean {
  const left = scriptOf([...before.slice(-8)].reverse())
  const right = scriptOf(next.slice(0, 8))
  if (left === null || right === null) return (left ?? right) !== 'wide'
  if (left === 'wide' && right === 'wide') return false
  if (left !== 'wide' && right !== 'wide') return true
  // Numbers stand close to what they count.
  const isEdge = !neutral.test(lastCharacter(before)) && !neutral.test(firstCharacter(next))
  const punctuation = /[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/
  return (
    isEdge && (left === 'letter' || right === 'letter') && !punctuation.test(left === 'wide' ? lastCharacter(before) : firstCharacter(next))
  )
}

export function endsSentence(text: string): boolean {
  return /[.!?。！？；：:…][”』」）》"'’)\]]*\s*$/.test(text)
}

const spacedHan = /(?<=[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]) +(?=[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef])/g
const wide = /[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]/g

/** Spaces between full-width characters that are only wide setting, told by how much room there is for them. */
export function withoutFakeSpaces(text: string, width: number, size: number): string {
  const gaps = text.match(spacedHan)?.length ?? 0
  if (gaps === 0) return text
  const wides = text.match(wide)?.length ?? 0
  const narrow = text.replace(/\s+/g, '').length - wides
  const room = (width - wides * size - narrow * size * 0.5) / gaps
  return gaps >= wides * 0.4 || room < size * 0.6 ? text.replace(spacedHan, '') : text
}

/** Page numbers as people write them: `2, 5-9`. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && page === last[1] + 1) last[1] = page
    else ranges.push([page, page])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}
