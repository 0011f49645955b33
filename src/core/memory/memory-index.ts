import type { Language } from '../../contract/library.ts'
import type { Memory } from '../../contract/memory.ts'
import { dotAt, languageOf, makeTerms, questionUnits, type Priors } from '../search/search.ts'
import { foldedMemory, isOfManner } from './memory-text.ts'
import { asksForSecret, looksSecret } from './secret-like.ts'

/**
 * The rule of what fits, chosen on `tuned` of test/fixtures/memories.json. A memory scores the cosine of question and memory,
 * each less the mean of its language (raw cosines of E5 are 0.7 and more for anything), and a share for the question's words
 * that it has, the rare ones counting more.
 */
const wordShare = 0.3
const bar = 0.28
/** A preference is more often of use than its words say. */
const preferenceBonus = 0.03
/** What is further than this behind the best is not as good an answer. */
const behindBest = 0.1
/** By words alone. */
const wordBar = 0.3
/** The prior counts as so many memories in a language's mean. */
const priorWeight = 20
/**
 * Among many memories some come near by chance, so the bar rises with how far unrelated ones spread. That is measured from so
 * many on, by those with a cosine below 0: what is related stands above, and however much there is of it, it hides nothing.
 */
const enoughToMeasure = 20
const highestBar = 0.45
const unseenRows = 20

interface Row {
  id: string
  language: Language
  isPreference: boolean
  isOfManner: boolean
  isSecret: boolean
  folded: string
  terms: Set<string>
  position: number
  hasVector: boolean
}

interface LanguageMean {
  sum: Float64Array
  count: number
  mean: Float32Array
  meanDotMean: number
}

export interface Fitting {
  id: string
  score: number
}

export interface MemoryIndex {
  /** How many have no vector. */
  readonly withoutVector: number
  hasVector(id: string): boolean
  /** A memory whose text changed loses its vector. */
  set(memory: Pick<Memory, 'id' | 'text' | 'kind'>): void
  setVector(id: string, vector: Float32Array): void
  /** The memory that says just this, but for case, width, punctuation. */
  idOf(text: string): string | null
  /** Memories that have all these words. */
  idsWith(text: string): string[]
  remove(id: string): void
  /** Those that fit, best first; by words alone when there is no vector. */
  fitting(text: string, question: Float32Array | null, limit: number): Fitting[]
  /** Preferences of language and manner. */
  ofManner(): string[]
}

