import { makeTerms } from '../../search/search.ts'
import { splitSentences } from '../sentences.ts'

const [shortest, longest] = [12, 400]

/** The sentences that have most of what the whole text is about, in their order: verbatim. */
export function tellingSentences(pieces: readonly string[], limit: number): string[] {
  const sentences = pieces.flatMap((piece) =>
    splitSentences(piece)
      .map(({ text }) =>
        text
          .replace(/\s+/g, ' ')
          .replace(/^(?:#{1,6}|[-*•·+])\s+/, '')
          .trim(),
      )
      .filter((text) => text.length >= shortest && text.length <= longest && /[.!?。！？；;]["”’」』)）]*$/.test(text)),
  )
  const terms = sentences.map((sentence) => new Set(makeTerms(sentence).split(' ')))
  const having = new Map<string, number>()
  for (const set of terms) for (const term of set) having.set(term, (having.get(term) ?? 0) + 1)
  // What stands in most sentences, or in one alone, tells nothing of the whole.
  const weight = (term: string): number => {
    const count = having.get(term) ?? 0
    return count < 2 && sentences.length > 3 ? 0 : Math.log(1 + count) * Math.log((sentences.length + 1) / count)
  }
  const chosen: number[] = []
  const used = new Set<string>()
  while (chosen.length < Math.min(limit, sentences.length)) {
    let best = -1
    let bestScore = -1
    for (const [index, set] of terms.entries()) {
      if (chosen.includes(index) || sentences.indexOf(sentences[index]!) !== index) continue
      let score = 0
      for (const term of set) if (!used.has(term)) score += weight(term)
      score /= Math.sqrt(set.size + 4)
      // What comes first says what the rest is.
      score *= 1 + 0.3 / (1 + index)
      if (score > bestScore) [best, bestScore] = [index, score]
    }
    if (best === -1) break
    chosen.push(best)
    for (const term of terms[best]!) used.add(term)
  }
  return chosen.sort((one, other) => one - other).map((index) => sentences[index]!)
}
