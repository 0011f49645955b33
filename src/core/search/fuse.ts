import type { Language } from '../../contract/library.ts'

/** A passage that one of the legs found. */
export interface Candidate {
  passageId: number
  contentId: number
  ordinal: number
  language: Language
  /** 0 when the keyword leg did not find it. */
  bm25: number
  /** q·p, and the cosine of q − μ with p − μ under the live mean of its language; null without a vector. */
  cosine: number | null
  centred: number | null
}

export interface Coverage {
  whole: number
  sentence: number
}

export interface FuseInput {
  candidates: readonly Candidate[]
  mode: 'hybrid' | 'keyword' | 'vector'
  questionLanguage: Language
  /** Passages of the smallest language that has any. */
  smallestLanguage: number
  /** Σ idf of the question: what BM25 could reach, about. */
  totalIdf: number
  /** Of a passage's text; asked for the best few only. */
  coverage: (candidate: Candidate) => Coverage
}

export interface Fused {
  candidate: Candidate
  score: number
}

/** Measured in bench/retrieval.ts; see docs/decisions on retrieval before changing one. */
export const weights = {
  meaning: 0.5,
  /** How fast keywords lose weight when even the best passage has few of them. */
  keywordTrust: 0.5,
  document: 0.2,
  neighbour: 0.15,
  coverage: 0.2,
  sentence: 0.2,
  looked: 12,
}

export function fuse(input: FuseInput): Fused[] {
  const { candidates, mode, questionLanguage } = input
  if (mode === 'keyword') return sorted(candidates.filter((one) => one.bm25 > 0).map((candidate) => ({ candidate, score: candidate.bm25 })))
  const byLanguage = new Map<Language, Candidate[]>()
  for (const candidate of candidates) {
    const list = byLanguage.get(candidate.language)
    if (list) list.push(candidate)
    else byLanguage.set(candidate.language, [candidate])
  }
  if (byLanguage.size <= 1) return mode === 'vector' ? byMeaning(candidates, 'cosine') : fuseOneLanguage(input, candidates)
  const own = byLanguage.has(questionLanguage) ? questionLanguage : null
  const lists = [...byLanguage].map(([language, list]) => {
    const order =
      mode === 'vector' ? byMeaning(list, 'centred') : language === own ? fuseOneLanguage(input, list) : fuseOtherLanguage(input, list)
    return slotted(
      order.map((fused) => fused.candidate),
      input,
    )
  })
  return sorted(lists.flat())
}

/** 0.5 · (cos − q·μ) / (top − q·μ) + 0.5 · bm25 / top, and what stands in the text of the best few. */
export function fuseOneLanguage(input: FuseInput, list: readonly Candidate[]): Fused[] {
  const known = list.filter((one) => one.cosine !== null)
  const middle = known.reduce((sum, one) => sum + one.cosine!, 0) / Math.max(1, known.length)
  const topCosine = known.reduce((top, one) => Math.max(top, one.cosine!), -1)
  const topBm25 = list.reduce((top, one) => Math.max(top, one.bm25), 0)
  const spread = Math.max(1e-6, topCosine - middle)
  const best = list.reduce<Candidate | null>((top, one) => (one.bm25 > (top?.bm25 ?? 0) ? one : top), null)
  const trust = best ? Math.pow(input.coverage(best).whole, weights.keywordTrust) : 0
  const keyword = (one: Candidate) => (topBm25 > 0 ? (one.bm25 / topBm25) * trust * (1 - weights.meaning) : 0)
  const base = new Map<Candidate, number>()
  for (const one of list) {
    const meaning = one.cosine === null ? 0 : (one.cosine - middle) / spread
    base.set(one, weights.meaning * meaning + keyword(one))
  }
  const fused = sorted(list.map((candidate) => ({ candidate, score: base.get(candidate)! + company(candidate, list, base, keyword) })))
  return withCoverage(input, fused)
}

/** What the rest of its document and its neighbours lend a passage: code and manuals say things once for many passages. */
function company(
  candidate: Candidate,
  list: readonly Candidate[],
  base: Map<Candidate, number>,
  keyword: (one: Candidate) => number,
): number {
  let document = 0
  let neighbour = 0
  for (const other of list) {
    if (other.contentId !== candidate.contentId) continue
    document = Math.max(document, keyword(other))
    if (Math.abs(other.ordinal - candidate.ordinal) === 1) neighbour = Math.max(neighbour, base.get(other)!)
  }
  return weights.document * document + weights.neighbour * neighbour
}

function withCoverage(input: FuseInput, fused: Fused[]): Fused[] {
  const head = fused.slice(0, weights.looked).map(({ candidate, score }) => {
    const { whole, sentence } = input.coverage(candidate)
    return { candidate, score: score + weights.coverage * whole + weights.sentence * sentence }
  })
  return [...sorted(head), ...fused.slice(weights.looked)]
}

function fuseOtherLanguage(_input: FuseInput, list: readonly Candidate[]): Fused[] {
  return byMeaning(list, 'centred')
}

function byMeaning(list: readonly Candidate[], by: 'cosine' | 'centred'): Fused[] {
  return sorted(list.filter((one) => one[by] !== null).map((candidate) => ({ candidate, score: candidate[by]! })))
}

/** A language's sorted slot scores go to its passages in the order they have there. */
function slotted(order: readonly Candidate[], input: FuseInput): Fused[] {
  const lambda = input.smallestLanguage / (input.smallestLanguage + 100)
  const known = order
    .map((one) => one.centred)
    .filter((value) => value !== null)
    .sort((a, b) => b - a)
  const top = known.slice(0, 10)
  const background = top.reduce((sum, value) => sum + value, 0) / Math.max(1, top.length)
  const least = known.at(-1) ?? 0
  const slots = order
    .map((one) => {
      const share = input.totalIdf > 0 ? Math.min(1, one.bm25 / (input.totalIdf * 2.2)) : 0
      return (one.centred ?? least) - lambda * background + 0.5 * share ** 3
    })
    .sort((a, b) => b - a)
  return order.map((candidate, index) => ({ candidate, score: slots[index]! }))
}

function sorted(list: Fused[]): Fused[] {
  return list.sort((a, b) => b.score - a.score || a.candidate.passageId - b.candidate.passageId)
}
