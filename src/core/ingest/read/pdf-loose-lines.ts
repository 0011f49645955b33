import type { Segment } from './pdf-segments.ts'

/** Blanks of a justified line are stretched alike, up to so many sizes; they differ by at most this part. */
const widestBlank = 4
const blankTolerance = 0.12
/** So many words at least; three cells may stand at equal distances by chance, but hardly so equal ones, and with small letters. */
const leastWords = 4
const threeTolerance = 0.03

/**
 * Words that a justified line holds so far apart that each was taken for a piece of its own, as one piece again. What tells them
 * from cells: their blanks are equal although the words are not, and there is no other blank within them. In the order in which
 * they were drawn.
 */
export function joinLooseLines(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = []
  for (let from = 0; from < segments.length;) {
    let to = from + 1
    while (to < segments.length && goesOn(segments, from, to)) to += 1
    const words = segments.slice(from, to)
    if (isLooseLine(words)) joined.push(lineOf(words))
    else joined.push(...words)
    from = to
  }
  return joined
}

function blankBefore(segments: readonly Segment[], at: number): number {
  return segments[at]!.x0 - segments[at - 1]!.x1
}

function goesOn(segments: readonly Segment[], from: number, at: number): boolean {
  const [first, segment] = [segments[from]!, segments[at]!]
  if (Math.abs(segment.y - first.y) > first.size * 0.1 || Math.abs(segment.size - first.size) > first.size * 0.05) return false
  const [blank, usual] = [blankBefore(segments, at), blankBefore(segments, from + 1)]
  return blank > 0 && blank < first.size * widestBlank && Math.abs(blank - usual) <= usual * blankTolerance
}

function isLooseLine(words: readonly Segment[]): boolean {
  if (words.some(({ text }) => /\s/.test(text))) return false
  if (words.length < leastWords && !(words.length === leastWords - 1 && areSurelyThree(words))) return false
  const widths = words.map(({ x0, x1 }) => x1 - x0)
  const letters = words.filter(({ text }) => /\p{L}/u.test(text)).length
  return Math.max(...widths) - Math.min(...widths) > words[0]!.size && letters > words.length / 2
}

function areSurelyThree(words: readonly Segment[]): boolean {
  const [one, other] = [blankBefore(words, 1), blankBefore(words, 2)]
  return Math.abs(one - other) <= one * threeTolerance && words.slice(1).every(({ text }) => /^\p{Ll}/u.test(text))
}

/** With its blanks as gaps, so that the lines of a table that is drawn over it still part it. */
function lineOf(words: readonly Segment[]): Segment {
  let characters = 0
  const gaps = words.slice(1).map((word, index) => {
    const before = words[index]!
    characters += before.text.length
    return { characters, x0: before.x1, x1: word.x0 }
  })
  return { ...words[0]!, text: words.map(({ text }) => text).join(' '), x1: words.at(-1)!.x1, gaps }
}
