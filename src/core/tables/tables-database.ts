import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { chmodSync, rmSync } from 'node:fs'
import type { TableColumn } from '../../contract/tables.ts'
import { cleanName, studyColumn, uniqueName, valueIn, type ColumnStudy } from './columns.ts'
import { numberOf } from './values.ts'

/** Another number makes all tables anew; summaries are kept. */
export const tablesRecipe = 4

export const mostColumns = 200

const schema = `
CREATE TABLE IF NOT EXISTS siku_sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- SHA-256 of the file's bytes: two paths with the same bytes share their tables.
  hash TEXT NOT NULL UNIQUE,
  -- loading, ready, failed
  state TEXT NOT NULL,
  problem TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS siku_sheets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id INTEGER NOT NULL,
  sheet TEXT NOT NULL,
  table_name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  title TEXT,
  rows INTEGER NOT NULL,
  cut INTEGER NOT NULL,
  columns TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS siku_sheets_by_source ON siku_sheets(source_id);
CREATE TABLE IF NOT EXISTS siku_rows (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, cells TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS siku_summaries (key TEXT PRIMARY KEY, summary TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

export interface SheetRows {
  /** As the sheet counts, from 1. */
  numbers: number[]
  cells: string[][]
}

/** What the tables of one document are made of, in this order. */
export type SheetEvent =
  | { type: 'sheet'; sheet: string; /** Of the tables of this sheet, from 0. */ part: number; title: string | null; names: string[] }
  | ({ type: 'rows' } & SheetRows)
  | { type: 'sheet-end'; cut: boolean }

/** The only writing side of tables.db, a cache that can be made anew. */
export interface TablesWriter {
  sources(): { hash: string; state: string }[]
  /** Begins a document; what was there of it goes. `name` is what its tables are called after. */
  begin(hash: string, name: string): void
  take(events: SheetEvent[]): void
  finish(hash: string): void
  fail(hash: string, problem: string): void
  remove(hashes: string[]): void
  putSummary(key: string, summary: string, at: number): void
  close(): void
}

interface OpenSheet {
  sheet: string
  part: number
  title: string | null
  names: string[]
  studies: ColumnStudy[]
  rows: number
  cut: boolean
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function openDatabase(databasePath: string): DatabaseSyncInstance {
  const database = new DatabaseSync(databasePath, { timeout: 10_000 })
  try {
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY',
    )
    database.exec(schema)
    database.prepare('SELECT count(*) FROM siku_sheets').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 11 || code === 26
}

/** A damaged file is no loss: it is made anew. */
function openOrRenew(databasePath: string): DatabaseSyncInstance {
  try {
    return openDatabase(databasePath)
  } catch (error) {
    if (!isDamaged(error)) throw error
    for (const part of ['', '-wal', '-shm']) rmSync(databasePath + part, { force: true })
    return openDatabase(databasePath)
  }
}

export function openTablesWriter(databasePath: string): TablesWriter {
  const database = openOrRenew(databasePath)
  for (const part of ['', '-wal', '-shm']) {
    try {
      chmodSync(databasePath + part, 0o600)
    } catch {
      // A file system without permissions.
    }
  }
  let source: { id: number; name: string; taken: Set<string> } | null = null
  let open: OpenSheet | null = null

  function transaction(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  function dropSource(id: number): void {
    const sheets = database.prepare('SELECT table_name AS name FROM siku_sheets WHERE source_id = ?').all(id) as { name: string }[]
    for (const { name } of sheets) database.exec(`DROP TABLE IF EXISTS ${quoted(name)}`)
    database.prepare('DELETE FROM siku_sheets WHERE source_id = ?').run(id)
    database.prepare('DELETE FROM siku_sources WHERE id = ?').run(id)
  }

  function dropHash(hash: string): void {
    const row = database.prepare('SELECT id FROM siku_sources WHERE hash = ?').get(hash) as { id: number } | undefined
    if (row !== undefined) dropSource(row.id)
  }

  /** What a kill left unfinished, tables that nobody knows, and all of an older recipe. */
  function sweep(): void {
    const { version } = database.prepare('SELECT user_version AS version FROM pragma_user_version').get() as { version: number }
    transaction(() => {
      const stale = version === tablesRecipe ? "state = 'loading'" : '1'
      for (const { id } of database.prepare(`SELECT id FROM siku_sources WHERE ${stale}`).all() as { id: number }[]) dropSource(id)
      const strays = database
        .prepare(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'siku\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           AND name NOT IN (SELECT table_name FROM siku_sheets)`,
        )
        .all() as { name: string }[]
      for (const { name } of strays) database.exec(`DROP TABLE ${quoted(name)}`)
      database.exec(`DELETE FROM siku_rows; PRAGMA user_version = ${tablesRecipe}`)
    })
  }

  function tableName({ sheet, part, title }: OpenSheet): string {
    if (source === null) throw new Error('no document is begun')
    const base = cleanName(source.name, 't_1')
    const own = cleanName(sheet, 'sheet_1')
    const wanted = /^sheet_?1$|^工作表_?1$/.test(own) || own === base ? base : `${base}_${own}`
    const named = part === 0 || title === null ? wanted : `${wanted}_${cleanName(title, `${part + 1}`)}`
    const safe = /^(?:siku|sqlite)_/i.test(named) ? `t_${named}` : named
    return uniqueName(safe, source.taken)
  }

  function addRows({ numbers, cells }: SheetRows): void {
    const sheet = open
    if (sheet === null) throw new Error('no sheet is begun')
    const insert = database.prepare('INSERT INTO siku_rows (row, cells) VALUES (?, ?)')
    transaction(() => {
      for (const [index, row] of cells.entries()) {
        if (row.length > mostColumns) sheet.cut = true
        const kept = row.slice(0, mostColumns)
        for (const [column, cell] of kept.entries()) (sheet.studies[column] ??= studyColumn()).take(cell)
        insert.run(numbers[index] ?? 0, JSON.stringify(kept))
        sheet.rows += 1
      }
    })
  }

  function endSheet(cut: boolean): void {
    const sheet = open
    open = null
    if (sheet === null || source === null || sheet.rows === 0) return
    const { columns, write } = planColumns(sheet)
    const table = tableName(sheet)
    const defined = write.map(({ name, declared }) => `${quoted(name)} ${declared}`)
    const sourceId = source.id
    transaction(() => {
      database.exec(`CREATE TABLE ${quoted(table)} (_row INTEGER PRIMARY KEY${defined.map((each) => `, ${each}`).join('')})`)
      const insert = database.prepare(`INSERT OR IGNORE INTO ${quoted(table)} VALUES (?${write.map(() => ', ?').join('')})`)
      const rows = database.prepare('SELECT row, cells FROM siku_rows ORDER BY id').iterate() as IterableIterator<{
        row: number
        cells: string
      }>
      for (const { row, cells } of rows) {
        const shown = JSON.parse(cells) as string[]
        insert.run(row, ...write.map(({ value }) => value(shown)))
      }
      database.exec('DELETE FROM siku_rows')
      const { count } = database.prepare(`SELECT count(*) AS count FROM ${quoted(table)}`).get() as { count: number }
      database
        .prepare('INSERT INTO siku_sheets (source_id, sheet, table_name, title, rows, cut, columns) VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(sourceId, sheet.sheet, table, sheet.title, count, cut || sheet.cut ? 1 : 0, JSON.stringify(columns))
    })
  }

  sweep()
  return {
    sources: () => database.prepare('SELECT hash, state FROM siku_sources').all() as { hash: string; state: string }[],
    begin(hash, name) {
      transaction(() => {
        dropHash(hash)
        database.exec('DELETE FROM siku_rows')
        const { lastInsertRowid } = database.prepare("INSERT INTO siku_sources (hash, state) VALUES (?, 'loading')").run(hash)
        const names = database.prepare('SELECT table_name AS name FROM siku_sheets').all() as { name: string }[]
        source = { id: Number(lastInsertRowid), name, taken: new Set(names.map((each) => each.name.toLowerCase())) }
      })
      open = null
    },
    take(events) {
      for (const event of events) {
        if (event.type === 'sheet') {
          const { sheet, part, title, names } = event
          if (names.length > mostColumns) names.length = mostColumns
          open = { sheet, part, title, names, studies: names.map((name) => studyColumn(name)), rows: 0, cut: false }
        } else if (event.type === 'rows') addRows(event)
        else endSheet(event.cut)
      }
    },
    finish: (hash) => void database.prepare("UPDATE siku_sources SET state = 'ready' WHERE hash = ?").run(hash),
    fail(hash, problem) {
      open = null
      transaction(() => {
        dropHash(hash)
        database.exec('DELETE FROM siku_rows')
        database.prepare("INSERT INTO siku_sources (hash, state, problem) VALUES (?, 'failed', ?)").run(hash, problem)
      })
    },
    remove: (hashes) => transaction(() => hashes.forEach(dropHash)),
    putSummary: (key, summary, at) =>
      void database.prepare('INSERT OR REPLACE INTO siku_summaries (key, summary, made_at) VALUES (?, ?, ?)').run(key, summary, at),
    close() {
      database.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

interface WrittenColumn {
  name: string
  declared: string
  value(shown: string[]): string | number | null
}

/** The columns as they are told of, and as they are written: beside each may stand its cells as shown, their units, and their other reading. */
function planColumns(sheet: OpenSheet): { columns: TableColumn[]; write: WrittenColumn[] } {
  const taken = new Set(['_row', 'rowid', 'oid', '_rowid_'])
  const studied = sheet.studies.map((study, index) => {
    const original = sheet.names[index] ?? ''
    return { original, name: uniqueName(cleanName(original, `column_${index + 1}`), taken), ...study.end() }
  })
  const columns: TableColumn[] = []
  const write: WrittenColumn[] = []
  for (const [index, { original, name, readAs, other, same, values, units, reading, stray }] of studied.entries()) {
    const { type } = readAs
    const beside = (ending: string, isThere: boolean): string | null => (isThere ? uniqueName(`${name}_${ending}`, taken) : null)
    const shown = beside('shown', !same)
    const otherIn = beside('other', other !== null)
    const unitIn = beside('unit', areMixed(units))
    columns.push({ name, original, type, shown, values: type === 'text' ? values : null, units, unitIn, reading, other: otherIn, stray })
    write.push({ name, declared: declared(type), value: (cells) => valueIn(readAs, cells[index] ?? '') })
    if (shown !== null) write.push({ name: shown, declared: 'TEXT', value: (cells) => cells[index] || null })
    if (otherIn !== null && other !== null)
      write.push({ name: otherIn, declared: declared(other.type), value: (cells) => valueIn(other, cells[index] ?? '') })
    if (unitIn !== null) write.push({ name: unitIn, declared: 'TEXT', value: (cells) => numberOf(cells[index] ?? '')?.unit ?? null })
  }
  return { columns, write }
}

/** Cells without a unit are of the one that the others have, unless that is a share. */
function areMixed(units: readonly string[]): boolean {
  const named = units.filter((unit) => unit !== '')
  return named.length > 1 || (named[0] === '%' && units.length > 1)
}

function declared(type: TableColumn['type']): string {
  return type === 'integer' ? 'INTEGER' : type === 'decimal' ? 'REAL' : 'TEXT'
}
