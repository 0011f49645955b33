import type { WriteContext } from './write-context.ts'

/** A vector goes with the last passage that has its text; the index hears of it through `vector_changes`. */
function removeVectors(context: WriteContext, textHash: string): void {
  const rows = context.prepare('SELECT id, model_id, language, vector IS NOT NULL AS found FROM vectors WHERE text_hash = ?')
  const forget = context.prepare('INSERT INTO vector_changes (model_id, vector_id, language, added) VALUES (?, ?, ?, 0)')
  for (const row of rows.all(textHash) as { id: number; model_id: number; language: string; found: number }[]) {
    if (row.found) forget.run(row.model_id, row.id, row.language)
    context.prepare('DELETE FROM vectors WHERE id = ?').run(row.id)
  }
}

/** The texts of a content wait no more, unless another live content has them too. */
function removePending(context: WriteContext, contentId: number): void {
  const rows = context
    .prepare('DELETE FROM pending_texts WHERE passage_id IN (SELECT id FROM passages WHERE content_id = ?) RETURNING text_hash')
    .all(contentId) as { text_hash: string }[]
  const waits = context.prepare(`
    INSERT OR IGNORE INTO pending_texts (passage_id, text_hash)
    SELECT min(passages.id), passages.text_hash FROM passages JOIN live_documents ON live_documents.content_id = passages.content_id
    WHERE passages.text_hash = ? AND passages.content_id <> ? GROUP BY passages.text_hash`)
  for (const row of rows) waits.run(row.text_hash, contentId)
}

/** After a document let go of its content: the content stays for a while, as the same bytes may come back under another path. */
export function releaseContent(context: WriteContext, contentId: number | null): void {
  if (contentId === null || context.prepare('SELECT 1 FROM live_documents WHERE content_id = ? LIMIT 1').get(contentId)) return
  removePending(context, contentId)
}

/** With passages, terms, and vectors that nobody else uses. */
export function removeContents(context: WriteContext, contentIds: number[]): void {
  const hashes = new Set<string>()
  const passagesOf = context.prepare('SELECT id, text_hash FROM passages WHERE content_id = ?')
  const removeTerms = context.prepare('DELETE FROM passages_fts WHERE rowid = ?')
  context.flushTerms()
  // All terms first: what comes after makes FTS5 write out what it holds.
  for (const contentId of contentIds) {
    for (const passage of passagesOf.all(contentId) as { id: number; text_hash: string }[]) {
      removeTerms.run(passage.id)
      hashes.add(passage.text_hash)
    }
  }
  for (const contentId of contentIds) {
    removePending(context, contentId)
    context.prepare('DELETE FROM content_means WHERE content_id = ?').run(contentId)
    context.prepare('DELETE FROM passages WHERE content_id = ?').run(contentId)
    context.prepare('DELETE FROM sections WHERE content_id = ?').run(contentId)
    context.prepare('DELETE FROM inner_documents WHERE content_id = ?').run(contentId)
    context.prepare('DELETE FROM contents WHERE id = ?').run(contentId)
  }
  const another = context.prepare('SELECT id FROM passages WHERE text_hash = ? LIMIT 1')
  for (const hash of hashes) {
    if (!another.get(hash)) removeVectors(context, hash)
  }
}

/** Documents of removed folders count as users: their removal can be undone until the next start. */
export function removeIfUnused(context: WriteContext, contentId: number): boolean {
  if (context.underway.has(contentId)) return false
  if (context.prepare('SELECT 1 FROM documents WHERE content_id = ? LIMIT 1').get(contentId)) return false
  removeContents(context, [contentId])
  return true
}

export const sweepWrites = {
  /** Some of the contents nobody needs; call it until it says none. */
  sweepSome(context: WriteContext, limit: number): number {
    const unfinished = context.prepare('SELECT id FROM contents WHERE complete = 0').all() as { id: number }[]
    const unused = context
      .prepare(
        'SELECT id FROM contents WHERE complete = 1 AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.content_id = contents.id)',
      )
      .all() as { id: number }[]
    const targets = [...unfinished, ...unused].filter((row) => !context.underway.has(row.id)).slice(0, limit)
    removeContents(
      context,
      targets.map((row) => row.id),
    )
    return targets.length
  },

  /** What was removed in an earlier session cannot be brought back any more. */
  dropRemoved(context: WriteContext): number {
    const chats = context.prepare('DELETE FROM chats WHERE removed_at IS NOT NULL').run().changes
    context.prepare("DELETE FROM drafts WHERE chat_id <> '' AND chat_id NOT IN (SELECT id FROM chats)").run()
    const memories = context.prepare('DELETE FROM memories WHERE removed_at IS NOT NULL').run().changes
    return chats + memories + context.prepare('DELETE FROM folders WHERE removed_at IS NOT NULL').run().changes
  },
}
