import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Scope } from '../../contract/library.ts'
import { placeSchema } from '../../contract/place.ts'
import type { CountAnswer, CountedPlace, CountProgress } from '../../contract/tables.ts'
import { createScopeFilters } from '../search/search.ts'
import { openReader } from '../store/store.ts'
import { countIn, folded, patternFinder, phraseFinder } from './phrase.ts'

export interface CountInput {
  databasePath: string
  words: string | null
  pattern: string | null
  scope: Scope
  limit: number
  /** So long it looks; then it says how far it came. */
  timeMs: number
}

interface DocumentRecord {
  id: number
  path: string
  hash: string | null
  contentId: number
}

const progressEveryMs = 250
const sliceCharacters = 1 << 20
const mostDocuments = 1000

/** Looks through the whole text of every document in scope: the counts are exact, as far as it came. */
export async function countText(
  input: CountInput,
  { signal, emit }: { signal: AbortSignal; emit: (progress: CountProgress) => Promise<void> },
): Promise<CountAnswer> {
  const finder = input.words === null ? patternFinder(input.pattern ?? '') : phraseFinder(input.words)
  const reader = openReader(input.databasePath)
  try {
    const filter = createScopeFilters(reader)(input.scope)
    const from = `FROM documents d JOIN folders f ON f.id = d.folder_id WHERE ${filter.sql}`
    const documents = reader
      .prepare(`SELECT d.id, d.path, d.hash, d.content_id AS contentId ${from} AND d.content_id IS NOT NULL ORDER BY d.path`)
      .all(...filter.values) as unknown as DocumentRecord[]
    const { unread } = reader.prepare(`SELECT count(*) AS unread ${from} AND d.content_id IS NULL`).get(...filter.values) as {
      unread: number
    }
    const sections = reader.prepare('SELECT place, text FROM sections WHERE content_id = ? ORDER BY ordinal')
    const passages = reader.prepare('SELECT id, place, heading, text FROM passages WHERE content_id = ? ORDER BY ordinal')
    const counts = new Map<number, number>()
    const answer: CountAnswer = { occurrences: 0, documents: [], places: [], lookedAt: 0, total: documents.length, unread, complete: true }
    const end = performance.now() + input.timeMs
    let told = performance.now()

    async function countDocument(contentId: number): Promise<number | null> {
      let count = 0
      let characters = 0
      const untold = createUntold()
      for (const row of sections.iterate(contentId) as IterableIterator<{ place: string; text: string }>) {
        count += countIn(folded(untold(row)), finder)
        characters += row.text.length
        if (characters < sliceCharacters) continue
        characters = 0
        if (performance.now() > end) return null
        await setImmediate()
        signal.throwIfAborted()
      }
      return count
    }

    for (const document of documents) {
      const count = counts.get(document.contentId) ?? (performance.now() > end ? null : await countDocument(document.contentId))
      if (count === null) {
        answer.complete = false
        break
      }
      counts.set(document.contentId, count)
      answer.lookedAt += 1
      if (count > 0) {
        answer.occurrences += count
        answer.documents.push({ documentId: document.id, path: document.path, count })
        if (answer.places.length < input.limit) takePlaces(document)
      }
      if (performance.now() - told > progressEveryMs) {
        told = performance.now()
        await emit({ lookedAt: answer.lookedAt, total: answer.total })
        await setImmediate()
        signal.throwIfAborted()
      }
    }
    answer.documents.sort((one, other) => other.count - one.count || one.path.localeCompare(other.path))
    if (answer.documents.length > mostDocuments) answer.documents.length = mostDocuments
    return answer

    function takePlaces({ id, path, hash, contentId }: DocumentRecord): void {
      for (const row of passages.all(contentId) as { id: number; place: string; heading: string; text: string }[]) {
        if (answer.places.length === input.limit) return
        if (countIn(folded(row.text), finder) > 0) answer.places.push(toPlace(row, { documentId: id, path, contentHash: hash ?? '' }))
      }
    }
  } finally {
    reader.close()
  }
}

const headingSchema = z.array(z.string()).catch([])

function toPlace(
  row: { id: number; place: string; heading: string; text: string },
  document: Pick<CountedPlace, 'documentId' | 'path' | 'contentHash'>,
): CountedPlace {
  const { id: passageId, text } = row
  return {
    ...document,
    passageId,
    text,
    place: placeSchema.parse(JSON.parse(row.place)),
    heading: headingSchema.parse(JSON.parse(row.heading)),
  }
}

/** A sheet repeats its header over each run of rows: it counts once. */
function createUntold(): (section: { place: string; text: string }) => string {
  let sheet = ''
  let head = ''
  return ({ place, text }) => {
    if (!place.includes('"sheet"')) return text
    const parsed = placeSchema.parse(JSON.parse(place))
    if (parsed.kind !== 'sheet') return text
    const line = text.indexOf('\n')
    const first = line === -1 ? text : text.slice(0, line)
    const isRepeated = parsed.sheet === sheet && first === head && line !== -1
    ;[sheet, head] = [parsed.sheet, first]
    return isRepeated ? text.slice(line + 1) : text
  }
}
