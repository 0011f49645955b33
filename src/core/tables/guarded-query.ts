import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { SikuError } from '../../contract/errors.ts'
import type { TableCell } from '../../contract/tables.ts'
import { foldText } from '../search/search.ts'
import { oneSelect } from './statement.ts'

export interface GuardedQuery {
  databasePath: string
  sql: string
  /** The only tables that may be read. */
  allowed: string[]
  limit: number
}

export interface GuardedRows {
  sql: string
  columns: string[]
  rows: TableCell[][]
  more: boolean
  /** Tables that the statement reads. */
  read: string[]
}

/** SQLite's codes of what a statement is about to do (sqlite3_set_authorizer). */
const action = { read: 20, select: 21, function: 31, recursive: 33 }
const [ok, deny] = [0, 1]

/** What may be called: nothing that reads a file, loads code, or says what this machine is. */
const functions = new Set(
  `abs avg ceil ceiling changes char coalesce concat concat_ws count cume_dist date datetime dense_rank exp first_value floor fold
   format glob group_concat ifnull iif instr julianday lag last_value lead length like ln log log10 log2 lower ltrim max min mod
   nth_value ntile nullif octet_length percent_rank pi pow power printf rank replace round row_number rtrim sign sqrt strftime
   string_agg substr substring sum time timediff total trim trunc typeof unicode unixepoch upper`.split(/\s+/),
)

const mostBytes = 1 << 20
const longestCell = 10_000

/** One SELECT on a connection that can do nothing else. Its time is limited by whoever runs this process. */
export function runGuarded({ databasePath, sql, allowed, limit }: GuardedQuery): GuardedRows {
  const statement = oneSelect(sql)
  const database = new DatabaseSync(databasePath, { readOnly: true, allowExtension: false, timeout: 1000 })
  try {
    // Before the authorizer, which lets no PRAGMA through.
    database.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000')
    database.enableDefensive(true)
    Object.assign(database.limits, {
      length: 8 << 20,
      sqlLength: 40_000,
      exprDepth: 200,
      compoundSelect: 50,
      attach: 0,
      likePatternLength: 1000,
    })
    database.function('fold', { deterministic: true }, createFold())
    const read = guard(database, new Set(allowed.map((name) => name.toLowerCase())))
    return { sql: statement, ...run(database, statement, limit), read: [...read] }
  } finally {
    // Statements keep a closed connection half alive until they are collected: its pages go now.
    database.setAuthorizer(null)
    database.exec('PRAGMA shrink_memory')
    database.close()
  }
}

const mostFolded = 20_000

/** Columns hold the same texts again and again: each is folded once. */
function createFold(): (value: unknown) => string | number | bigint | null {
  const folded = new Map<string, string>()
  return (value) => {
    if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'bigint' ? value : null
    let text = folded.get(value)
    if (text === undefined) {
      text = foldText(value).trim()
      if (folded.size < mostFolded) folded.set(value, text)
    }
    return text
  }
}

function guard(database: DatabaseSyncInstance, allowed: ReadonlySet<string>): Set<string> {
  const read = new Set<string>()
  const stored = database.prepare('SELECT lower(name) AS name FROM sqlite_schema').all() as { name: string }[]
  const known = new Set(stored.map(({ name }) => name))
  /** A subquery of the statement's own, of which no column is named: SQLite tells it like a table that is only counted. */
  const isOwn = (table: string, column: string | null): boolean => !column && !known.has(table) && !/^(?:sqlite|pragma)_/.test(table)
  database.setAuthorizer((code, first, second) => {
    switch (code) {
      case action.select:
      case action.recursive:
        return ok
      case action.read: {
        const table = (first ?? '').toLowerCase()
        if (!allowed.has(table)) return isOwn(table, second) ? ok : deny
        read.add(table)
        return ok
      }
      case action.function:
        return functions.has((second ?? first ?? '').toLowerCase()) ? ok : deny
      default:
        return deny
    }
  })
  return read
}

function run(database: DatabaseSyncInstance, sql: string, limit: number): Pick<GuardedRows, 'columns' | 'rows' | 'more'> {
  let statement
  try {
    statement = database.prepare(sql)
    statement.setReturnArrays(true)
    statement.setReadBigInts(true)
  } catch (error) {
    throw asRefusal(error)
  }
  const columns = statement.columns().map((column) => column.name)
  const rows: TableCell[][] = []
  let bytes = 0
  let more = false
  try {
    for (const row of statement.iterate() as IterableIterator<unknown[]>) {
      if (rows.length === limit || bytes > mostBytes) {
        more = true
        break
      }
      const cells = row.map(cellOf)
      bytes += cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
      rows.push(cells)
    }
  } catch (error) {
    throw asRefusal(error)
  }
  return { columns, rows, more }
}

function asRefusal(error: unknown): SikuError {
  const message = error instanceof Error ? error.message : String(error)
  const isDenied = /not authorized|prohibited/i.test(message)
  return new SikuError(isDenied ? 'refused' : 'bad-input', message, { cause: error })
}

/** Sums of decimals are shown to the digits that a number holds: 0.3, not 0.30000000000000004. */
function cellOf(value: unknown): TableCell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toPrecision(15)) : null
  return typeof value === 'string' ? value.slice(0, longestCell) : null
}
