import { memorySchema, type Memory } from '../../contract/memory.ts'
import { parseJson, type ReadContext } from './read-context.ts'

interface MemoryRow {
  id: string
  text: string
  kind: string
  source: string
  created_at: number
  updated_at: number
  used_at: number | null
  uses: number
  chat: string | null
}

/** A vector as it was stored, of the text as it is now. */
export interface StoredMemoryVector {
  id: string
  vector: Float32Array
}

const select = `SELECT memories.*, chats.id AS chat FROM memories
  LEFT JOIN chats ON chats.id = iif(json_valid(source), json_extract(source, '$.chatId'), NULL) AND chats.removed_at IS NULL
  WHERE memories.removed_at IS NULL`
const newestFirst = 'ORDER BY memories.updated_at DESC, memories.rowid DESC'

/** A memory of a chat that is gone stays, with its chat as null; it is named again when the chat is restored. */
function toMemory(row: MemoryRow): Memory[] {
  const source = parseJson(row.source)
  const parsed = memorySchema.safeParse({
    id: row.id,
    text: row.text,
    kind: row.kind,
    source: row.chat === null && typeof source === 'object' ? { ...source, chatId: null, turnId: null } : source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    usedAt: row.used_at,
    uses: row.uses,
  })
  return parsed.success ? [parsed.data] : []
}

export function listMemories(context: ReadContext, page?: { offset: number; limit: number }): Memory[] {
  const { offset = 0, limit = -1 } = page ?? {}
  return context.all<MemoryRow>(`${select} ${newestFirst} LIMIT ? OFFSET ?`, limit, offset).flatMap(toMemory)
}

export function countMemories(context: ReadContext): number {
  return context.get<{ count: number }>('SELECT count(*) AS count FROM memories WHERE removed_at IS NULL')?.count ?? 0
}

export function readMemory(context: ReadContext, id: string): Memory | null {
  return context.all<MemoryRow>(`${select} AND memories.id = ?`, id).flatMap(toMemory)[0] ?? null
}

/** Removed ones too: they may be restored. */
export function readMemoryVectors(context: ReadContext, key: string): StoredMemoryVector[] {
  const rows = context.all<{ id: string; vector: Uint8Array; dimensions: number }>(
    `SELECT memory_id AS id, vector, dimensions FROM memory_vectors
     JOIN embedding_models ON embedding_models.id = model_id WHERE embedding_models.key = ?`,
    key,
  )
  return rows
    .filter((row) => row.vector.byteLength === row.dimensions * 4)
    .map((row) => ({ id: row.id, vector: new Float32Array(row.vector.slice().buffer) }))
}
