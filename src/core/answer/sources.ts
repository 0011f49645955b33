import type { Citation, Source } from '../../contract/answer.ts'
import type { FoundHit } from '../search/search.ts'
import { roughTokens } from '../models/models.ts'
import { placeOfQuote } from '../turns/turns.ts'

const mostSources = 10
/** Measured: it hardly matters how the budget is cut into passages, and more than this slows small models down. */
const sourceTokens = 3600

/** The best hits that fit the budget of an answer, numbered from 1. The first always counts. */
export function chooseSources(hits: FoundHit[]): Source[] {
  const chosen: Source[] = []
  let used = 0
  for (const hit of hits) {
    used += roughTokens(hit.text)
    if (chosen.length >= mostSources || (chosen.length > 0 && used > sourceTokens)) break
    chosen.push({
      marker: chosen.length + 1,
      documentId: hit.documentId,
      passageId: hit.passageId,
      path: hit.path,
      place: hit.place,
      heading: hit.heading,
      text: hit.text,
      contentHash: hit.contentHash,
      score: hit.score,
    })
  }
  return chosen
}

export function citationOf(source: Source, quote: string): Citation {
  const { marker, path, documentId, passageId, contentHash } = source
  const place = placeOfQuote(source.place, source.text, quote)
  return { marker, path, place, quote, documentId, passageId, contentHash }
}
