import type { Hit, SearchResult } from '../../contract/search.ts'
import { statFileOf } from '../store/store.ts'
import type { Search } from './search.ts'
import { heldBy, type FoundHit, type Holder } from './searcher.ts'

const longestStatMs = 300
const mostHits = 1000

export const awayNote: SearchResult['notes'][number] = {
  code: 'not-reachable',
  message: 'Some of what was found lies in a folder that is not reachable now: it is shown as it was read.',
}

export function isAway({ unreachableSince }: Pick<Hit, 'unreachableSince'>): boolean {
  return unreachableSince !== null
}

export function shownHit({ contentHash: _contentHash, holders: _holders, ...hit }: FoundHit): Hit {
  return hit
}

/**
 * A search whose hits are in files that are still there: one that was deleted a moment ago, before its folder's follower heard of it,
 * is not shown nor cited, and the next best takes its place. What lies in a folder that is away is shown, and marked.
 */
export function searchPresent(search: Search, now: () => number): Search {
  return {
    ...search,
    async query(request, options) {
      const wanted = request.k ?? 10
      for (let k = wanted; ; k = Math.min(mostHits, k * 4)) {
        const found = await search.query({ ...request, k }, options)
        const hits = (await presentHits(found.hits, now())).slice(0, wanted)
        if (hits.length < wanted && found.hits.length >= k && k < mostHits) continue
        const notes = found.result.notes.filter(({ code }) => code !== awayNote.code)
        if (hits.some(isAway)) notes.push(awayNote)
        return { ...found, hits, result: { ...found.result, hits: hits.map(shownHit), notes } }
      }
    },
  }
}

/** Each named after a file that is there, or else after one in a folder that is away; without those that are nowhere. */
export async function presentHits(hits: readonly FoundHit[], now: number): Promise<FoundHit[]> {
  const roots = new Map<string, Promise<boolean>>()
  const isThere = (root: string): Promise<boolean> => {
    let known = roots.get(root)
    if (!known) roots.set(root, (known = isPresent(root)))
    return known
  }
  const look = async (holder: Holder): Promise<Holder | null> => {
    if (holder.unreachableSince !== null || (await isPresent(holder.path))) return holder
    return (await isThere(holder.root)) || holder.root === holder.path ? null : { ...holder, unreachableSince: now }
  }
  const looked = await Promise.all(
    hits.map(async (hit) => {
      const holders = (await Promise.all(hit.holders.map(look))).filter((holder) => holder !== null)
      if (holders.length === 0) return []
      const ordered = [...holders.filter((holder) => !isAway(holder)), ...holders.filter(isAway)]
      return [{ ...hit, ...heldBy(ordered) }]
    }),
  )
  return looked.flat().map((hit, index) => ({ ...hit, rank: index + 1 }))
}

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
