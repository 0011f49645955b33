import { z } from 'zod'
import type { Reason } from '../../contract/library.ts'
import { parseJson, type ReadContext } from './read-context.ts'
import type { StoredSegment, WaitingSound } from './store-types.ts'
import type { WriteContext } from './write-context.ts'

const segmentsSchema = z.array(z.tuple([z.number(), z.number(), z.string()]))

/** Null when these bytes were never transcribed; none: nothing was heard. */
export function readTranscript(context: ReadContext, hash: string): StoredSegment[] | null {
  const row = context.get<{ segments: string }>('SELECT segments FROM transcripts WHERE hash = ?', hash)
  const parsed = row === null ? null : segmentsSchema.safeParse(parseJson(row.segments))
  return parsed?.success === true ? parsed.data.map(([fromMs, toMs, text]) => ({ fromMs, toMs, text })) : null
}

const unheard =
  "documents.kind = 'sound' AND documents.status = 'skipped' AND documents.reason ->> 'code' IN ('not-transcribed', 'to-transcribe')"

/** The smallest first, in folders that can be read now. */
export function readWaitingSound(context: ReadContext, limit: number, except: readonly number[]): WaitingSound[] {
  return context.all<WaitingSound>(
    `SELECT documents.id AS documentId, documents.folder_id AS folderId, documents.path, documents.size AS sizeBytes FROM documents
     JOIN folders ON folders.id = documents.folder_id AND folders.paused = 0 AND folders.removed_at IS NULL AND folders.reachable = 1
     WHERE ${unheard} AND documents.id NOT IN (SELECT value FROM json_each(?)) ORDER BY documents.size, documents.id LIMIT ?`,
    JSON.stringify(except),
    limit,
  )
}

export const transcriptWrites = {
  /** The document, and every other with these bytes, is read once more, with what was heard. */
  putTranscript(context: WriteContext, input: { documentId: number; hash: string; segments: StoredSegment[] }): void {
    const { documentId, hash, segments } = input
    context
      .prepare('INSERT INTO transcripts (hash, segments) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET segments = excluded.segments')
      .run(hash, JSON.stringify(segments.map(({ fromMs, toMs, text }) => [fromMs, toMs, text])))
    context
      .prepare("UPDATE documents SET status = 'waiting', reason = NULL, attempts = 0, hash = ?, updated_at = ? WHERE id = ?")
      .run(hash, context.now(), documentId)
    context
      .prepare(`UPDATE documents SET status = 'waiting', reason = NULL, attempts = 0, updated_at = ? WHERE hash = ? AND ${unheard}`)
      .run(context.now(), hash)
  },

  /** Says of all sound that has no text yet why that is so. How many said something else before. */
  markUnheard(context: WriteContext, reason: Reason): number {
    const text = JSON.stringify(reason)
    return context
      .prepare(`UPDATE documents SET reason = ?, updated_at = ? WHERE ${unheard} AND reason <> ?`)
      .run(text, context.now(), text).changes
  },

  /** Of bytes that no document has any more. */
  dropUnusedTranscripts(context: WriteContext): number {
    return context
      .prepare('DELETE FROM transcripts WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = transcripts.hash)')
      .run().changes
  },
}
