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
  /** q·μ: what a passage of that language scores that has nothing to do with the question. */
  towardsMean: (language: Language) => number
  /** How many passages of a language have a vector. */
  passagesOf: (language: Language) => number
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
  meaning: 0.55,
  /** How fast keywords lose weight when even the best passage has few of them. */
  keywordTrust: 1,
  document: 0.35,
  neighbour: 0.3,
  coverage: 0.2,
  sentence: 0.4,
  looked: 12,
  backgroundOf: 5,
  shrinkage: 100,
  keywordSlot: 0.5,
}

/** What one unit of inverse frequency can bring in BM25 with k1 = 1.2: k1 + 1. */
const bm25PerIdf = 2.2

export function fuse(input: FuseInput): Fused[] {
  const { candidates, mode, questionLanguage } = input
  if (mode === 'keyword') return sorted(candidates.filter((one) => one.bm25 > 0).map((candidate) => ({ candidate, score: candidate.bm25 })))
  const byLanguage = new Map<Language, Candidate[]>()
  for (const candidate of candidates) {
    const list = byLanguage.get(candidate.language)
    if (list) list.push(candidate)
    else byLanguage.set(candidate.language, [candidate])
  }
  const own = byLanguage.has(questionLanguage) ? questionLanguage : null
  if (own !== null && byLanguage.size === 1) return mode === 'vector' ? byMeaning(candidates, 'cosine') : fuseOneLanguage(input, candidates)
  const backgrounds = backgroundOf(byLanguage, input.passagesOf)
  const lists = [...byLanguage].map(([language, list]) => {
    const order = mode === 'hybrid' && language === own ? fuseOneLanguage(input, list) : byMeaning(list, 'centred')
    return slotted(order, backgrounds.get(language) ?? 0, input)
  })
  return sorted(lists.flat())
}

/** 0.55 · (cos − q·μ) / (top − q·μ) + 0.45 · trust · bm25 / top, and what stands in the text of the best few. */
export function fuseOneLanguage(input: FuseInput, list: readonly Candidate[]): Fused[] {
  const known = list.filter((one) => one.cosine !== null)
  const middle = known[0] ? input.towardsMean(known[0].language) : 0
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

function byMeaning(list: readonly Candidate[], by: 'cosine' | 'centred'): Fused[] {
  return sorted(list.filter((one) => one[by] !== null).map((candidate) => ({ candidate, score: candidate[by]! })))
}

/**
 * What an unrelated passage of a language scores: the mean of its five best, drawn towards that of all languages as far as
 * the language is small. (With two languages this is the recipe's λ · mean with λ = n / (n + 100), up to a constant; it also
 * holds when a third language has but three passages.)
 */
function backgroundOf(byLanguage: Map<Language, Candidate[]>, passagesOf: (language: Language) => number): Map<Language, number> {
  const own = new Map<Language, { mean: number; passages: number }>()
  let sum = 0
  let count = 0
  for (const [language, list] of byLanguage) {
    const top = centredScores(list).slice(0, weights.backgroundOf)
    const mean = top.reduce((total, value) => total + value, 0) / Math.max(1, top.length)
    const passages = Math.max(list.length, passagesOf(language))
    own.set(language, { mean, passages })
    sum += mean * passages
    count += passages
  }
  const all = sum / Math.max(1, count)
  return new Map(
    [...own].map(([language, { mean, passages }]) => [
      language,
      (passages * mean + weights.shrinkage * all) / (passages + weights.shrinkage),
    ]),
  )
}

function centredScores(list: readonly Candidate[]): number[] {
  return list
    .map((one) => one.centred)
    .filter((value) => value !== null)
    .sort((a, b) => b - a)
}

/** A language's sorted slot scores go to its passages in the order they have there. */
function slotted(order: readonly Fused[], background: number, { totalIdf }: FuseInput): Fused[] {
  const least = order.reduce((low, { candidate }) => Math.min(low, candidate.centred ?? Infinity), Infinity)
  const slots = order
    .map(({ candidate }) => {
      const share = totalIdf > 0 ? Math.min(1, candidate.bm25 / (totalIdf * bm25PerIdf)) : 0
      return (candidate.centred ?? (Number.isFinite(least) ? least : 0)) - background + weights.keywordSlot * share ** 3
    })
    .sort((a, b) => b - a)
  return order.map(({ candidate }, index) => ({ candidate, score: slots[index]! }))
}

function sorted(list: Fused[]): Fused[] {
  return list.sort((a, b) => b.score - a.score || a.candidate.passageId - b.candidate.passageId)
}
