import { lettersOf, loosely, quoteRanges, rangesOf, type Letters, type LineRange } from './quote-ranges.ts'

/** What of a quote may be missing at a page break: a word that is hyphened in another way, a note's sign. */
const leastFound = 0.9
/** A part of fewer letters may stand on a page by chance. */
const leastPart = 2

/** How many of the first letters of `rest` stand together somewhere in a page. */
function longestBeginning(page: Letters, rest: string): number {
  let low = 0
  let high = rest.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (page.letters.includes(rest.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Where a quote stands on pages that follow each other, each given as its pieces of text. A quote that goes over a page break is marked on
 * each of its pages, whatever footers and headings stand between; the answer has one list for each page.
 */
export function quoteOnPages(pages: string[][], quote: string): LineRange[][] {
  const none = pages.map((): LineRange[] => [])
  const whole = pages.findIndex((page) => quoteRanges(page, quote).length > 0)
  if (whole >= 0) return pages.map((page, index) => (index === whole ? quoteRanges(page, quote) : []))
  const wanted = lettersOf([quote.normalize('NFKC')], loosely).letters
  if (pages.length < 2 || wanted.length < 2 * leastPart) return none
  const spelled = pages.map((page) => lettersOf(page, loosely))
  for (let start = 0; start < pages.length - 1; start += 1) {
    const found = none.map((ranges) => [...ranges])
    let rest = wanted
    for (let index = start; index < pages.length && rest !== ''; index += 1) {
      const page = spelled[index]
      if (page === undefined) break
      const length = longestBeginning(page, rest)
      if (length < leastPart && length < rest.length) continue
      // The end of the page is where a broken sentence stands, should it begin more than once.
      const at = index === start ? page.letters.lastIndexOf(rest.slice(0, length)) : page.letters.indexOf(rest.slice(0, length))
      found[index] = rangesOf(pages[index] ?? [], page, at, length)
      rest = rest.slice(length)
    }
    if (rest.length <= wanted.length * (1 - leastFound)) return found
  }
  return none
}
