import type { WriteContext } from './write-context.ts'

export interface MeanChange {
  contentId: number
  language: string
  /** How many passages of the content have this vector. */
  count: number
  vector: Uint8Array | Float32Array
}

function floatsOf(blob: Uint8Array): Float32Array {
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4)
  return new Float32Array(blob.slice().buffer)
}

export function blobOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Adds vectors to the sums that the live mean of a language is made of. */
export function addMeans(context: WriteContext, modelId: number, changes: MeanChange[]): void {
  const sums = new Map<string, { contentId: number; language: string; count: number; sum: Float32Array }>()
  const select = context.prepare('SELECT count, sum FROM content_means WHERE model_id = ? AND content_id = ? AND language = ?')
  for (const change of changes) {
    const vector = change.vector instanceof Float32Array ? change.vector : floatsOf(change.vector)
    const key = `${change.contentId} ${change.language}`
    let entry = sums.get(key)
    if (!entry) {
      const stored = select.get(modelId, change.contentId, change.language) as { count: number; sum: Uint8Array } | undefined
      const sum = stored ? floatsOf(stored.sum).slice() : new Float32Array(vector.length)
      entry = { contentId: change.contentId, language: change.language, count: stored?.count ?? 0, sum }
      sums.set(key, entry)
    }
    entry.count += change.count
    for (let index = 0; index < vector.length; index++) entry.sum[index] = (entry.sum[index] ?? 0) + change.count * (vector[index] ?? 0)
  }
  const upsert = context.prepare(`
    INSERT INTO content_means (model_id, content_id, language, count, sum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (model_id, content_id, language) DO UPDATE SET count = excluded.count, sum = excluded.sum`)
  for (const entry of sums.values()) upsert.run(modelId, entry.contentId, entry.language, entry.count, blobOf(entry.sum))
}
