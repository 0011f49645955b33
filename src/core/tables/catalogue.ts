import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Scope } from '../../contract/library.ts'
import { tableColumnSchema, type Table } from '../../contract/tables.ts'
import { createScopeFilters } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import { tablesRecipe } from './tables-database.ts'

/** The reading side of tables.db on the caller's thread: short reads only. */
export interface Catalogue {
  /** Tables of live documents in scope, by path and sheet. */
  list(scope: Scope, documentIds?: readonly number[]): Table[]
  summary(key: string): string | null
  close(): void
}

interface SheetRecord {
  id: number
  sheet: string
  tableName: string
  title: string | null
  rows: number
  cut: number
  columns: string
  hash: string
}

const columnsSchema = z.array(tableColumnSchema)

export function openCatalogue(databasePath: string, store: Store): Catalogue {
  let reader: DatabaseSyncInstance | null = null
  const filters = createScopeFilters(store.reader)
  /** A sheet's columns never change under one id. */
  const parsed = new Map<number, Table['columns']>()

  /** Null while there are no tables, or only those of another recipe. */
  function opened(): DatabaseSyncInstance | null {
    if (reader !== null) return reader
    if (!existsSync(databasePath)) return null
    try {
      const database = new DatabaseSync(databasePath, { readOnly: true, timeout: 1000 })
      const { version } = database.prepare('SELECT user_version AS version FROM pragma_user_version').get() as { version: number }
      if (version === tablesRecipe) return (reader = database)
      database.close()
    } catch {
      // Being made just now, or damaged: it is made anew at the next start.
    }
    return null
  }

  function columnsOf(record: SheetRecord): Table['columns'] {
    let columns = parsed.get(record.id)
    if (columns === undefined) parsed.set(record.id, (columns = columnsSchema.parse(JSON.parse(record.columns))))
    return columns
  }

  return {
    list(scope, documentIds) {
      const database = opened()
      if (database === null) return []
      const { sql, values } = filters(scope)
      const live = store.reader
        .prepare(
          `SELECT d.id AS documentId, d.path, d.hash FROM documents d JOIN folders f ON f.id = d.folder_id
           WHERE d.kind = 'sheet' AND d.hash IS NOT NULL AND d.content_id IS NOT NULL AND ${sql} ORDER BY d.path`,
        )
        .all(...values) as { documentId: number; path: string; hash: string }[]
      const chosen = documentIds === undefined ? null : new Set(documentIds)
      const byHash = new Map<string, { documentId: number; path: string }[]>()
      for (const { documentId, path, hash } of live) {
        if (chosen !== null && !chosen.has(documentId)) continue
        byHash.set(hash, [...(byHash.get(hash) ?? []), { documentId, path }])
      }
      if (byHash.size === 0) return []
      const records = database
        .prepare(
          `SELECT siku_sheets.id, sheet, table_name AS tableName, title, rows, cut, columns, hash
           FROM siku_sheets JOIN siku_sources ON siku_sources.id = source_id WHERE state = 'ready' ORDER BY siku_sheets.id`,
        )
        .all() as unknown as SheetRecord[]
      const order = new Map([...byHash.keys()].map((hash, index) => [hash, index]))
      return records
        .filter(({ hash }) => byHash.has(hash))
        .sort((one, other) => order.get(one.hash)! - order.get(other.hash)! || one.id - other.id)
        .map((record) => ({
          table: record.tableName,
          sheet: record.sheet,
          documents: byHash.get(record.hash)!,
          title: record.title,
          rows: record.rows,
          cut: record.cut === 1,
          columns: columnsOf(record),
        }))
    },
    summary(key) {
      const row = opened()?.prepare('SELECT summary FROM siku_summaries WHERE key = ?').get(key) as { summary: string } | undefined
      return row?.summary ?? null
    },
    close() {
      reader?.close()
      reader = null
    },
  }
}
