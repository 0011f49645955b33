import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export interface WriteContext {
  database: DatabaseSyncInstance
  /** Each statement is prepared once. */
  prepare(sql: string): StatementSyncInstance
  now(): number
  /**
   * Rows for the keyword index. They wait for the end of the transaction: FTS5 writes a segment out whenever a savepoint
   * or a statement with a trigger comes between two of them, which made indexing four times slower.
   */
  addTerms(passageId: number, terms: string): void
  /** To be called before the commit, and before rows are taken out. */
  flushTerms(): void
  /** After a rollback. */
  forgetTerms(): void
  /** Contents begun or finished in this session that no document has yet: a sweep leaves them alone. */
  underway: Set<number>
  /** Contents that turned out to be stored already when they were finished, and what stands for them. */
  replacedBy: Map<number, number>
}

export function createWriteContext(database: DatabaseSyncInstance): WriteContext {
  const statements = new Map<string, StatementSyncInstance>()
  let waiting: { passageId: number; terms: string }[] = []

  function prepare(sql: string): StatementSyncInstance {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  return {
    database,
    prepare,
    now: () => Date.now(),
    addTerms: (passageId, terms) => void waiting.push({ passageId, terms }),
    flushTerms() {
      if (waiting.length === 0) return
      const insert = prepare('INSERT INTO passages_fts (rowid, terms) VALUES (?, ?)')
      for (const row of waiting) insert.run(row.passageId, row.terms)
      waiting = []
    },
    forgetTerms: () => void (waiting = []),
    underway: new Set(),
    replacedBy: new Map(),
  }
}

export function activeModel(context: WriteContext): number | null {
  const row = context.prepare('SELECT id FROM embedding_models WHERE active = 1').get() as { id: number } | undefined
  return row?.id ?? null
}
