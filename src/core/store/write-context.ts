import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export interface WriteContext {
  database: DatabaseSyncInstance
  /** Each statement is prepared once. */
  prepare(sql: string): StatementSyncInstance
  now(): number
  /** Contents begun or finished in this session that no document has yet: a sweep leaves them alone. */
  underway: Set<number>
  /** Contents that turned out to be stored already when they were finished, and what stands for them. */
  replacedBy: Map<number, number>
}

export function createWriteContext(database: DatabaseSyncInstance): WriteContext {
  const statements = new Map<string, StatementSyncInstance>()
  return {
    database,
    prepare(sql) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = database.prepare(sql)
        statements.set(sql, statement)
      }
      return statement
    },
    now: () => Date.now(),
    underway: new Set(),
    replacedBy: new Map(),
  }
}

export function activeModel(context: WriteContext): number | null {
  const row = context.prepare('SELECT id FROM embedding_models WHERE active = 1').get() as { id: number } | undefined
  return row?.id ?? null
}