/** All memories in one block of numbers, and the memories of each word. */
export function createMemoryIndex(dimensions: number, priors: Priors): MemoryIndex {
  const rows: Row[] = []
  const byId = new Map<string, Row>()
  const byText = new Map<string, string>()
  const postings = new Map<string, Set<Row>>()
  const means = new Map<Language, LanguageMean>()
  const commonPrior = middleOf(Object.values(priors), dimensions)
  let slab = new Float32Array(dimensions * 64)
  /** |m − μ| of each row. */
  let lengths = new Float32Array(64)
  let stale = true

  function meanOf(language: Language): LanguageMean {
    let entry = means.get(language)
    if (entry === undefined) {
      entry = { sum: new Float64Array(dimensions), count: 0, mean: new Float32Array(dimensions), meanDotMean: 0 }
      means.set(language, entry)
      stale = true
    }
    return entry
  }

  function vectorAt(position: number): Float32Array {
    return slab.subarray(position * dimensions, (position + 1) * dimensions)
  }

  function count(row: Row, sign: 1 | -1): void {
    const entry = meanOf(row.language)
    const vector = vectorAt(row.position)
    for (let index = 0; index < dimensions; index++) entry.sum[index] = entry.sum[index]! + sign * vector[index]!
    entry.count += sign
    row.hasVector = sign === 1
    stale = true
  }

  function refresh(): void {
    if (!stale) return
    for (const [language, entry] of means) {
      const prior = priors[language] ?? commonPrior
      const total = entry.count + (prior === null ? 0 : priorWeight)
      for (let index = 0; index < dimensions; index++)
        entry.mean[index] = total === 0 ? 0 : (entry.sum[index]! + (prior === null ? 0 : priorWeight * prior[index]!)) / total
      entry.meanDotMean = dotAt(entry.mean, 0, entry.mean)
    }
    for (const row of rows) {
      if (!row.hasVector) continue
      const { mean, meanDotMean } = meanOf(row.language)
      const vector = vectorAt(row.position)
      lengths[row.position] = Math.sqrt(Math.max(0, dotAt(vector, 0, vector) - 2 * dotAt(vector, 0, mean) + meanDotMean))
    }
    stale = false
  }

  function remove(id: string): void {
    const row = byId.get(id)
    if (row === undefined) return
    if (row.hasVector) count(row, -1)
    for (const term of row.terms) {
      const known = postings.get(term)
      known?.delete(row)
      if (known?.size === 0) postings.delete(term)
    }
    byId.delete(id)
    if (byText.get(row.folded) === id) byText.delete(row.folded)
    stale = true
    const last = rows.pop()!
    if (last === row) return
    rows[row.position] = last
    slab.copyWithin(row.position * dimensions, last.position * dimensions, (last.position + 1) * dimensions)
    last.position = row.position
  }

  function grow(): void {
    if (rows.length < lengths.length) return
    const wider = new Float32Array(slab.length * 2)
    wider.set(slab)
    slab = wider
    lengths = new Float32Array(lengths.length * 2)
    stale = true
  }

  /** For each memory that has some of the question's words: their share, by rarity. */
  function coverage(text: string): Map<Row, number> {
    const units = questionUnits(text)
    const rarity = (term: string): number => Math.log(1 + (rows.length + unseenRows) / ((postings.get(term)?.size ?? 0) + 0.5))
    const found = new Map<Row, number>()
    let total = 0
    for (const { terms } of units) {
      const weights = terms.map(rarity)
      total += Math.max(...weights)
      const best = new Map<Row, number>()
      for (const [index, term] of terms.entries())
        for (const row of postings.get(term) ?? []) best.set(row, Math.max(best.get(row) ?? 0, weights[index]!))
      for (const [row, weight] of best) found.set(row, (found.get(row) ?? 0) + weight)
    }
    for (const [row, weight] of found) found.set(row, weight / total)
    return found
  }

  /** Cosines by position, and their spread. */
  function cosines(text: string, question: Float32Array): { values: Float32Array; spread: number } {
    const own = meanOf(languageOf(text))
    refresh()
    const away = question.map((value, index) => value - own.mean[index]!)
    const length = Math.sqrt(dotAt(away, 0, away))
    const offsets = new Map([...means].map(([language, { mean }]) => [language, dotAt(away, 0, mean)]))
    const values = new Float32Array(rows.length)
    let squares = 0
    let below = 0
    for (const row of rows) {
      if (!row.hasVector) continue
      const divisor = length * lengths[row.position]!
      const value = divisor > 1e-9 ? (dotAt(slab, row.position * dimensions, away) - offsets.get(row.language)!) / divisor : 0
      values[row.position] = value
      if (value >= 0) continue
      squares += value * value
      below += 1
    }
    return { values, spread: below < enoughToMeasure ? 0 : Math.sqrt(squares / below) }
  }

  return {
    get withoutVector() {
      return dimensions === 0 ? 0 : rows.reduce((sum, row) => sum + Number(!row.hasVector), 0)
    },
    hasVector: (id) => byId.get(id)?.hasVector ?? false,
    set(memory) {
      remove(memory.id)
      grow()
      const row: Row = {
        id: memory.id,
        language: languageOf(memory.text),
        isPreference: memory.kind === 'preference',
        isOfManner: isOfManner(memory),
        isSecret: looksSecret(memory.text),
        folded: foldedMemory(memory.text),
        terms: new Set(makeTerms(memory.text).split(' ')),
        position: rows.length,
        hasVector: false,
      }
      rows.push(row)
      byId.set(row.id, row)
      byText.set(row.folded, row.id)
      for (const term of row.terms) {
        const known = postings.get(term)
        if (known === undefined) postings.set(term, new Set([row]))
        else known.add(row)
      }
    },
    setVector(id, vector) {
      const row = byId.get(id)
      if (row === undefined || vector.length !== dimensions) return
      if (row.hasVector) count(row, -1)
      vectorAt(row.position).set(vector)
      count(row, 1)
    },
    idOf: (text) => byText.get(foldedMemory(text)) ?? null,
    idsWith(text) {
      const sets = questionUnits(text).map((unit) => postings.get(unit.terms[0] ?? '') ?? new Set<Row>())
      const [smallest, ...others] = sets.sort((a, b) => a.size - b.size)
      return [...(smallest ?? [])].filter((row) => others.every((set) => set.has(row))).map((row) => row.id)
    },
    remove,
    fitting(text, question, limit) {
      if (rows.length === 0) return []
      const words = coverage(text)
      const meaning = question === null || question.length !== dimensions || saysLittle(text) ? null : cosines(text, question)
      const byChance = (meaning?.spread ?? 0) * Math.sqrt(2 * Math.log(rows.length))
      const least = Math.min(highestBar, Math.max(bar, byChance))
      const asksSecret = asksForSecret(text)
      const candidates: Fitting[] = []
      const consider = (row: Row): void => {
        // A secret that a user wrote down leaves the drawer when it is asked for, never because it is near to something.
        if (row.isOfManner || (row.isSecret && !asksSecret)) return
        const covered = words.get(row) ?? 0
        if (meaning === null || !row.hasVector) {
          if (covered >= wordBar) candidates.push({ id: row.id, score: least + wordShare * (covered - wordBar) })
          return
        }
        const score = meaning.values[row.position]! + wordShare * covered + (row.isPreference ? preferenceBonus : 0)
        if (score >= least) candidates.push({ id: row.id, score })
      }
      if (meaning === null) for (const row of words.keys()) consider(row)
      else for (const row of rows) consider(row)
      candidates.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      const best = candidates[0]?.score ?? 0
      return candidates.filter((each) => each.score >= best - behindBest).slice(0, limit)
    },
    ofManner: () => rows.filter((row) => row.isOfManner).map((row) => row.id),
  }
}

/** One character or a few letters are near to anything by meaning: then only words count. */
function saysLittle(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu) ?? []
  return letters.reduce((sum, letter) => sum + (/[\u2e80-\u9fff\uac00-\ud7af\u{20000}-\u{323af}]/u.test(letter) ? 2 : 1), 0) < 4
}

function middleOf(vectors: Float32Array[], dimensions: number): Float32Array | null {
  if (vectors.length === 0) return null
  const middle = new Float32Array(dimensions)
  for (const vector of vectors)
    for (let index = 0; index < dimensions; index++) middle[index] = middle[index]! + vector[index]! / vectors.length
  return middle
}
