import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { exactPartsOf, type ExactPart } from './exact.ts'
import { matchAny, questionUnits, type QuestionUnit } from './query.ts'
import { contentsInScope, type ScopeFilter } from './scope.ts'

export interface KeywordHit {
  passageId: number
  /** Greater is better. */
  bm25: number
}

export interface KeywordLeg {
  hits: KeywordHit[]
  /** What the question asks for, each with its weight: the inverse frequency in the library. */
  units: (QuestionUnit & { idf: number })[]
  /** Its codes, long numbers and quotations. */
  exact: ExactPart[]
}

export interface KeywordIndex {
  /** With a limit of 0 only the units are made. */
  search(question: string, filter: ScopeFilter, limit: number): KeywordLeg
}

/** Passages that may hold an exact part, beside those that hold any of the words. */
const exactHits = 40
/** Terms in more than this share of the passages are dropped when others remain; in a small library they cost nothing. */
const commonShare = 0.05
const commonAtLeast = 2000
const cachedTerms = 20_000

export function openKeywordIndex(reader: DatabaseSyncInstance): KeywordIndex {
  // A temporary table of this connection; nothing is written to the library.
  reader.exec(
    "PRAGMA query_only = OFF; CREATE VIRTUAL TABLE IF NOT EXISTS temp.siku_terms USING fts5vocab(main, 'passages_fts', 'row'); PRAGMA query_only = ON",
  )
  const frequencyOf = reader.prepare('SELECT doc FROM temp.siku_terms WHERE term = ?')
  const everything = reader.prepare(
    'SELECT rowid AS passageId, -rank AS bm25 FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT ?',
  )
  const total = reader.prepare('SELECT coalesce(max(id), 0) AS count FROM passages')
  const frequencies = new Map<string, number>()
  let countedFor = 0

  function passageCount(): number {
    const { count } = total.get() as { count: number }
    // Frequencies are estimates: counted again when the library has grown or shrunk by a tenth.
    if (Math.abs(count - countedFor) > countedFor * 0.1) {
      frequencies.clear()
      countedFor = count
    }
    return count
  }

  function frequency(term: string): number {
    let known = frequencies.get(term)
    if (known === undefined) {
      known = (frequencyOf.get(term) as { doc: number } | undefined)?.doc ?? 0
      if (frequencies.size >= cachedTerms) frequencies.clear()
      frequencies.set(term, known)
    }
    return known
  }

  function matching(match: string, filter: ScopeFilter, limit: number): KeywordHit[] {
    if (!filter.narrow) return everything.all(match, filter.hides ? limit * 2 : limit) as unknown as KeywordHit[]
    const narrowed = reader.prepare(
      `SELECT rowid AS passageId, -rank AS bm25 FROM passages_fts WHERE passages_fts MATCH ?
       AND rowid IN (SELECT id FROM passages WHERE content_id IN (${contentsInScope(filter)})) ORDER BY rank LIMIT ?`,
    )
    return narrowed.all(match, ...filter.values, limit) as unknown as KeywordHit[]
  }

  return {
    search(question, filter, limit) {
      const count = passageCount()
      const units = questionUnits(question).map((unit) => {
        const least = Math.max(...unit.terms.map(frequency))
        return { ...unit, idf: Math.log(1 + (count - least + 0.5) / (least + 0.5)) }
      })
      const all = [...new Set(units.flatMap((unit) => unit.terms))].filter((term) => frequency(term) > 0)
      const common = Math.max(count * commonShare, commonAtLeast)
      const rare = all.filter((term) => frequency(term) <= common)
      const terms = rare.length > 0 ? rare : all
      const exact = exactPartsOf(question)
      if (terms.length === 0 || limit === 0) return { hits: [], units, exact }
      const hits = new Map(matching(matchAny(terms), filter, limit).map((hit) => [hit.passageId, hit]))
      for (const part of exact)
        for (const hit of matching(part.match, filter, exactHits)) if (!hits.has(hit.passageId)) hits.set(hit.passageId, hit)
      return { hits: [...hits.values()], units, exact }
    },
  }
}
