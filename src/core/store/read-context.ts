import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { toStoreError } from './store-error.ts'

export interface ReadContext {
  /** Statements are prepared once; SQLite's errors become SikuErrors. */
  all<Row>(sql: string, ...values: (string | number | null)[]): Row[]
  get<Row>(sql: string, ...values: (string | number | null)[]): Row | null
}

export function createReadContext(reader: DatabaseSyncInstance): ReadContext {
  const statements = new Map<string, StatementSyncInstance>()
  function prepare(sql: string): StatementSyncInstance {
    let statement = statements.get(sql)
    if (!statement) {
      statement = reader.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  function meaningful<Value>(work: () => Value): Value {
    try {
      return work()
    } catch (error) {
      throw toStoreError(error)
    }
  }
  return {
    all: (sql, ...values) => meaningful(() => prepare(sql).all(...values)),
    get: (sql, ...values) => meaningful(() => prepare(sql).get(...values) ?? null),
  }
}

/** JSON that this program wrote itself; null where it cannot be read. */
export function parseJson(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
