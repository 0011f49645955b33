import { z } from 'zod'
import { reasonSchema, type Reason } from '../../contract/library.ts'
import { parseJson, type ReadContext } from './read-context.ts'
import { readSettings } from './read-settings.ts'
import type { Recognition, StoredLine, WaitingPage } from './store-types.ts'

const lineSchema = z.tuple([z.string(), z.number(), z.number(), z.number(), z.number(), z.number()])
/** With where it runs, of a page that lies on a side or on its head. */
const turnedLineSchema = z.tuple([...lineSchema.def.items, z.enum(['down', 'left', 'up'])])
const linesSchema = z.array(z.union([lineSchema, turnedLineSchema]))

function linesOf(page: number, text: string | null): StoredLine[] {
  const parsed = linesSchema.safeParse(parseJson(text))
  if (!parsed.success) return []
  return parsed.data.map(([line, x, y, width, height, confidence, turn]) => ({
    text: line,
    confidence,
    box: { page, x, y, width, height },
    ...(turn !== undefined && { turn }),
  }))
}

function problemOf(text: string | null): Reason {
  const parsed = reasonSchema.safeParse(parseJson(text))
  return parsed.success ? parsed.data : { code: 'internal', message: 'Text recognition failed.' }
}

/** Null when nothing of these bytes was ever to be recognised. */
export function readRecognition(context: ReadContext, hash: string): Recognition | null {
  const rows = context.all<{ page: number; state: string; lines: string | null; problem: string | null }>(
    'SELECT page, state, lines, problem FROM recognised_pages WHERE hash = ? ORDER BY page',
    hash,
  )
  if (rows.length === 0) return null
  return {
    waiting: rows.filter((row) => row.state === 'waiting').length,
    pages: new Map(rows.filter((row) => row.state === 'done').map((row) => [row.page, linesOf(row.page, row.lines)])),
    givenUp: new Map(rows.filter((row) => row.state === 'given-up').map((row) => [row.page, problemOf(row.problem)])),
  }
}

/** The next pages, those of one document together, except of documents that cannot be read now. */
export function readWaitingPages(context: ReadContext, limit: number, except: readonly number[]): WaitingPage[] {
  return context.all<WaitingPage>(
    `SELECT pages.hash, pages.page, pages.attempts, documents.id AS documentId, documents.folder_id AS folderId, documents.path, documents.kind
     FROM recognised_pages AS pages
     JOIN documents ON documents.hash = pages.hash AND documents.status IN ('ready', 'partial', 'failed')
     JOIN folders ON folders.id = documents.folder_id AND folders.paused = 0 AND folders.removed_at IS NULL AND folders.reachable = 1
     WHERE pages.state = 'waiting' AND documents.id NOT IN (SELECT value FROM json_each(?)) LIMIT ?`,
    JSON.stringify(except),
    limit,
  )
}

export interface WaitingRecognition {
  pages: number
  /** Those of which nothing was read so far. */
  documents: number
}

/** What waits for text recognition, by folder; nothing while that is switched off. */
export function countWaitingPages(context: ReadContext): Map<number, WaitingRecognition> {
  if (!readSettings(context).settings.ocr) return new Map()
  if (context.get("SELECT 1 FROM recognised_pages WHERE state = 'waiting' LIMIT 1") === null) return new Map()
  const rows = context.all<{ folderId: number; pages: number; documents: number }>(
    `SELECT documents.folder_id AS folderId, sum(waits.pages) AS pages, sum(documents.status = 'failed') AS documents
     FROM (SELECT hash, count(*) AS pages FROM recognised_pages WHERE state = 'waiting' GROUP BY hash) AS waits
     JOIN documents ON documents.hash = waits.hash AND documents.status IN ('ready', 'partial', 'failed')
     JOIN folders ON folders.id = documents.folder_id AND folders.removed_at IS NULL GROUP BY documents.folder_id`,
  )
  return new Map(rows.map(({ folderId, ...waiting }) => [folderId, waiting]))
}
