import type { SearchDetail } from '../search/search.ts'

export interface Evidence {
  /** Nothing in the library seems to answer. A note, never a refusal: asked anyway, the model gets the passages. */
  weak: boolean
  /** 0 is the border; more is better. */
  score: number
}

/**
 * Set so that at most two answerable questions in a hundred get the note, in one language and across two (measured in
 * bench/retrieval.ts, which also prints how many unanswerable ones get it).
 */
const border = { ownLanguage: 0.33, otherLanguage: 0.165, keywordsOnly: 0.08 }

/** How well what was found fits what was asked: nearness in meaning, and how much of the question stands in one passage. */
export function evidenceFor(_question: string, { detail }: { detail: SearchDetail }): Evidence {
  const { hits, own, others } = detail
  if (hits.length === 0) return { weak: true, score: -1 }
  const first = hits.slice(0, 5)
  const whole = first.reduce((best, hit) => Math.max(best, hit.coverage.whole), 0)
  const sentence = first.reduce((best, hit) => Math.max(best, hit.coverage.sentence), 0)
  if (own.length === 0 && others.length === 0) return evidence(whole - border.keywordsOnly)
  const inOwn = (own[0] ?? 0) + 0.6 * whole + 0.2 * sentence - border.ownLanguage
  // Words say little here; names and numbers stand in both.
  const inOthers = (others[0] ?? 0) + 0.1 * whole - border.otherLanguage
  return evidence(others.length === 0 ? inOwn : Math.max(inOwn, inOthers))
}

function evidence(score: number): Evidence {
  return { weak: score < 0, score }
}
