import { SikuError } from '../../contract/errors.ts'
import type { NewVector } from './store-types.ts'
import { activeModel, type WriteContext } from './write-context.ts'
import { addMeans, blobOf, type MeanChange } from './write-means.ts'

/** From scratch, for the rare changes that touch many contents: another model, a folder removed or restored. */
export function rebuildPending(context: WriteContext): void {
  const model = activeModel(context)
  context.prepare('DELETE FROM pending_texts').run()
  if (model === null) return
  context
    .prepare(
      `INSERT INTO pending_texts (passage_id, text_hash)
       SELECT min(passages.id), passages.text_hash FROM passages
       WHERE content_id IN (SELECT content_id FROM live_documents)
         AND NOT EXISTS (SELECT 1 FROM vectors WHERE model_id = ? AND vectors.text_hash = passages.text_hash)
       GROUP BY passages.text_hash`,
    )
    .run(model)
}

/** Means and counts of a model that was not active while contents came and went. */
function recount(context: WriteContext, modelId: number): void {
  context.prepare('DELETE FROM content_means WHERE model_id = ?').run(modelId)
  context.prepare('UPDATE contents SET embedded = 0 WHERE embedded <> 0').run()
  const rows = context
    .prepare(
      `SELECT passages.content_id, passages.language, vectors.vector FROM passages
       JOIN contents ON contents.id = passages.content_id AND contents.complete = 1
       JOIN vectors ON vectors.model_id = ? AND vectors.text_hash = passages.text_hash AND vectors.vector IS NOT NULL
       ORDER BY passages.content_id`,
    )
    .iterate(modelId) as Iterable<{ content_id: number; language: string; vector: Uint8Array }>
  const count = context.prepare('UPDATE contents SET embedded = ? WHERE id = ?')
  let changes: MeanChange[] = []
  function flush(): void {
    const contentId = changes[0]?.contentId
    if (contentId === undefined) return
    addMeans(context, modelId, changes)
    count.run(changes.length, contentId)
    changes = []
  }
  for (const row of rows) {
    if (changes[0] && changes[0].contentId !== row.content_id) flush()
    changes.push({ contentId: row.content_id, language: row.language, count: 1, vector: row.vector.slice() })
  }
  flush()
}

export const vectorWrites = {
  useModel(context: WriteContext, { key, dimensions }: { key: string; dimensions: number }): { modelId: number; changed: boolean } {
    const known = context.prepare('SELECT id, dimensions, active FROM embedding_models WHERE key = ?').get(key) as
      { id: number; dimensions: number; active: number } | undefined
    if (known && known.dimensions !== dimensions) {
      throw new SikuError('conflict', `vectors of ${key} have ${known.dimensions} dimensions, not ${dimensions}`)
    }
    if (known?.active) return { modelId: known.id, changed: false }
    const modelId =
      known?.id ??
      Number(context.prepare('INSERT INTO embedding_models (key, dimensions) VALUES (?, ?)').run(key, dimensions).lastInsertRowid)
    context.prepare('UPDATE embedding_models SET active = (id = ?)').run(modelId)
    recount(context, modelId)
    rebuildPending(context)
    return { modelId, changed: true }
  },

  putVectors(context: WriteContext, { modelId, vectors }: { modelId: number; vectors: NewVector[] }): void {
    const active = activeModel(context) === modelId
    const row = context.prepare('SELECT dimensions FROM embedding_models WHERE id = ?').get(modelId) as { dimensions: number } | undefined
    if (!row) throw new SikuError('not-found', 'the embedding model is not known to the store')
    const wanted = context.prepare('SELECT 1 FROM passages WHERE text_hash = ? LIMIT 1')
    const upsert = context.prepare(`
      INSERT INTO vectors (model_id, text_hash, language, vector, problem) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (model_id, text_hash) DO UPDATE SET vector = excluded.vector, problem = excluded.problem WHERE vectors.vector IS NULL
      RETURNING id`)
    const note = context.prepare('INSERT INTO vector_changes (model_id, vector_id, language, added) VALUES (?, ?, ?, 1)')
    const done = context.prepare('DELETE FROM pending_texts WHERE text_hash = ?')
    const holders = context.prepare(`
      SELECT passages.content_id AS contentId, passages.language, count(*) AS count FROM passages
      JOIN contents ON contents.id = passages.content_id AND contents.complete = 1
      WHERE passages.text_hash = ? GROUP BY passages.content_id, passages.language`)
    const changes: MeanChange[] = []
    for (const { textHash, language, vector, problem } of vectors) {
      if (vector && vector.length !== row.dimensions)
        throw new SikuError('embedding', `a vector has ${vector.length} dimensions, not ${row.dimensions}`)
      // Its last passage went while it was embedded.
      if (!wanted.get(textHash)) continue
      if (active) done.run(textHash)
      const stored = upsert.all(modelId, textHash, language, vector && blobOf(vector), problem)[0] as { id: number } | undefined
      if (!stored || !vector) continue
      note.run(modelId, stored.id, language)
      if (active) for (const holder of holders.all(textHash) as Omit<MeanChange, 'vector'>[]) changes.push({ ...holder, vector })
    }
    addMeans(context, modelId, changes)
    const counts = new Map<number, number>()
    for (const change of changes) counts.set(change.contentId, (counts.get(change.contentId) ?? 0) + change.count)
    const count = context.prepare('UPDATE contents SET embedded = embedded + ? WHERE id = ?')
    for (const [contentId, more] of counts) count.run(more, contentId)
  },

  retryProblems(context: WriteContext, modelId: number): number {
    const { changes } = context.prepare('DELETE FROM vectors WHERE model_id = ? AND vector IS NULL').run(modelId)
    if (changes > 0 && activeModel(context) === modelId) rebuildPending(context)
    return changes
  },
}
