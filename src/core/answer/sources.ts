import type { Citation, Source } from '../../contract/answer.ts'
import type { FoundHit } from '../search/search.ts'
import { roughTokens } from '../models/models.ts'
import { statFileOf } from '../store/store.ts'
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

/**
 * Hits whose file is still there: one that was deleted a moment ago, before the folder's follower heard of it, is not cited. One
 * whose whole folder is known to be away is, with a note.
 */
export async function existing(hits: FoundHit[]): Promise<FoundHit[]> {
  const present = await Promise.all(hits.map((hit) => hit.unreachableSince !== null || isPresent(hit.path)))
  return hits.filter((_hit, index) => present[index])
}

const longestStatMs = 300

/** A drive that does not answer is not a deleted file. */
async function isPresent(path: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  try {
    await Promise.race([statFileOf(path), new Promise((resolve) => (timer = setTimeout(resolve, longestStatMs)))])
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code !== 'ENOENT' && code !== 'ENOTDIR'
  } finally {
    clearTimeout(timer)
  }
}

export function citationOf(source: Source, quote: string): Citation {
  const { marker, path, documentId, passageId, contentHash } = source
  const place = placeOfQuote(source.place, source.text, quote)
  return { marker, path, place, quote, documentId, passageId, contentHash }
}
