/** A stretch of one line, from inclusive, to exclusive. */
export interface LineRange {
  line: number
  from: number
  to: number
}

export interface Letters {
  letters: string
  at: { line: number; offset: number; length: number }[]
}
export type Spell = (character: string) => string

function exactly(character: string): string {
  return character.normalize('NFKC').replace(/[\s\u00ad\u200b]/g, '')
}

/** Only letters and digits, without accents: a hyphen at the end of a line, quotes and the signs of Markdown fall away. */
export function loosely(character: string): string {
  return character
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/** Below this many letters a loose likeness may be chance. */
const leastLoose = 8

const known = new WeakMap<readonly string[], { spell: Spell; letters: Letters }>()

/** Spelled once for the same array, as a search asks for the same text at every letter that is typed. */
export function lettersOf(lines: string[], spell: Spell): Letters {
  const before = known.get(lines)
  if (before?.spell === spell) return before.letters
  const letters = spelled(lines, spell)
  known.set(lines, { spell, letters })
  return letters
}

function spelled(lines: string[], spell: Spell): Letters {
  const parts: string[] = []
  const at: Letters['at'] = []
  lines.forEach((text, line) => {
    let offset = 0
    for (const character of text) {
      const plain = spell(character)
      parts.push(plain)
      for (let each = 0; each < plain.length; each += 1) at.push({ line, offset, length: character.length })
      offset += character.length
    }
  })
  return { letters: parts.join(''), at }
}

function find(lines: string[], quote: string, spell: Spell, least: number): LineRange[] {
  const wanted = lettersOf([quote.normalize('NFKC')], spell).letters
  if (wanted.length < least) return []
  const text = lettersOf(lines, spell)
  return rangesOf(lines, text, text.letters.indexOf(wanted), wanted.length)
}

/** The stretches of the lines that `length` letters from `found` on take; empty when they are not there. */
export function rangesOf(lines: string[], { at }: Letters, found: number, length: number): LineRange[] {
  const first = at[found]
  const last = at[found + length - 1]
  if (found < 0 || first === undefined || last === undefined) return []
  const ranges: LineRange[] = []
  for (let line = first.line; line <= last.line; line += 1) {
    const from = line === first.line ? first.offset : 0
    const to = line === last.line ? last.offset + last.length : (lines[line]?.length ?? 0)
    if (to > from) ranges.push({ line, from, to })
  }
  return ranges
}

/** Where a quote stands in some lines, whatever the line breaks, hyphens, spaces and ligatures of its words; empty when it is not there. */
export function quoteRanges(lines: string[], quote: string): LineRange[] {
  const exact = find(lines, quote, exactly, 1)
  return exact.length > 0 ? exact : find(lines, quote, loosely, leastLoose)
}
