import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Scope } from '../../contract/library.ts'
import type { Place } from '../../contract/place.ts'
import type { Hit, SearchMode } from '../../contract/search.ts'
import { createCandidateReader, questionVector, type PassageRow } from './candidates.ts'
import { coverageOf, roughKey, saySame } from './coverage.ts'
import { exactFirst } from './exact.ts'
import { fuse, type Candidate, type Coverage, type Fused } from './fuse.ts'
import { openKeywordIndex, type KeywordLeg } from './keyword-leg.ts'
import { languageOf } from './language.ts'
import { sameMonthFirst } from './months.ts'
import { createScopeFilters, type ScopeFilter } from './scope.ts'
import type { VectorIndex } from './vector-index.ts'
import { dot } from './vector-math.ts'

export interface SearcherRequest {
  query: string
  k: number
  mode: SearchMode
  scope: Scope
}

/** What the signs of weak evidence are made of. */
export interface SearchDetail {
  /** Of the first five hits. */
  hits: { passageId: number; cosine: number | null; centred: number | null; bm25: number; coverage: Coverage }[]
  /** The greatest centred cosines among candidates of the question's own language and of the others, in falling order. */
  own: number[]
  others: number[]
  /** Σ idf of what the question asks for. */
  totalIdf: number
  units: number
}

/** A document that has what was found. */
export interface Holder {
  documentId: number
  path: string
  contentHash: string
  /** Null: its folder can be reached. */
  unreachableSince: number | null
  /** Of its folder. */
  root: string
}

export type FoundHit = Hit & { contentHash: string; holders: Holder[] }

export interface Started {
  request: SearcherRequest
  filter: ScopeFilter
  keyword: KeywordLeg
  /** The rows of the keyword hits, and the texts and coverages looked at so far. */
  found: PassageRow[]
  modelId: number
  rows: Map<number, TextRow>
  coverages: Map<number, Coverage>
}

export interface Searcher {
  /** The keyword leg, which needs no vector. */
  start(request: SearcherRequest, index: VectorIndex | null): Started
  finish(started: Started, vector: Float32Array | null, index: VectorIndex | null): { hits: FoundHit[]; detail: SearchDetail }
}

/** Candidates of each leg, and of each language. */
const poolSize = 30
/** Texts of keyword hits that are looked at while the question is being embedded. */
const lookedAhead = 8
/** Passages among which those of the month that is asked for come first. */
const monthsLookedAt = 30

interface TextRow {
  passageId: number
  text: string
  heading: string
  place: string
  contentId: number
}

