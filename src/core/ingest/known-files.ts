import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKind, DocumentStatus } from '../../contract/library.ts'
import type { KnownFile, Store } from '../store/store.ts'
import type { KnownState } from './compare.ts'

/** Rows a time: a few milliseconds, so that a folder of a hundred thousand files does not hold the event loop. */
const chunk = 2000

/** As arrays: as objects, ten thousand rows cost as much as walking the folder. */
type Row = [path: string, id: number, size: number, modifiedMs: number | null]

/** Not what its file was, but whether it could be reached decided these: they are looked at anew at every scan. */
const columns = `path, id, size,
  iif(status = 'failed' AND json_extract(reason, '$.code') IN ('gone', 'no-permission', 'changed-while-reading'), NULL, modified_ms)`

function addTo(known: Map<string, KnownState>, rows: Row[]): void {
  for (const [path, documentId, sizeBytes, modifiedMs] of rows)
    known.set(path, { documentId, path, sizeBytes, modifiedMs: modifiedMs ?? Number.NaN })
}

/** The files of a folder by path, without what lies in them; with `only`, those at these paths and below them. */
export async function knownFiles(store: Store, folderId: number, only: ReadonlySet<string> | null): Promise<Map<string, KnownState>> {
  const known = new Map<string, KnownState>()
  if (only !== null) {
    const at = store.reader.prepare(
      `SELECT ${columns} FROM documents WHERE folder_id = ? AND parent_id IS NULL AND (path = ? OR (path > ? AND path < ?))`,
    )
    at.setReturnArrays(true)
    for (const path of only) {
      // The character after the separator ends the range of what lies below.
      addTo(known, at.all(folderId, path, path + sep, path + String.fromCharCode(sep.charCodeAt(0) + 1)) as unknown as Row[])
    }
    return known
  }
  const next = store.reader.prepare(
    `SELECT ${columns} FROM documents WHERE folder_id = ? AND parent_id IS NULL AND path > ? ORDER BY path LIMIT ${chunk}`,
  )
  next.setReturnArrays(true)
  for (let last = ''; ;) {
    const rows = next.all(folderId, last) as unknown as Row[]
    addTo(known, rows)
    if (rows.length < chunk) return known
    last = rows.at(-1)![0]
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
