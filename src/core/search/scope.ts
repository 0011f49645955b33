import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Scope } from '../../contract/library.ts'

/** A condition on `d` (documents) and `f` (folders), with its values. */
export interface ScopeFilter {
  sql: string
  values: (string | number)[]
  /** False: everything but what is hidden anyway, so that few candidates are lost by looking afterwards. */
  narrow: boolean
  /** Some of the library is hidden all the same. */
  hides: boolean
}

function inList(column: string, count: number): string {
  return `${column} IN (${new Array(count).fill('?').join(',')})`
}

/** The filters of the last scopes, until somebody writes. */
export function createScopeFilters(reader: DatabaseSyncInstance): (scope: Scope) => ScopeFilter {
  const dataVersion = reader.prepare('SELECT data_version AS version FROM pragma_data_version')
  const known = new Map<string, ScopeFilter>()
  let knownFor = -1
  return (scope) => {
    const { version } = dataVersion.get() as { version: number }
    if (version !== knownFor || known.size > 100) known.clear()
    knownFor = version
    const key = JSON.stringify(scope)
    let filter = known.get(key)
    if (!filter) known.set(key, (filter = scopeFilter(reader, scope)))
    return filter
  }
}

/** With nothing chosen, the sample library is left out as soon as there is a folder of one's own. */
function scopeFilter(reader: DatabaseSyncInstance, scope: Scope): ScopeFilter {
  const conditions = ['f.removed_at IS NULL']
  const values: (string | number)[] = []
  const { folderIds, documentIds, kinds, pathPrefix, modifiedFrom, modifiedBefore } = scope
  if (folderIds) {
    conditions.push(inList('d.folder_id', folderIds.length))
    values.push(...folderIds)
  }
  if (documentIds) {
    conditions.push(inList('d.id', documentIds.length))
    values.push(...documentIds)
  }
  if (kinds) {
    conditions.push(inList('d.kind', kinds.length))
    values.push(...kinds)
  }
  if (pathPrefix !== undefined) {
    const prefix = pathPrefix.replace(/[\\/]+$/, '')
    conditions.push(`(d.path = ? OR substr(d.path, 1, ${prefix.length + 1}) IN (?, ?))`)
    values.push(prefix, `${prefix}/`, `${prefix}\\`)
  }
  if (modifiedFrom !== undefined) {
    conditions.push('d.modified_ms >= ?')
    values.push(modifiedFrom)
  }
  if (modifiedBefore !== undefined) {
    conditions.push('d.modified_ms < ?')
    values.push(modifiedBefore)
  }
  let narrow = conditions.length > 1
  let sampleIsHidden = false
  if (!folderIds && !documentIds && pathPrefix === undefined) {
    sampleIsHidden = reader.prepare('SELECT 1 FROM folders WHERE sample = 0 AND removed_at IS NULL LIMIT 1').get() !== undefined
    if (sampleIsHidden) conditions.push('f.sample = 0')
  }
  const hidden = hiddenShare(reader, sampleIsHidden)
  narrow ||= hidden > 0.2
  return { sql: conditions.join(' AND '), values, narrow, hides: hidden > 0 }
}

/** How much of the library cannot be found: removed folders until the next start, and the sample library. */
function hiddenShare(reader: DatabaseSyncInstance, sampleIsHidden: boolean): number {
  const row = reader
    .prepare(
      `SELECT coalesce(sum(t.passages), 0) AS total, coalesce(sum(t.passages * (f.removed_at IS NOT NULL OR (? AND f.sample))), 0) AS hidden
       FROM document_totals t JOIN folders f ON f.id = t.folder_id`,
    )
    .get(sampleIsHidden ? 1 : 0) as { total: number; hidden: number }
  return row.total > 0 ? row.hidden / row.total : 0
}

/** Contents that have a document in scope. */
export function contentsInScope(filter: ScopeFilter): string {
  return `SELECT d.content_id FROM documents d JOIN folders f ON f.id = d.folder_id WHERE d.content_id IS NOT NULL AND ${filter.sql}`
}
