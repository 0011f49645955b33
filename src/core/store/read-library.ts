import {
  leftOutSchema,
  reasonSchema,
  sizeBands,
  type BreakdownCell,
  type Counts,
  type DocumentKind,
  type DocumentRow,
  type DocumentSort,
  type DocumentStatus,
  type Folder,
  type Language,
  type LeftOut,
  type Reason,
} from '../../contract/library.ts'
import { basename } from 'node:path'
import { filePathOf, innerOrder } from './inner-schema.ts'
import type { Store } from './store-types.ts'
import { countWaitingPages } from './read-recognition.ts'
import { parseJson, type ReadContext } from './read-context.ts'

const nothingLeftOut: LeftOut = { hidden: 0, dependencies: 0, ignored: 0, links: 0, unreadable: 0 }

interface TotalsRow {
  folder_id: number
  status: DocumentStatus
  documents: number
  bytes: number
  passages: number
  embedded: number
}

interface FolderRow {
  id: number
  path: string
  single: number
  sample: number
  copied: number
  paused: number
  reachable: number
  unreachable_since: number | null
  left_out: string
  added_at: number
  scanned_at: number | null
}

function noCounts(): Counts {
  return { total: 0, waiting: 0, reading: 0, recognising: 0, ready: 0, partial: 0, failed: 0, skipped: 0 }
}

function addTotals(counts: Counts, row: TotalsRow): void {
  counts[row.status] += row.documents
  counts.total += row.documents
}

/** They have no text so far, and are not given up. */
function setRecognising(counts: Counts, documents: number): void {
  counts.recognising += documents
  counts.failed -= documents
}

function readReason(text: string | null): Reason | null {
  const parsed = reasonSchema.safeParse(parseJson(text))
  return parsed.success ? parsed.data : null
}

function readLiveTotals(context: ReadContext): TotalsRow[] {
  return context.all<TotalsRow>(
    `SELECT document_totals.* FROM document_totals JOIN folders ON folders.id = document_totals.folder_id
     WHERE folders.removed_at IS NULL AND documents > 0`,
  )
}

export function readCounts(context: ReadContext, folderId?: number): Counts {
  const counts = noCounts()
  const asked = (id: number): boolean => folderId === undefined || id === folderId
  for (const row of readLiveTotals(context)) if (asked(row.folder_id)) addTotals(counts, row)
  for (const [id, { documents }] of countWaitingPages(context)) if (asked(id)) setRecognising(counts, documents)
  return counts
}

export function readFolders(context: ReadContext): Folder[] {
  const totals = new Map<number, TotalsRow[]>()
  for (const row of readLiveTotals(context)) totals.set(row.folder_id, [...(totals.get(row.folder_id) ?? []), row])
  const waitingPages = countWaitingPages(context)
  const rows = context.all<FolderRow>('SELECT * FROM folders WHERE removed_at IS NULL ORDER BY id')
  return rows.map((row) => {
    const own = totals.get(row.id) ?? []
    const counts = noCounts()
    for (const total of own) addTotals(counts, total)
    const recognition = waitingPages.get(row.id) ?? { pages: 0, documents: 0 }
    setRecognising(counts, recognition.documents)
    const leftOut = leftOutSchema.safeParse(parseJson(row.left_out))
    return {
      id: row.id,
      path: row.path,
      name: basename(row.path) || row.path,
      single: row.single === 1,
      sample: row.sample === 1,
      copied: row.copied === 1,
      state: row.reachable === 0 ? 'unreachable' : row.paused === 1 ? 'paused' : row.scanned_at === null ? 'scanning' : 'following',
      counts,
      passages: own.reduce((sum, total) => sum + total.passages, 0),
      embedded: own.reduce((sum, total) => sum + total.embedded, 0),
      pagesToRecognise: recognition.pages,
      sizeBytes: own.reduce((sum, total) => sum + total.bytes, 0),
      leftOut: leftOut.success ? leftOut.data : nothingLeftOut,
      addedAt: row.added_at,
      unreachableSince: row.reachable === 0 ? row.unreachable_since : null,
      scannedAt: row.scanned_at,
    }
  })
}

