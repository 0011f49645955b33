import { basename, extname } from 'node:path'
import type { DocumentRow } from '../../../contract/library.ts'
import { fileQuerySchema, type FileAnswer, type FileQuery } from '../../../contract/tables.ts'
import { createScopeFilters } from '../../search/search.ts'
import type { Store } from '../../store/store.ts'

/** Documents by what their files are like: exact, from what the library knows. */
export function queryFiles(store: Store, request: FileQuery): FileAnswer {
  const query = fileQuerySchema.parse(request)
  const { sql, values } = createScopeFilters(store.reader)(query.scope)
  const conditions = [sql]
  const bound: (string | number)[] = [...values]
  const add = (condition: string, ...more: (string | number)[]): void => {
    conditions.push(condition)
    bound.push(...more)
  }
  const oneOf = (column: string, list: readonly string[] | undefined): void => {
    if (list !== undefined) add(`${column} IN (${list.map(() => '?').join(', ')})`, ...list)
  }
  const bounds: [string, number | undefined][] = [
    ['d.modified_ms >= ?', query.modifiedFrom],
    ['d.modified_ms < ?', query.modifiedBefore],
    ['d.added_at >= ?', query.addedFrom],
    ['d.added_at < ?', query.addedBefore],
    ['d.size >= ?', query.leastBytes],
    ['d.size <= ?', query.mostBytes],
  ]
  oneOf('d.kind', query.kinds)
  oneOf('d.status', query.statuses)
  for (const [condition, value] of bounds) if (value !== undefined) add(condition, value)
  if (query.extensions !== undefined) {
    // An ending in SQL would need its own function; LIKE is blind to the case of ASCII letters.
    add(
      `(${query.extensions.map(() => "d.path LIKE ? ESCAPE '\\'").join(' OR ') || '0'})`,
      ...query.extensions.map((each) => `%.${likely(each)}`),
    )
  }
  if (query.name !== undefined) add("d.path LIKE ? ESCAPE '\\'", `%${likely(query.name)}%`)

  const orders = { name: 'd.path', size: 'd.size', modified: 'd.modified_ms', added: 'd.added_at', pages: 'coalesce(c.pages, 0)' }
  const direction = query.descending ? 'DESC' : 'ASC'
  const from = 'FROM documents d JOIN folders f ON f.id = d.folder_id LEFT JOIN contents c ON c.id = d.content_id'
  const where = `WHERE ${conditions.join(' AND ')}`
  // A name is the last part of a path, which LIKE on the path only narrows down to.
  const isNamed = query.name !== undefined
  const wanted = isNamed ? query.name!.toLowerCase() : ''
  const rows = store.reader
    .prepare(`SELECT d.id, d.path, d.size, c.pages ${from} ${where} ORDER BY ${orders[query.order]} ${direction}, d.path`)
    .all(...bound) as { id: number; path: string; size: number; pages: number | null }[]
  const matching = isNamed ? rows.filter(({ path }) => basename(path).toLowerCase().includes(wanted)) : rows
  return {
    total: matching.length,
    sizeBytes: matching.reduce((sum, row) => sum + row.size, 0),
    pages: matching.reduce((sum, row) => sum + (row.pages ?? 0), 0),
    files: matching.slice(0, query.limit).flatMap(({ id }) => fileOf(store, id)),
  }
}

function fileOf(store: Store, id: number): (DocumentRow & { addedAt: number })[] {
  const document = store.documents.get(id)
  const row = store.reader.prepare('SELECT added_at AS addedAt FROM documents WHERE id = ?').get(id) as { addedAt: number } | undefined
  return document === null || row === undefined ? [] : [{ ...document, ...row }]
}

function likely(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** The document that a question names: by its file name, with or without its ending, or its title. Null where none or several have it. */
export function documentNamed(store: Store, name: string, fold: (text: string) => string): { id: number; path: string } | null {
  const wanted = fold(name).trim()
  if (wanted.length < 2) return null
  const rows = store.reader
    .prepare(
      'SELECT d.id, d.path, c.title FROM live_documents d LEFT JOIN contents c ON c.id = d.content_id WHERE d.content_id IS NOT NULL',
    )
    .all() as { id: number; path: string; title: string | null }[]
  const found = rows.filter(({ path, title }) => {
    const file = basename(path).normalize('NFC')
    // Folding leaves lengths alone, and is dear for tens of thousands of names.
    return [file, basename(file, extname(file)), title ?? ''].some(
      (each) => each.trim().length === wanted.length && fold(each).trim() === wanted,
    )
  })
  return found.length === 1 ? { id: found[0]!.id, path: found[0]!.path } : null
}
