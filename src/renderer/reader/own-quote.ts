import { wordsOf } from '../parts/mark-words.ts'
import { quoteRanges } from './quote-ranges.ts'

/** Below this likeness another sentence of the source is no better than what was kept as the quote. */
const leastLikeness = 0.25

/** What is said, without the dress of Markdown: markers, list signs, emphasis, the addresses of links. */
function plain(sentence: string): string {
  return sentence
    .replace(/\[\d{1,3}(?:\s*[,，]\s*\d{1,3})*\]/g, '')
    .replace(/^\s*(?:[>#*+-]+\s+|\d{1,3}[.)]\s+)+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .trim()
}

function sentencesOf(text: string): string[] {
  return (text.match(/[^。！？!?\n]+?(?:[。！？!?]+|\.(?=\s|$)|\n+|$)[”’」』"')）]*/g) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared === 0 ? 0 : shared / Math.sqrt(one.size * other.size)
}

/** The stretch of a source that one sentence of the answer rests on, verbatim; null when none is like it. */
export function ownQuote(source: string, sentence: string): string | null {
  const said = plain(sentence)
  if (said === '') return null
  const [whole] = quoteRanges([source], said)
  if (whole !== undefined) return source.slice(whole.from, whole.to)
  const words = wordsOf(said)
  let best: string | null = null
  let most = leastLikeness
  for (const each of sentencesOf(source)) {
    const score = likeness(words, wordsOf(each))
    if (score > most) [best, most] = [each, score]
  }
  return best
}

/** A quote of more than this, in characters or sentences, is a passage rather than what an answer rests on. */
const longestQuote = 240
const mostSentences = 3

/**
 * What of a quote is marked: of a whole passage only the first of the sentences that are most like the question, or have most of
 * its words. One that has none of them stays whole.
 */
export function markedQuote(quote: string, question: string): string {
  const sentences = sentencesOf(quote)
  if (quote.length <= longestQuote && sentences.length <= mostSentences) return quote
  const like = ownQuote(quote, question)
  if (like !== null) return like
  const words = wordsOf(question)
  let best = quote
  let most = 0
  for (const each of sentences) {
    const own = wordsOf(each)
    const shared = [...words].filter((word) => own.has(word)).length
    if (shared > most) [best, most] = [each, shared]
  }
  return best
}

/** The last sentence of a text: the one that a marker after it belongs to. */
export function lastSentence(text: string): string {
  return sentencesOf(text).at(-1) ?? ''
}
