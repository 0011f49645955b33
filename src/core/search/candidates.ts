import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Language } from '../../contract/library.ts'
import type { Candidate } from './fuse.ts'
import type { KeywordHit } from './keyword-leg.ts'
import { contentsInScope, type ScopeFilter } from './scope.ts'
import { centredCosine, centredQuestion, dot, toVector, type CentredQuestion } from './vector-math.ts'
import type { VectorIndex } from './vector-index.ts'
import { createKeeper } from './slab.ts'

/** Up to so many passages in scope are scanned one by one; beyond that the graph is searched wider. */
export const exactScanLimit = 20_000

interface PassageRow {
  passageId: number
  contentId: number
  ordinal: number
  language: Language
  vector: Uint8Array | null
}

export interface CandidateReader {
  gather(question: QuestionVector | null, keyword: readonly KeywordHit[], filter: ScopeFilter, k: number): Candidate[]
}

/** A question's vector, with what is needed to compare it in each language. */
export interface QuestionVector {
  vector: Float32Array
  language: Language
  index: VectorIndex
  /** Made when a language is met first. */
  centre(language: Language): CentredQuestion
}

export function questionVector(vector: Float32Array, language: Language, index: VectorIndex): QuestionVector {
  const centres = new Map<Language, CentredQuestion>()
  const own = index.meanOf(language)
  return {
    vector,
    language,
    index,
    centre(other) {
      let known = centres.get(other)
      if (!known) {
        known = centredQuestion(vector, own, index.meanOf(other))
        centres.set(other, known)
      }
      return known
    },
  }
}

const columns = 'p.id AS passageId, p.content_id AS contentId, p.ordinal, p.language'

/** From what the legs found to passages that may be shown, each with both scores. */
export function createCandidateReader(reader: DatabaseSyncInstance): CandidateReader {
  const byId = reader.prepare(
    `SELECT ${columns}, v.vector FROM json_each(?) j JOIN passages p ON p.id = j.value
     LEFT JOIN vectors v ON v.model_id = ? AND v.text_hash = p.text_hash`,
  )
  const byVector = reader.prepare(
    `SELECT ${columns}, v.vector FROM json_each(?) j JOIN vectors v ON v.id = j.value JOIN passages p ON p.text_hash = v.text_hash`,
  )

  function visible(contentIds: Iterable<number>, filter: ScopeFilter): Set<number> {
    const ids = [...new Set(contentIds)]
    const rows = reader
      .prepare(
        `SELECT DISTINCT d.content_id AS id FROM documents d JOIN folders f ON f.id = d.folder_id JOIN contents c ON c.id = d.content_id
         WHERE d.content_id IN (SELECT value FROM json_each(?)) AND c.complete = 1 AND ${filter.sql}`,
      )
      .all(JSON.stringify(ids), ...filter.values) as { id: number }[]
    return new Set(rows.map((row) => row.id))
  }

  function nearestEverywhere(question: QuestionVector, filter: ScopeFilter, k: number): PassageRow[] {
    const { index } = question
    const found: PassageRow[] = []
    const inScope = filter.narrow ? countInScope(filter) : Infinity
    if (inScope <= exactScanLimit) return scan(question, filter, k)
    for (const language of index.languages()) {
      const count = index.count(language)
      for (let wanted = filter.narrow ? Math.ceil((k * count) / inScope) : k; ; wanted *= 4) {
        const ids = index.nearest(language, question.centre(language), Math.min(wanted, count), wanted * 2)
        const rows = byVector.all(JSON.stringify(ids)) as unknown as PassageRow[]
        const seen = visible(
          rows.map((row) => row.contentId),
          filter,
        )
        const kept = rows.filter((row) => seen.has(row.contentId))
        if (kept.length < Math.min(k, count) && wanted < count && (filter.narrow || kept.length < rows.length)) {
          if (wanted < count / 4) continue
          return scan(question, filter, k)
        }
        found.push(...kept)
        break
      }
    }
    return found
  }

  function countInScope(filter: ScopeFilter): number {
    const row = reader
      .prepare(`SELECT coalesce(sum(passage_count), 0) AS count FROM contents WHERE id IN (${contentsInScope(filter)})`)
      .get(...filter.values) as { count: number }
    return row.count
  }

  /** Every vector in scope, each language's k best. */
  function scan(question: QuestionVector, filter: ScopeFilter, k: number): PassageRow[] {
    const keepers = new Map<Language, ReturnType<typeof createKeeper>>()
    const rows = reader
      .prepare(
        `SELECT p.id, p.language, v.vector FROM contents c JOIN passages p ON p.content_id = c.id
         JOIN vectors v ON v.model_id = ? AND v.text_hash = p.text_hash
         WHERE c.complete = 1 AND c.id IN (${contentsInScope(filter)}) AND v.vector IS NOT NULL`,
      )
      .iterate(question.index.model.id, ...filter.values) as Iterable<{ id: number; language: Language; vector: Uint8Array }>
    for (const row of rows) {
      let keeper = keepers.get(row.language)
      if (!keeper) keepers.set(row.language, (keeper = createKeeper(k)))
      keeper.offer(row.id, centredCosine(question.centre(row.language), toVector(row.vector)))
    }
    const ids = [...keepers.values()].flatMap((keeper) => keeper.sorted().map((one) => one.vectorId))
    return byId.all(JSON.stringify(ids), question.index.model.id) as unknown as PassageRow[]
  }

  return {
    gather(question, keyword, filter, k) {
      const scores = new Map(keyword.map((hit) => [hit.passageId, hit.bm25]))
      const rows = new Map<number, PassageRow>()
      const modelId = question?.index.model.id ?? -1
      for (const row of byId.all(JSON.stringify([...scores.keys()]), modelId) as unknown as PassageRow[]) rows.set(row.passageId, row)
      if (question) for (const row of nearestEverywhere(question, filter, k)) if (!rows.has(row.passageId)) rows.set(row.passageId, row)
      const seen = visible(
        [...rows.values()].map((row) => row.contentId),
        filter,
      )
      const candidates: Candidate[] = []
      for (const row of rows.values()) {
        if (!seen.has(row.contentId)) continue
        const vector = question && row.vector && row.vector.byteLength === question.vector.length * 4 ? toVector(row.vector) : null
        candidates.push({
          passageId: row.passageId,
          contentId: row.contentId,
          ordinal: row.ordinal,
          language: row.language,
          bm25: scores.get(row.passageId) ?? 0,
          cosine: vector && question ? dot(question.vector, vector) : null,
          centred: vector && question ? centredCosine(question.centre(row.language), vector) : null,
        })
      }
      return candidates
    },
  }
}
