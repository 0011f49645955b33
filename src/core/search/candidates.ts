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
const longestMemory = 50_000

export interface PassageRow {
  passageId: number
  contentId: number
  ordinal: number
  language: Language
  vector: Uint8Array | null
}

export interface CandidateReader {
  /** What the keyword leg found, with vectors of this model: read while the question is still being embedded. */
  read(keyword: readonly KeywordHit[], modelId: number): PassageRow[]
  gather(
    question: QuestionVector | null,
    keyword: readonly KeywordHit[],
    read: readonly PassageRow[],
    filter: ScopeFilter,
    k: number,
  ): Candidate[]
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

  const dataVersion = reader.prepare('SELECT data_version AS version FROM pragma_data_version')
  const known = new Map<number, boolean>()
  let knownFor = ''

  /** Contents of these rows that are whole and have a document in scope. Remembered until somebody writes. */
  function visible(rows: Iterable<PassageRow>, filter: ScopeFilter): Set<number> {
    const { version } = dataVersion.get() as { version: number }
    const key = JSON.stringify([version, filter.sql, filter.values])
    if (key !== knownFor || known.size > longestMemory) {
      known.clear()
      knownFor = key
    }
    const asked = new Set<number>()
    for (const row of rows) if (!known.has(row.contentId)) asked.add(row.contentId)
    if (asked.size > 0) {
      const found = reader
        .prepare(
          `SELECT c.id FROM json_each(?) j JOIN contents c ON c.id = j.value WHERE c.complete = 1
           AND EXISTS (SELECT 1 FROM documents d JOIN folders f ON f.id = d.folder_id WHERE d.content_id = c.id AND ${filter.sql})`,
        )
        .all(JSON.stringify([...asked]), ...filter.values) as { id: number }[]
      for (const id of asked) known.set(id, false)
      for (const { id } of found) known.set(id, true)
    }
    const seen = new Set<number>()
    for (const row of rows) if (known.get(row.contentId)) seen.add(row.contentId)
    return seen
  }

  function nearestEverywhere(question: QuestionVector, filter: ScopeFilter, k: number): PassageRow[] {
    const { index } = question
    const found: PassageRow[] = []
    const inScope = filter.narrow ? countInScope(filter) : Infinity
    if (inScope <= exactScanLimit) return scan(question, filter, k)
    for (const language of index.languages()) {
      const count = index.count(language)
      if (!filter.narrow) {
        found.push(...rowsOf(index.nearest(language, question.centre(language), Math.min(k, count))))
        continue
      }
      for (let wanted = Math.ceil((k * count) / inScope); ; wanted *= 4) {
        // Wider and wider until there are enough; where that is nearly everything, one by one.
        if (wanted > count / 3) return scan(question, filter, k)
        const rows = rowsOf(index.nearest(language, question.centre(language), wanted, wanted * 2))
        const seen = visible(rows, filter)
        const kept = rows.filter((row) => seen.has(row.contentId))
        if (kept.length < k) continue
        found.push(...kept)
        break
      }
    }
    return found
  }

  function rowsOf(vectorIds: number[]): PassageRow[] {
    return byVector.all(JSON.stringify(vectorIds)) as unknown as PassageRow[]
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
    read: (keyword, modelId) => byId.all(JSON.stringify(keyword.map((hit) => hit.passageId)), modelId) as unknown as PassageRow[],
    gather(question, keyword, read, filter, k) {
      const scores = new Map(keyword.map((hit) => [hit.passageId, hit.bm25]))
      const rows = new Map<number, PassageRow>()
      if (question) for (const row of nearestEverywhere(question, filter, k)) rows.set(row.passageId, row)
      for (const row of read) rows.set(row.passageId, row)
      const seen = visible([...rows.values()], filter)
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
