import type { DocumentStatus, Reason } from '../../contract/library.ts'
import type { ScanChanges, ScanEnd } from './store-types.ts'
import type { WriteContext } from './write-context.ts'
import { followFile, parkInner, removeDocument, removeInner } from './write-inner.ts'
import { releaseContent } from './write-sweep.ts'
import { rebuildPending } from './write-vectors.ts'

function reasonText(reason: Reason | null): string | null {
  return reason ? JSON.stringify(reason) : null
}

interface Holder {
  id: number
  folder_id: number
  parent_id: number | null
}

function holderOf(context: WriteContext, path: string): Holder | null {
  const row = context.prepare('SELECT id, folder_id, parent_id FROM documents WHERE path = ?').get(path) as Holder | undefined
  return row ?? null
}

function applyMoves(context: WriteContext, moved: ScanChanges['moved']): void {
  const park = context.prepare("UPDATE documents SET path = char(0) || 'moved ' || id WHERE id = ?")
  const settle = context.prepare('UPDATE documents SET path = ?, kind = ?, size = ?, modified_ms = ?, updated_at = ? WHERE id = ?')
  // First all away, then all in: two files may have changed places.
  for (const { documentId } of moved) {
    parkInner(context, documentId)
    park.run(documentId)
  }
  for (const move of moved) {
    const holder = holderOf(context, move.path)
    if (holder) removeDocument(context, holder.id)
    settle.run(move.path, move.kind, move.sizeBytes, move.modifiedMs, context.now(), move.documentId)
    followFile(context, move.documentId)
  }
}

