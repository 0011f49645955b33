import type { Memory } from '../../contract/memory.ts'
import { SikuError } from '../../contract/errors.ts'
import type { WriteContext } from './write-context.ts'
import { blobOf } from './write-means.ts'

/** A memory that says something else than it did has no vector any more. */
function dropVectors(context: WriteContext, id: string): void {
  context.prepare('DELETE FROM memory_vectors WHERE memory_id = ?').run(id)
}

export const memoryWrites = {
  addMemories(context: WriteContext, memories: Memory[]): void {
    const insert = context.prepare(
      'INSERT INTO memories (id, text, kind, source, created_at, updated_at, used_at, uses) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    for (const { id, text, kind, source, createdAt, updatedAt, usedAt, uses } of memories)
      insert.run(id, text, kind, JSON.stringify(source), createdAt, updatedAt, usedAt, uses)
  },

  /** False when it is not there, or removed. */
  updateMemory(context: WriteContext, memory: Pick<Memory, 'id' | 'text' | 'kind' | 'source' | 'updatedAt'>): boolean {
    const { id, text, kind, source, updatedAt } = memory
    const { changes } = context
      .prepare('UPDATE memories SET text = ?, kind = ?, source = ?, updated_at = ? WHERE id = ? AND removed_at IS NULL')
      .run(text, kind, JSON.stringify(source), updatedAt, id)
    if (changes > 0) dropVectors(context, id)
    return changes > 0
  },

  removeMemory(context: WriteContext, { id, at }: { id: string; at: number }): boolean {
    return context.prepare('UPDATE memories SET removed_at = ? WHERE id = ? AND removed_at IS NULL').run(at, id).changes > 0
  },

  restoreMemory(context: WriteContext, id: string): boolean {
    return context.prepare('UPDATE memories SET removed_at = NULL WHERE id = ?').run(id).changes > 0
  },

  clearMemories(context: WriteContext, at: number): number {
    return context.prepare('UPDATE memories SET removed_at = ? WHERE removed_at IS NULL').run(at).changes
  },
}

export const memoryUpkeepWrites = {
  /** Of texts as they were embedded: one that changed meanwhile waits for its own vector. */
  putMemoryVectors(
    context: WriteContext,
    { key, dimensions, vectors }: { key: string; dimensions: number; vectors: { id: string; text: string; vector: Float32Array }[] },
  ): void {
    context.prepare('INSERT INTO embedding_models (key, dimensions) VALUES (?, ?) ON CONFLICT (key) DO NOTHING').run(key, dimensions)
    const model = context.prepare('SELECT id, dimensions FROM embedding_models WHERE key = ?').get(key) as {
      id: number
      dimensions: number
    }
    const insert = context.prepare(
      `INSERT INTO memory_vectors (model_id, memory_id, vector) SELECT ?, id, ? FROM memories WHERE id = ? AND text = ?
       ON CONFLICT (model_id, memory_id) DO UPDATE SET vector = excluded.vector`,
    )
    for (const { id, text, vector } of vectors) {
      if (vector.length !== model.dimensions)
        throw new SikuError('embedding', `a vector has ${vector.length} dimensions, not ${model.dimensions}`)
      insert.run(model.id, blobOf(vector), id, text)
    }
  },

  noteMemoriesUsed(context: WriteContext, { ids, at }: { ids: string[]; at: number }): void {
    const note = context.prepare('UPDATE memories SET used_at = ?, uses = uses + 1 WHERE id = ?')
    for (const id of ids) note.run(at, id)
  },
}
