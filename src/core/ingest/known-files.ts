import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKind, DocumentStatus } from '../../contract/library.ts'
import type { KnownFile, Store } from '../store/store.ts'
import type { KnownState } from './compare.ts'

/** Rows a time: a few milliseconds, so that a folder of a hundred thousand files does not hold the event loop. */
const chunk = 2000

/**
 * Many small rows are handed over as a few long strings, which costs a fifth. The four are made of the same rows in the same
 * order; a time is written with all its digits; no path has a zero character in it.
 */
const columns = `group_concat(path, char(0)) AS paths, group_concat(id) AS ids, group_concat(size) AS sizes,
  group_concat(printf('%!.17g', modified_ms)) AS times, count(*) AS count, max(path) AS last`

interface Packed {
  paths: string
  ids: string
  sizes: string
  times: string
  count: number
  last: string
}

function unpack(packed: Packed, known: Map<string, KnownState>): void {
  if (packed.count === 0) return
  const [ids, sizes, times] = [packed.ids.split(','), packed.sizes.split(','), packed.times.split(',')]
  packed.paths.split('\0').forEach((path, index) => {
    known.set(path, { documentId: Number(ids[index]), path, sizeBytes: Number(sizes[index]), modifiedMs: Number(times[index]) })
  })
}

/** The documents of a folder by path; with `only`, those at these paths and below them. */
export async function knownFiles(store: Store, folderId: number, only: ReadonlySet<string> | null): Promise<Map<string, KnownState>> {
  const known = new Map<string, KnownState>()
  if (only !== null) {
    const at = store.reader.prepare(`SELECT ${columns} FROM documents WHERE folder_id = ? AND (path = ? OR (path > ? AND path < ?))`)
    for (const path of only) {
      // The character after the separator ends the range of what lies below.
      unpack(at.get(folderId, path, path + sep, path + String.fromCharCode(sep.charCodeAt(0) + 1)) as unknown as Packed, known)
    }
    return known
  }
  const next = store.reader.prepare(
    `SELECT ${columns} FROM (SELECT path, id, size, modified_ms FROM documents WHERE folder_id = ? AND path > ? ORDER BY path LIMIT ${chunk})`,
  )
  for (let last = ''; ;) {
    const packed = next.get(folderId, last) as unknown as Packed
    unpack(packed, known)
    if (packed.count < chunk) return known
    last = packed.last
    await setImmediate()
  }
}

/** The rest of what is known of these, for the few that did not stay as they were. Documents that went meanwhile are missing. */
export async function knownDetails(store: Store, states: readonly KnownState[]): Promise<Map<number, KnownFile>> {
  const details = new Map<number, KnownFile>()
  const one = store.reader.prepare('SELECT hash, status, kind FROM documents WHERE id = ?')
  for (const [index, state] of states.entries()) {
    const row = one.get(state.documentId) as { hash: string | null; status: DocumentStatus; kind: DocumentKind } | undefined
    if (row !== undefined) details.set(state.documentId, { ...state, ...row })
    if (index % chunk === chunk - 1) await setImmediate()
  }
  return details
}