export function createSearcher(reader: DatabaseSyncInstance): Searcher {
  const keywordIndex = openKeywordIndex(reader)
  const candidateReader = createCandidateReader(reader)
  const filterOf = createScopeFilters(reader)
  const thereOf = reader.prepare('SELECT p.id FROM json_each(?) j JOIN passages p ON p.id = j.value')
  const textOf = reader.prepare('SELECT id AS passageId, text, heading, place, content_id AS contentId FROM passages WHERE id = ?')

  function rowIn({ rows }: Started, passageId: number): TextRow {
    let known = rows.get(passageId)
    if (!known) rows.set(passageId, (known = textOf.get(passageId) as unknown as TextRow))
    return known
  }

  function coverageIn(search: Started, passageId: number): Coverage {
    let known = search.coverages.get(passageId)
    if (!known) {
      const { heading, text } = rowIn(search, passageId)
      known = coverageOf(`${(JSON.parse(heading) as string[]).join(' ')}\n${text}`, search.keyword.units)
      search.coverages.set(passageId, known)
    }
    return known
  }

  function lookUp(request: SearcherRequest, filter: ScopeFilter, limit: number, modelId: number): Started {
    const keyword = keywordIndex.search(request.query, filter, limit)
    const found = keyword.hits.length > 0 ? candidateReader.read(keyword.hits, modelId) : []
    return { request, filter, keyword, found, modelId, rows: new Map(), coverages: new Map() }
  }

  function start(request: SearcherRequest, index: VectorIndex | null): Started {
    const limit = request.mode === 'vector' ? 0 : Math.max(poolSize, request.k * 3)
    const search = lookUp(request, filterOf(request.scope), limit, index?.model.id ?? -1)
    const there = new Set(search.found.map((row) => row.passageId))
    if (request.mode === 'hybrid') {
      for (const { passageId } of search.keyword.hits.slice(0, lookedAhead)) if (there.has(passageId)) coverageIn(search, passageId)
    }
    return search
  }

  /** All of it from one state of the library, whatever is written meanwhile. */
  function finish(started: Started, vector: Float32Array | null, index: VectorIndex | null) {
    reader.exec('BEGIN')
    try {
      return finishNow(started, vector, index)
    } finally {
      reader.exec('COMMIT')
    }
  }

  function finishNow(started: Started, vector: Float32Array | null, index: VectorIndex | null) {
    const { request, filter } = started
    const language = languageOf(request.query)
    const pool = Math.max(poolSize, request.k * 3)
    const question = vector && index && index.model.dimensions === vector.length ? questionVector(vector, language, index) : null
    const mode = question ? request.mode : 'keyword'
    // Asked by meaning only, and there is none to be had: then by words after all. Or the model changed in between.
    const again = (mode === 'keyword' && request.mode === 'vector') || (question !== null && started.modelId !== index?.model.id)
    const search = again && mode !== 'vector' ? lookUp(request, filter, pool, index?.model.id ?? -1) : started
    const { keyword } = search
    const found = mode === 'vector' ? [] : stillThere(search)
    const candidates = candidateReader.gather(
      mode === 'keyword' ? null : question,
      mode === 'vector' ? [] : keyword.hits,
      found,
      filter,
      pool,
    )
    const row = (passageId: number): TextRow => rowIn(search, passageId)
    const coverage = (candidate: Candidate): Coverage => coverageIn(search, candidate.passageId)
    const totalIdf = keyword.units.reduce((sum, unit) => sum + unit.idf, 0)
    const ranked = fuse({
      candidates,
      mode,
      questionLanguage: language,
      towardsMean: (other) => (question && index ? dot(question.vector, index.meanOf(other)) : 0),
      passagesOf: (other) => index?.count(other) ?? 0,
      totalIdf,
      coverage,
    })
    const fused = mode === 'hybrid' && keyword.units.length === 1 ? whatHoldsItFirst(ranked) : ranked
    const textOf = (one: Fused) => textWithHeading(row(one.candidate.passageId))
    const timed = [...sameMonthFirst(request.query, fused.slice(0, monthsLookedAt), textOf), ...fused.slice(monthsLookedAt)]
    const ordered = mode === 'vector' ? timed : exactFirst(timed, keyword.exact, textOf)
    const chosen = withoutRepeats(ordered, request.k, (passageId) => row(passageId).text)
    const hits = toHits(chosen, row, filter)
    const falling = (values: (number | null)[]) =>
      values
        .filter((value) => value !== null)
        .sort((a, b) => b - a)
        .slice(0, 20)
    const detail: SearchDetail = {
      hits: chosen.slice(0, 5).map(({ fused: { candidate } }) => ({
        passageId: candidate.passageId,
        cosine: candidate.cosine,
        centred: candidate.centred,
        bm25: candidate.bm25,
        coverage: coverage(candidate),
      })),
      own: falling(candidates.map((one) => (one.language === language ? one.centred : null))),
      others: falling(candidates.map((one) => (one.language === language ? null : one.centred))),
      totalIdf,
      units: keyword.units.length,
    }
    return { hits, detail }
  }

  function toHits(chosen: Chosen[], row: (passageId: number) => TextRow, filter: ScopeFilter): FoundHit[] {
    const documentsOf = reader.prepare(
      `SELECT d.id AS documentId, d.path, c.hash AS contentHash, iif(f.reachable = 0, f.unreachable_since, NULL) AS unreachableSince,
       f.path AS root FROM documents d JOIN folders f ON f.id = d.folder_id JOIN contents c ON c.id = d.content_id
       WHERE d.content_id = ? AND ${filter.sql} ORDER BY f.reachable DESC, d.id`,
    )
    return chosen.map(({ fused, repeats }, index) => {
      const { text, heading, place, passageId, contentId } = row(fused.candidate.passageId)
      const holders = [contentId, ...repeats].flatMap((id) => documentsOf.all(id, ...filter.values) as unknown as Holder[])
      return {
        rank: index + 1,
        score: fused.score,
        ...heldBy(holders),
        place: JSON.parse(place) as Place,
        text,
        passageId,
        heading: JSON.parse(heading) as string[],
      }
    })
  }

  /** Without what was taken away since the keyword leg looked. */
  function stillThere({ found, rows }: Started): PassageRow[] {
    const ids = thereOf.all(JSON.stringify(found.map((one) => one.passageId))) as { id: number }[]
    if (ids.length === found.length) return found
    const there = new Set(ids.map((one) => one.id))
    for (const passageId of [...rows.keys()]) if (!there.has(passageId)) rows.delete(passageId)
    return found.filter((one) => there.has(one.passageId))
  }

  return {
    start,
    finish,
  }
}

/** A heading often has the date of what stands below it. */
function textWithHeading({ heading, text }: TextRow): string {
  return `${(JSON.parse(heading) as string[]).join(' ')}\n${text}`
}

/** Who asks for one word or one character looks it up: passages that hold it come before those that are only near in meaning. */
function whatHoldsItFirst(ranked: readonly Fused[]): Fused[] {
  const holding = ranked.filter(({ candidate }) => candidate.bm25 > 0).map(({ candidate, score }) => ({ candidate, score: score + 1 }))
  return [...holding, ...ranked.filter(({ candidate }) => candidate.bm25 === 0)]
}

/** Names the first, and the others as where it stands too. There is at least one. */
export function heldBy(
  holders: Holder[],
): Pick<FoundHit, 'path' | 'documentId' | 'contentHash' | 'unreachableSince' | 'alsoAt' | 'holders'> {
  const { path, documentId, contentHash, unreachableSince } = holders[0]!
  const alsoAt = [...new Set(holders.slice(1).map((holder) => holder.path))].filter((other) => other !== path)
  return { path, documentId, contentHash, unreachableSince, alsoAt, holders }
}

interface Chosen {
  fused: Fused
  /** Contents that say the same in other words only by case, width, punctuation. */
  repeats: number[]
}

/** The same text twice is one hit; where else it stands is told with it. */
function withoutRepeats(fused: readonly Fused[], k: number, textOf: (passageId: number) => string): Chosen[] {
  const chosen: Chosen[] = []
  const alike = new Map<string, { entry: Chosen; text: string }[]>()
  for (const one of fused) {
    const text = textOf(one.candidate.passageId)
    const key = roughKey(text)
    const others = alike.get(key)
    const same = others?.find((other) => saySame(other.text, text))
    if (same) {
      same.entry.repeats.push(one.candidate.contentId)
      continue
    }
    if (chosen.length >= k) break
    const entry: Chosen = { fused: one, repeats: [] }
    chosen.push(entry)
    if (others) others.push({ entry, text })
    else alike.set(key, [{ entry, text }])
  }
  return chosen
}
