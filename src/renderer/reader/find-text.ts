import { lettersOf, rangesOf, type LineRange } from './quote-ranges.ts'

/** Upper and lower case, full and half width are the same; blanks are looked at afterwards. */
function folded(character: string): string {
  return character
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u00ad\u200b]/g, '')
}

function spaced(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A border between two pieces of text may be a blank or nothing: which of both, no piece says. */
function fits(pieces: string[], ranges: LineRange[], wanted: string): boolean {
  const parts = ranges.map(({ line, from, to }) => (pieces[line] ?? '').slice(from, to))
  if (parts.length === 1) return spaced(parts[0] ?? '') === wanted
  const pattern = parts
    .map((part) => spaced(part))
    .filter((part) => part !== '')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(' ?')
  return new RegExp(`^${pattern}$`).test(wanted)
}

/** Every place of some words in pieces of text that follow each other, each as the stretches it takes. They do not overlap. */
export function findText(pieces: string[], words: string, most = 1000): LineRange[][] {
  const wanted = spaced(words)
  const letters = lettersOf([words.normalize('NFKC')], folded).letters
  if (letters === '') return []
  const text = lettersOf(pieces, folded)
  const found: LineRange[][] = []
  for (let at = text.letters.indexOf(letters); at >= 0 && found.length < most;) {
    const ranges = rangesOf(pieces, text, at, letters.length)
    const fit = fits(pieces, ranges, wanted)
    if (fit) found.push(ranges)
    at = text.letters.indexOf(letters, at + (fit ? letters.length : 1))
  }
  return found
}
