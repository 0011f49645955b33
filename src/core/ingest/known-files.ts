import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { DocumentKind, DocumentStatus } from '../../contract/library.ts'
import type { KnownFile, Store } from '../store/store.ts'

/** Rows a time: a few milliseconds, so that a folder of a hundred thousand files does not hold the event loop. */
const chunk = 2000

interface Row {
  id: number
  path: string
  size: number
  modified_ms: number
  hash: string | null
  status: DocumentStatus
  kind: DocumentKind
}

const columns = 'id, path, size, modified_ms, hash, status, kind'

function toKnown(row: Row): KnownFile {
  const { path, hash, status, kind } = row
  return { documentId: row.id, path, sizeBytes: row.size, modifiedMs: row.modified_ms, hash, status, kind }
}

/** The documents of a folder by path; with `only`, those at these paths and below them. */
export async function knownFiles(store: Store, folderId: number, only: ReadonlySet<string> | null): Promise<Map<string, KnownFile>> {
  const known = new Map<string, KnownFile>()
  if (only !== null) {
    const at = store.reader.prepare(`SELECT ${columns} FROM documents WHERE folder_id = ? AND path = ?`)
    const below = store.reader.prepare(`SELECT ${columns} FROM documents WHERE folder_id = ? AND path > ? AND path < ?`)
    for (const path of only) {
      // The character after the separator ends the range of what lies below.
      const rows = [...at.all(folderId, path), ...below.all(folderId, path + sep, path + String.fromCharCode(sep.charCodeAt(0) + 1))]
      for (const row of rows as unknown as Row[]) known.set(row.path, toKnown(row))
    }
    return known
  }
  const next = store.reader.prepare(`SELECT ${columns} FROM documents WHERE folder_id = ? AND path > ? ORDER BY path LIMIT ${chunk}`)
  for (let last = ''; ;) {
    const rows = next.all(folderId, last) as unknown as Row[]
    for (const row of rows) known.set(row.path, toKnown(row))
    if (rows.length < chunk) return known
    last = rows[rows.length - 1]!.path
    await setImmediate()
  }
}
