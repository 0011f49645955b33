import { stat } from 'node:fs/promises'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Citation, OpenedCitation, Turn } from '../../contract/answer.ts'
import { SikuError } from '../../contract/errors.ts'
import { filePathOf } from '../store/store.ts'

interface FileRow {
  id: number
  /** Of the file that it is, or lies in; its size too. */
  path: string
  size: number
  modified_ms: number
  /** Null: its folder can be reached. */
  since: number | null
}

const columns = `SELECT d.id, ${filePathOf('d')} AS path, d.modified_ms,
  iif(d.parent_id IS NULL, d.size, (SELECT size FROM documents WHERE path = ${filePathOf('d')})) AS size,
  iif(f.reachable = 0, f.unreachable_since, NULL) AS since FROM documents d JOIN folders f ON f.id = d.folder_id WHERE f.removed_at IS NULL AND`

/** A citation of the turn; a source that was not cited can be opened as well, with its whole passage as the quote. */
export function citationIn(turn: Turn, marker: number): Citation {
  const citation = turn.citations.find((each) => each.marker === marker)
  if (citation !== undefined) return citation
  const source = turn.sources.find((each) => each.marker === marker)
  if (source === undefined) throw new SikuError('not-found', `The answer has no source [${marker}].`)
  const { path, place, documentId, passageId, contentHash } = source
  return { marker, path, place, quote: source.text, documentId, passageId, contentHash }
}

/**
 * What is there now of what was cited. The same bytes count as current wherever they lie by now; what was read of a folder that
 * is away is `unreachable`; other bytes under the same document or path are `changed`; a file that is gone is never current, even
 * before its folder's follower heard of it.
 */
export async function openCitation(reader: DatabaseSyncInstance, citation: Citation): Promise<OpenedCitation> {
  const own = reader.prepare(`${columns} d.id = ?`).get(citation.documentId) as unknown as FileRow | undefined
  const same = reader.prepare(`${columns} d.hash = ? ORDER BY d.id = ? DESC, d.path = ? DESC, d.id`)
  const candidates = same.all(citation.contentHash, citation.documentId, citation.path) as unknown as FileRow[]
  for (const row of candidates) {
    const found = await onDisk(row)
    if (found === 'same' || (found === 'silent' && row.since === null))
      return { state: 'current', citation, documentId: row.id, unreachableSince: null }
  }
  const away = candidates.find(({ since }) => since !== null)
  if (away !== undefined) return { state: 'unreachable', citation, documentId: away.id, unreachableSince: away.since }
  const atPath = reader.prepare(`${columns} d.path = ?`).get(citation.path) as unknown as FileRow | undefined
  for (const row of [own, atPath, ...candidates]) {
    if (row !== undefined && (await onDisk(row)) !== 'gone')
      return { state: 'changed', citation, documentId: row.id, unreachableSince: null }
  }
  return { state: 'gone', citation, documentId: null, unreachableSince: null }
}

/** `other`: it was written to since it was read; `silent`: the drive does not say. */
async function onDisk(row: FileRow): Promise<'same' | 'other' | 'gone' | 'silent'> {
  try {
    const found = await stat(row.path)
    return found.size === row.size && Math.abs(found.mtimeMs - row.modified_ms) < 2 ? 'same' : 'other'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'silent'
  }
}