interface DocumentRecord {
  id: number
  folder_id: number
  path: string
  kind: DocumentKind
  status: DocumentStatus
  reason: string | null
  size: number
  modified_ms: number
  title: string | null
  pages: number | null
  pages_recognised: number | null
  pages_to_recognise: number
  characters: number | null
  language: Language | null
  passage_count: number | null
  embedded: number | null
  unreachable_since: number | null
  parent_id: number | null
  parent_path: string | null
  file_path: string
}

const documentColumns = `
  live_documents.id, live_documents.folder_id, live_documents.path, live_documents.kind, live_documents.status, live_documents.reason,
  live_documents.size, live_documents.modified_ms, contents.title, contents.pages, contents.pages_recognised, contents.characters, contents.language,
  contents.passage_count, contents.embedded,
  (SELECT count(*) FROM recognised_pages WHERE recognised_pages.hash = live_documents.hash AND state = 'waiting') AS pages_to_recognise,
  (SELECT iif(reachable = 0, unreachable_since, NULL) FROM folders WHERE folders.id = live_documents.folder_id) AS unreachable_since,
  live_documents.parent_id, (SELECT path FROM documents AS around WHERE around.id = live_documents.parent_id) AS parent_path,
  ${filePathOf('live_documents')} AS file_path`

function toDocument(row: DocumentRecord): DocumentRow {
  return {
    id: row.id,
    folderId: row.folder_id,
    path: row.path,
    name: basename(row.path),
    kind: row.kind,
    status: row.status,
    reason: readReason(row.reason),
    title: row.title,
    pages: row.pages,
    pagesRecognised: row.pages_recognised ?? 0,
    pagesToRecognise: row.pages_to_recognise,
    passages: row.passage_count ?? 0,
    embedded: row.embedded ?? 0,
    characters: row.characters ?? 0,
    sizeBytes: row.size,
    modifiedAt: row.modified_ms,
    language: row.language,
    unreachableSince: row.unreachable_since,
    within:
      row.parent_id === null || row.parent_path === null
        ? null
        : { documentId: row.parent_id, name: basename(row.parent_path), filePath: row.file_path },
  }
}

export function readDocument(context: ReadContext, documentId: number): DocumentRow | null {
  const row = context.get<DocumentRecord>(
    `SELECT ${documentColumns} FROM live_documents LEFT JOIN contents ON contents.id = live_documents.content_id WHERE live_documents.id = ?`,
    documentId,
  )
  return row && toDocument(row)
}

/** Without text so far, but with pages that wait for text recognition: not given up. */
const waitsForRecognition = `live_documents.status = 'failed' AND EXISTS (
  SELECT 1 FROM recognised_pages WHERE recognised_pages.hash = live_documents.hash AND state = 'waiting')`

type Filter = Parameters<Store['documents']['list']>[0]

