import { sep } from 'node:path'
import type { WriteContext } from './write-context.ts'
import { releaseContent } from './write-sweep.ts'

interface InnerRow {
  id: number
  inner_path: string
  content_id: number | null
}

/** All that lies in a document, also in what lies in it. */
function innerOf(context: WriteContext, documentId: number): InnerRow[] {
  return context
    .prepare(
      `WITH RECURSIVE inside(id) AS (
         SELECT id FROM documents WHERE parent_id = ? UNION ALL SELECT documents.id FROM documents JOIN inside ON documents.parent_id = inside.id)
       SELECT id, inner_path, content_id FROM documents WHERE id IN (SELECT id FROM inside)`,
    )
    .all(documentId) as unknown as InnerRow[]
}

/** With all that lies in it. */
export function removeDocument(context: WriteContext, documentId: number): void {
  const inside = innerOf(context, documentId)
  const row = context.prepare('DELETE FROM documents WHERE id = ? RETURNING content_id').all(documentId)[0] as
    { content_id: number | null } | undefined
  for (const { content_id } of [...inside, ...(row === undefined ? [] : [row])]) releaseContent(context, content_id)
}

export function removeInner(context: WriteContext, documentId: number): void {
  const rows = context.prepare('SELECT id FROM documents WHERE parent_id = ?').all(documentId) as { id: number }[]
  for (const { id } of rows) removeDocument(context, id)
}

/** Out of the way of other paths, until `followFile`. */
export function parkInner(context: WriteContext, documentId: number): void {
  const park = context.prepare("UPDATE documents SET path = char(0) || 'moved ' || id WHERE id = ?")
  for (const { id } of innerOf(context, documentId)) park.run(id)
}

/** What lies in a file goes with its path, its folder and its time. */
export function followFile(context: WriteContext, documentId: number): void {
  const inside = innerOf(context, documentId)
  if (inside.length === 0) return
  const file = context.prepare('SELECT path, folder_id, modified_ms FROM documents WHERE id = ?').get(documentId) as {
    path: string
    folder_id: number
    modified_ms: number
  }
  const follow = context.prepare('UPDATE documents SET path = ?, folder_id = ?, modified_ms = ? WHERE id = ?')
  for (const { id, inner_path } of inside) follow.run(file.path + sep + inner_path, file.folder_id, file.modified_ms, id)
}

interface Around {
  path: string
  folder_id: number
  inner_path: string | null
  modified_ms: number
}

interface Named {
  path: string
  kind: string
  hash: string
  size: number
}

/** A document that has this content has what lies in it: the same bytes at the same place stay as they are. */
export function matchInner(context: WriteContext, documentId: number, contentId: number): void {
  const named = context
    .prepare('SELECT path, kind, hash, size FROM inner_documents WHERE content_id = ? ORDER BY ordinal')
    .all(contentId) as unknown as Named[]
  const before = context.prepare('SELECT id, path, hash, status, reason FROM documents WHERE parent_id = ?').all(documentId) as {
    id: number
    path: string
    hash: string | null
    status: string
  }[]
  if (named.length === 0 && before.length === 0) return
  const around = context
    .prepare('SELECT path, folder_id, inner_path, modified_ms FROM documents WHERE id = ?')
    .get(documentId) as unknown as Around
  const left = new Map(before.map((row) => [row.path, row]))
  const now = context.now()
  const add = context.prepare(`
    INSERT INTO documents (folder_id, parent_id, path, inner_path, kind, size, modified_ms, hash, status, added_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?)`)
  const keep = context.prepare(`
    UPDATE documents SET modified_ms = ?1, size = ?2, kind = iif(hash = ?3, kind, ?4), attempts = iif(hash = ?3, attempts, 0),
      status = iif(hash = ?3 AND NOT (status = 'failed' AND json_extract(reason, '$.code') IN ('gone', 'changed-while-reading')), status, 'waiting'),
      hash = ?3 WHERE id = ?5`)
  for (const { path, kind, hash, size } of named) {
    const below = path.replaceAll('/', sep)
    const whole = around.path + sep + below
    const known = left.get(whole)
    left.delete(whole)
    if (known !== undefined) {
      keep.run(around.modified_ms, size, hash, kind, known.id)
      continue
    }
    // A file that was there before this one became a file.
    const holder = context.prepare('SELECT id FROM documents WHERE path = ?').get(whole) as { id: number } | undefined
    if (holder !== undefined) removeDocument(context, holder.id)
    const inner = around.inner_path === null ? below : around.inner_path + sep + below
    add.run(around.folder_id, documentId, whole, inner, kind, size, around.modified_ms, hash, now, now)
  }
  for (const { id } of left.values()) removeDocument(context, id)
}
