import type { DocumentRow, DocumentStatus, Folder, Scope } from '../../../contract/library.ts'
import type { Store } from '../../store/store.ts'

type Kind = DocumentRow['kind']

export interface DocumentQuery {
  scope: Scope
  /** Part of a path or title. */
  name?: string | undefined
  kind?: Kind | undefined
  status?: DocumentStatus | undefined
  sort: 'name' | 'newest' | 'oldest' | 'largest' | 'longest'
  offset: number
  limit: number
}

const orders: Record<DocumentQuery['sort'], string> = {
  name: 'd.path',
  newest: 'd.modified_ms DESC, d.path',
  oldest: 'd.modified_ms, d.path',
  largest: 'd.size DESC, d.path',
  longest: 'c.characters DESC, d.path',
}

function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** What a document is called, without reading all that is known of it. */
export interface DocumentName {
  id: number
  path: string
  title: string | null
}

export function findDocuments(store: Store, query: DocumentQuery): { total: number; documents: DocumentRow[] } {
  const { total, names } = findNames(store, query)
  return { total, documents: names.flatMap(({ id }) => store.documents.get(id) ?? []) }
}

/** Documents that a question may see. Nothing chosen leaves the sample library out as soon as there is anything else, as in search. */
export function findNames(store: Store, query: DocumentQuery): { total: number; names: DocumentName[] } {
  const { scope } = query
  const conditions = ['1 = 1']
  const values: (string | number)[] = []
  function among(column: string, list: readonly (string | number)[] | undefined): void {
    if (list === undefined) return
    conditions.push(`${column} IN (${list.map(() => '?').join(', ')})`)
    values.push(...list)
  }
  among('d.folder_id', scope.folderIds)
  among('d.id', scope.documentIds)
  among('d.kind', scope.kinds)
  among('d.kind', query.kind === undefined ? undefined : [query.kind])
  among('d.status', query.status === undefined ? undefined : [query.status])
  if (scope.pathPrefix !== undefined) {
    const prefix = scope.pathPrefix.replace(/[\\/]+$/, '')
    conditions.push(`(d.path = ? OR substr(d.path, 1, ${prefix.length + 1}) IN (?, ?))`)
    values.push(prefix, `${prefix}/`, `${prefix}\\`)
  }
  if (!scope.folderIds && !scope.documentIds && scope.pathPrefix === undefined) {
    conditions.push('(f.sample = 0 OR NOT EXISTS (SELECT 1 FROM folders WHERE sample = 0 AND removed_at IS NULL))')
  }
  if (query.name !== undefined && query.name !== '') {
    conditions.push("(d.path LIKE ? ESCAPE '\\' OR c.title LIKE ? ESCAPE '\\')")
    values.push(likeText(query.name), likeText(query.name))
  }
  const from = `FROM live_documents d JOIN folders f ON f.id = d.folder_id LEFT JOIN contents c ON c.id = d.content_id WHERE ${conditions.join(' AND ')}`
  const { total } = store.reader.prepare(`SELECT count(*) AS total ${from}`).get(...values) as { total: number }
  const names = store.reader
    .prepare(`SELECT d.id AS id, d.path AS path, c.title AS title ${from} ORDER BY ${orders[query.sort]} LIMIT ? OFFSET ?`)
    .all(...values, query.limit, query.offset) as unknown as DocumentName[]
  return { total, names }
}

export type Narrowed = { kind: 'ok'; scope: Scope } | { kind: 'no'; message: string }

/** The scope of the question within one folder: its name, its path, or a directory below one ("papers/2024"). */
export function withinFolder(store: Store, scope: Scope, wanted: string): Narrowed {
  const name = wanted.trim().replace(/[\\/]+$/, '')
  const seen = store.folders.list().filter((folder) => scope.folderIds?.includes(folder.id) ?? true)
  const directory = directoryNamed(seen, name)
  if (directory === null) {
    const names = seen.slice(0, 20).map((folder) => `"${folder.name}"`)
    return { kind: 'no', message: `There is no folder "${name}" in what this question may see. Folders: ${names.join(', ') || 'none'}.` }
  }
  const { pathPrefix } = scope
  if (pathPrefix === undefined || isWithin(directory, pathPrefix)) return { kind: 'ok', scope: { ...scope, pathPrefix: directory } }
  if (isWithin(pathPrefix, directory)) return { kind: 'ok', scope }
  return { kind: 'no', message: `The folder "${name}" is not in what this question may see.` }
}

function directoryNamed(folders: Folder[], name: string): string | null {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  const whole = folders.find((folder) => folder.path === name) ?? folders.find((folder) => same(folder.name, name))
  if (whole) return whole.path
  const above = folders.find((folder) => isWithin(name, folder.path))
  if (above) return name
  const [first = '', ...rest] = name.split(/[\\/]/)
  const parent = folders.find((folder) => same(folder.name, first))
  if (!parent || rest.length === 0 || rest.some((part) => part === '..' || part === '')) return null
  return [parent.path, ...rest].join(parent.path.includes('\\') ? '\\' : '/')
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`) || path.startsWith(`${directory}\\`)
}