/** A path that another folder holds, one around this one or a removed one, goes to the folder that has it now, with what was read. */
function addDocuments(context: WriteContext, folderId: number, added: ScanChanges['added']): void {
  const now = context.now()
  const add = context.prepare(`
    INSERT INTO documents (folder_id, path, kind, size, modified_ms, status, reason, added_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const takeOver = context.prepare(`
    UPDATE documents SET folder_id = ?, kind = ?, attempts = 0, updated_at = ?,
      status = iif(size = ? AND modified_ms = ? AND content_id IS NOT NULL, status, ?),
      reason = iif(size = ? AND modified_ms = ? AND content_id IS NOT NULL, reason, NULL), size = ?, modified_ms = ? WHERE id = ?`)
  let takenOver = false
  for (const file of added) {
    const holder = holderOf(context, file.path)
    // What lay in a file that is a directory now.
    const inside = holder !== null && holder.parent_id !== null
    if (holder?.folder_id === folderId && !inside) continue
    if (holder && !inside && file.status === 'waiting') {
      const { kind, sizeBytes, modifiedMs, status } = file
      takeOver.run(folderId, kind, now, sizeBytes, modifiedMs, status, sizeBytes, modifiedMs, sizeBytes, modifiedMs, holder.id)
      followFile(context, holder.id)
      takenOver = true
      continue
    }
    if (holder) removeDocument(context, holder.id)
    add.run(folderId, file.path, file.kind, file.sizeBytes, file.modifiedMs, file.status, reasonText(file.reason), now, now)
  }
  if (takenOver) rebuildPending(context)
}

export const documentWrites = {
  applyScan(context: WriteContext, { folderId, changes, end }: { folderId: number; changes: ScanChanges; end: ScanEnd | null }): void {
    const stillHere = context.prepare('SELECT 1 FROM documents WHERE id = ? AND folder_id = ?')
    // Not one that a folder inside took over while this one was looked at.
    for (const { documentId } of changes.removed) if (stillHere.get(documentId, folderId)) removeDocument(context, documentId)
    applyMoves(context, changes.moved)
    const touch = context.prepare('UPDATE documents SET size = ?, modified_ms = ? WHERE id = ?')
    for (const { sizeBytes, modifiedMs, documentId } of changes.touched) {
      touch.run(sizeBytes, modifiedMs, documentId)
      followFile(context, documentId)
    }
    const change = context.prepare('UPDATE documents SET kind = ?, size = ?, modified_ms = ?, attempts = 0 WHERE id = ?')
    for (const { documentId, kind, sizeBytes, modifiedMs, status, reason } of changes.changed) {
      change.run(kind, sizeBytes, modifiedMs, documentId)
      documentWrites.setStatus(context, { documentId, status, reason })
    }
    addDocuments(context, folderId, changes.added)
    if (end) {
      context
        .prepare(
          'UPDATE folders SET left_out = ?, scanned_at = ?, device = coalesce(?, device), reachable = 1, unreachable_since = NULL WHERE id = ?',
        )
        .run(JSON.stringify(end.leftOut), end.scannedAt, end.device ?? null, folderId)
    }
  },

  setStatus(
    context: WriteContext,
    { documentId, status, reason }: { documentId: number; status: DocumentStatus; reason: Reason | null },
  ): void {
    const before = context.prepare('SELECT content_id FROM documents WHERE id = ?').get(documentId) as
      { content_id: number | null } | undefined
    context
      .prepare('UPDATE documents SET status = ?, reason = ?, updated_at = ? WHERE id = ?')
      .run(status, reasonText(reason), context.now(), documentId)
    if (!before || (status !== 'failed' && status !== 'skipped')) return
    removeInner(context, documentId)
    context.prepare('UPDATE documents SET content_id = NULL WHERE id = ?').run(documentId)
    releaseContent(context, before.content_id)
  },

  beginReading(context: WriteContext, documentIds: number[]): void {
    const begin = context.prepare("UPDATE documents SET status = 'reading', attempts = attempts + 1 WHERE id = ?")
    for (const documentId of documentIds) begin.run(documentId)
  },

  resetReading(context: WriteContext): number {
    return context.prepare("UPDATE documents SET status = 'waiting' WHERE status = 'reading'").run().changes
  },

  addFolder(context: WriteContext, folder: { path: string; single: boolean; sample: boolean; copied: boolean }): number {
    const known = context.prepare('SELECT id, removed_at FROM folders WHERE path = ?').get(folder.path) as
      { id: number; removed_at: number | null } | undefined
    const flags = [Number(folder.single), Number(folder.sample), Number(folder.copied)]
    if (!known) {
      const { lastInsertRowid } = context
        .prepare('INSERT INTO folders (single, sample, copied, path, added_at) VALUES (?, ?, ?, ?, ?)')
        .run(...flags, folder.path, context.now())
      return Number(lastInsertRowid)
    }
    if (known.removed_at !== null) {
      context
        .prepare(
          'UPDATE folders SET single = ?, sample = ?, copied = ?, removed_at = NULL, paused = 0, reachable = 1, unreachable_since = NULL WHERE id = ?',
        )
        .run(...flags, known.id)
      rebuildPending(context)
    }
    return known.id
  },

  removeFolder(context: WriteContext, folderId: number): void {
    context.prepare('UPDATE folders SET removed_at = ? WHERE id = ? AND removed_at IS NULL').run(context.now(), folderId)
    if (context.prepare('SELECT 1 FROM pending_texts LIMIT 1').get()) rebuildPending(context)
  },

  restoreFolder(context: WriteContext, folderId: number): void {
    context.prepare('UPDATE folders SET removed_at = NULL WHERE id = ?').run(folderId)
    rebuildPending(context)
  },

  setPaused(context: WriteContext, { folderId, paused }: { folderId: number; paused: boolean }): void {
    context.prepare('UPDATE folders SET paused = ? WHERE id = ?').run(Number(paused), folderId)
  },

  setReachable(context: WriteContext, { folderId, reachable }: { folderId: number; reachable: boolean }): void {
    context
      .prepare('UPDATE folders SET unreachable_since = iif(?1, NULL, coalesce(unreachable_since, ?3)), reachable = ?1 WHERE id = ?2')
      .run(Number(reachable), folderId, context.now())
  },
}