export function listDocuments(context: ReadContext, filter: Filter): { total: number; documents: DocumentRow[] } {
  const conditions: string[] = []
  const values: (string | number)[] = []
  if (filter.folderId !== undefined) {
    conditions.push('live_documents.folder_id = ?')
    values.push(filter.folderId)
  }
  if (filter.within !== undefined) {
    conditions.push('live_documents.parent_id = ?')
    values.push(filter.within)
  }
  if (filter.statuses) {
    conditions.push(`iif(${waitsForRecognition}, 'waiting', live_documents.status) IN (${filter.statuses.map(() => '?').join(', ')})`)
    values.push(...filter.statuses)
  }
  if (filter.kinds) {
    conditions.push(`live_documents.kind IN (${filter.kinds.map(() => '?').join(', ')})`)
    values.push(...filter.kinds)
  }
  if (filter.name) {
    conditions.push("live_documents.path LIKE ? ESCAPE '\\'")
    values.push(`%${filter.name.replace(/[\\%_]/g, '\\$&')}%`)
  }
  for (const [condition, value] of [
    ['modified_ms >= ?', filter.modifiedFrom],
    ['modified_ms < ?', filter.modifiedBefore],
    ['size >= ?', filter.leastBytes],
    ['size < ?', filter.lessThanBytes],
  ] as const) {
    if (value === undefined) continue
    conditions.push(`live_documents.${condition}`)
    values.push(value)
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const total = context.get<{ total: number }>(`SELECT count(*) AS total FROM live_documents ${where}`, ...values)?.total ?? 0
  // In two steps: what is told of a document is looked up for those of the page alone.
  const ids = context.all<{ id: number }>(
    `SELECT live_documents.id FROM live_documents ${where} ORDER BY ${documentOrder(context, filter)} LIMIT ? OFFSET ?`,
    ...values,
    filter.limit,
    filter.offset,
  )
  const rows = context.all<DocumentRecord>(
    `SELECT ${documentColumns} FROM json_each(?) AS page JOIN live_documents ON live_documents.id = page.value
     LEFT JOIN contents ON contents.id = live_documents.content_id ORDER BY page.key`,
    JSON.stringify(ids.map(({ id }) => id)),
  )
  return { total, documents: rows.map(toDocument) }
}

const sortedBy: Record<DocumentSort, string> = {
  path: 'live_documents.path',
  name: 'live_documents.name COLLATE NOCASE',
  // What went wrong, what goes on, what is well.
  status: `CASE iif(${waitsForRecognition}, 'waiting', live_documents.status)
    WHEN 'failed' THEN 0 WHEN 'partial' THEN 1 WHEN 'skipped' THEN 2 WHEN 'reading' THEN 3 WHEN 'waiting' THEN 4 ELSE 5 END`,
  passages: 'coalesce((SELECT passage_count FROM contents WHERE contents.id = live_documents.content_id), 0)',
  size: 'live_documents.size',
  date: 'live_documents.modified_ms',
}

/**
 * As asked for, else by path, each file with what lies in it. A person's own documents come before the sample library's. Where nothing of this is
 * needed the order is the index's own.
 */
function documentOrder(context: ReadContext, { within, sort, descending }: Filter): string {
  if (sort !== undefined) return `${sortedBy[sort]} ${descending === true ? 'DESC' : 'ASC'}, live_documents.path`
  if (within !== undefined) {
    const around = '(SELECT path FROM documents AS around WHERE around.id = live_documents.parent_id)'
    return `${innerOrder(`substr(live_documents.path, length(${around}) + 2)`)}, live_documents.path`
  }
  const sample = context.get<{ id: number }>('SELECT id FROM folders WHERE sample = 1 AND removed_at IS NULL')?.id
  const inner = context.get('SELECT 1 FROM documents WHERE parent_id IS NOT NULL LIMIT 1')
  return [
    ...(sample === undefined ? [] : [`live_documents.folder_id = ${sample}`]),
    ...(inner === null || inner === undefined ? [] : [filePathOf('live_documents'), innerOrder('live_documents.inner_path')]),
    'live_documents.path',
  ].join(', ')
}

export function readBreakdown(context: ReadContext, folderId?: number): BreakdownCell[] {
  const band = sizeBands
    .slice(1)
    .map((bytes) => `(size >= ${bytes})`)
    .join(' + ')
  return context.all<BreakdownCell>(
    `SELECT kind, strftime('%Y-%m', modified_ms / 1000, 'unixepoch', 'localtime') AS month, ${band} AS band,
       count(*) AS documents, sum(size) AS bytes
     FROM live_documents ${folderId === undefined ? '' : 'WHERE folder_id = ?'} GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
    ...(folderId === undefined ? [] : [folderId]),
  )
}

export function readStatus(context: ReadContext): Omit<ReturnType<Store['status']>, 'mode' | 'sizeBytes'> {
  const { total: _total, ...documents } = readCounts(context)
  const totals = readLiveTotals(context)
  return {
    folders: context.get<{ count: number }>('SELECT count(*) AS count FROM folders WHERE removed_at IS NULL')?.count ?? 0,
    documents,
    passages: totals.reduce((sum, row) => sum + row.passages, 0),
    embedded: totals.reduce((sum, row) => sum + row.embedded, 0),
    pagesToRecognise: [...countWaitingPages(context).values()].reduce((sum, { pages }) => sum + pages, 0),
  }
}
