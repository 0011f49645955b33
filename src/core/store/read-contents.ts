import { placeSchema } from '../../contract/place.ts'
import type { Passage, Section } from '../../contract/library.ts'
import { SikuError } from '../../contract/errors.ts'
import { z } from 'zod'
import { embeddedText } from './embedded-text.ts'
import { parseJson, type ReadContext } from './read-context.ts'
import type { PendingText, Store } from './store-types.ts'

const headingSchema = z.array(z.string()).catch([])

function contentOf(context: ReadContext, documentId: number): number | null {
  const row = context.get<{ content_id: number | null }>('SELECT content_id FROM live_documents WHERE id = ?', documentId)
  if (!row) throw new SikuError('not-found', `there is no document ${documentId}`)
  return row.content_id
}

export function readSections(
  context: ReadContext,
  documentId: number,
  offset: number,
  limit: number,
): { total: number; sections: Section[] } {
  const contentId = contentOf(context, documentId)
  const total = context.get<{ total: number }>('SELECT count(*) AS total FROM sections WHERE content_id = ?', contentId)?.total ?? 0
  const rows = context.all<{ place: string; text: string }>(
    'SELECT place, text FROM sections WHERE content_id = ? ORDER BY ordinal LIMIT ? OFFSET ?',
    contentId,
    limit,
    offset,
  )
  return { total, sections: rows.map((row) => ({ place: placeSchema.parse(parseJson(row.place)), text: row.text })) }
}

interface PassageRow {
  id: number
  ordinal: number
  text: string
  heading: string
  place: string
  start: number
  end: number
  tokens: number
}

export function readPassages(
  context: ReadContext,
  documentId: number,
  offset: number,
  limit: number,
): { total: number; passages: Passage[] } {
  const contentId = contentOf(context, documentId)
  const total = context.get<{ total: number }>('SELECT passage_count AS total FROM contents WHERE id = ?', contentId)?.total ?? 0
  const rows = context.all<PassageRow>(
    'SELECT id, ordinal, text, heading, place, start, "end", tokens FROM passages WHERE content_id = ? ORDER BY ordinal LIMIT ? OFFSET ?',
    contentId,
    limit,
    offset,
  )
  return {
    total,
    passages: rows.map((row) => ({
      ...row,
      heading: headingSchema.parse(parseJson(row.heading)),
      place: placeSchema.parse(parseJson(row.place)),
    })),
  }
}

export function findContent(context: ReadContext, key: Parameters<Store['contents']['find']>[0]): number | null {
  const sql = 'SELECT id FROM contents WHERE hash = ? AND kind = ? AND recipe = ? AND complete = 1'
  return context.get<{ id: number }>(sql, key.hash, key.kind, key.recipe)?.id ?? null
}

function isActive(context: ReadContext, modelId: number): boolean {
  return context.get('SELECT 1 FROM embedding_models WHERE id = ? AND active = 1', modelId) !== null
}

/** Only the active model is waited for; of another nothing is pending. */
export function readPending(context: ReadContext, modelId: number, limit: number): PendingText[] {
  if (!isActive(context, modelId)) return []
  const rows = context.all<{ text_hash: string; text: string; heading: string; language: PendingText['language'] }>(
    `SELECT passages.text_hash, passages.text, passages.heading, passages.language
     FROM pending_texts JOIN passages ON passages.id = pending_texts.passage_id ORDER BY pending_texts.passage_id LIMIT ?`,
    limit,
  )
  return rows.map((row) => ({
    textHash: row.text_hash,
    text: embeddedText(headingSchema.parse(parseJson(row.heading)), row.text),
    language: row.language,
  }))
}

export function countPending(context: ReadContext, modelId: number): number {
  if (!isActive(context, modelId)) return 0
  return context.get<{ count: number }>('SELECT count(*) AS count FROM pending_texts')?.count ?? 0
}
