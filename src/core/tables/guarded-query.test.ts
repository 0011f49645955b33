import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runGuarded } from './guarded-query.ts'
import { openTablesWriter, type TablesWriter } from './tables-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'siku-tables-'))
const databasePath = join(folder, 'tables.db')
let writer: TablesWriter

function load(hash: string, name: string, columns: string[], rows: string[][]): void {
  writer.begin(hash, name)
  writer.take([
    { type: 'sheet', sheet: 'Sheet1', part: 0, title: null, names: columns },
    { type: 'rows', numbers: rows.map((_row, index) => index + 2), cells: rows },
    { type: 'sheet-end', cut: false },
  ])
  writer.finish(hash)
}

beforeAll(() => {
  writer = openTablesWriter(databasePath)
  load(
    'a',
    'orders',
    ['Region', 'Amount', 'Paid on'],
    [
      ['EU', '￥1,234.50', '2026年11月1日'],
      ['US', '0.1', '2026-11-02'],
      ['eu', '0.2', '2026-11-03'],
    ],
  )
  load('b', 'secret', ['Name', 'Pay'], [['Li', '9']])
})
afterAll(() => {
  writer.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (sql: string, limit = 100) => runGuarded({ databasePath, sql, allowed: ['orders'], limit })

test('numbers and dates are worth what is shown, and what is shown stands beside them', () => {
  expect(run('SELECT _row, region, amount, amount_shown, paid_on, paid_on_shown FROM orders ORDER BY _row')).toMatchObject({
    rows: [
      [2, 'EU', 1234.5, '￥1,234.50', '2026-11-01', '2026年11月1日'],
      [3, 'US', 0.1, '0.1', '2026-11-02', '2026-11-02'],
      [4, 'eu', 0.2, '0.2', '2026-11-03', '2026-11-03'],
    ],
    more: false,
    read: ['orders'],
  })
  expect(run("SELECT sum(amount) FROM orders WHERE fold(region) = fold('ＥＵ')").rows).toEqual([[1234.7]])
  expect(run('SELECT 0.1 + 0.2').rows).toEqual([[0.3]])
})

test('rows are bounded and it is said that there are more', () => {
  expect(run('SELECT * FROM orders', 2)).toMatchObject({ rows: [{}, {}], more: true })
  expect(run('SELECT 9007199254740993').rows).toEqual([['9007199254740993']])
  const long = run(
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT replace(printf('%.9000c', 'x'), 'x', 'y') FROM n",
    1000,
  )
  expect(long.more).toBe(true)
  expect(long.rows.length).toBeLessThan(200)
})

test.each([
  ['another table', 'SELECT * FROM secret'],
  ['another table in a subquery', 'SELECT (SELECT pay FROM secret) FROM orders'],
  ['another table counted only', 'SELECT count(*) FROM secret'],
  ['another table behind a name', 'WITH orders AS (SELECT * FROM secret) SELECT * FROM orders'],
  ['another table in a union', 'SELECT region FROM orders UNION ALL SELECT name FROM secret'],
  ['another table quoted', 'SELECT * FROM main."secret"'],
  ['the schema', 'SELECT sql FROM sqlite_schema'],
  ['the schema by its old name', 'SELECT * FROM sqlite_master'],
  ['the schema counted only', 'SELECT count(*) FROM sqlite_schema'],
  ['pragmas counted only', 'SELECT count(*) FROM pragma_database_list'],
  ['the sources', 'SELECT * FROM siku_sources'],
  ['a pragma', 'PRAGMA table_info(orders)'],
  ['a pragma as a table', "SELECT * FROM pragma_table_info('orders')"],
  ['the path of the database', 'SELECT file FROM pragma_database_list'],
  ['attach', `ATTACH '${databasePath}' AS other`],
  ['a second statement', 'SELECT 1; DELETE FROM orders'],
  ['delete', 'DELETE FROM orders'],
  ['delete that returns', 'WITH x AS (SELECT 1) DELETE FROM orders RETURNING *'],
  ['insert', "WITH x AS (SELECT 1) INSERT INTO orders (region) VALUES ('x')"],
  ['update', "WITH x AS (SELECT 1) UPDATE orders SET region = 'x'"],
  ['a new table', 'CREATE TABLE x AS SELECT 1'],
  ['an extension', "SELECT load_extension('/tmp/evil.so')"],
  ['a written file', "SELECT writefile('/tmp/x', 'y')"],
  ['a read file', "SELECT readfile('/etc/passwd')"],
  ['the tokenizers', "SELECT fts3_tokenizer('simple')"],
  ['compile options', 'SELECT sqlite_compileoption_get(0)'],
  ['random blobs', 'SELECT randomblob(1000000000)'],
  ['great blobs', 'SELECT zeroblob(1000000000)'],
  ['an unknown table', 'SELECT * FROM nothing'],
  ['vacuum into a file', `VACUUM INTO '${join(folder, 'copy.db')}'`],
])('%s cannot be had', (_what, sql) => {
  expect(() => run(sql)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:refused|bad-input)$/) as string }) as Error)
  expect(run('SELECT count(*) FROM orders').rows).toEqual([[3]])
  expect(readdirSync(folder).sort()).toEqual(['tables.db', 'tables.db-shm', 'tables.db-wal'])
})

test('a string greater than its limit is refused, not made', () => {
  expect(run("SELECT printf('%.*c', 100000000, 'x')").rows).toEqual([[null]])
  expect(() => run("SELECT replace(printf('%.*c', 1000000, 'x'), 'x', 'yyyyyyyyyy')")).toThrow(/too big/)
  expect(() => run(`SELECT 1 ${'+ 1 '.repeat(500)}`)).toThrow(/depth/)
})

test('a table goes with its document, and a load that was cut off by a kill leaves nothing', () => {
  load('c', 'third', ['A', 'B'], [['x', '1']])
  writer.begin('d', 'half')
  writer.take([
    { type: 'sheet', sheet: 'Sheet1', part: 0, title: null, names: ['A', 'B'] },
    { type: 'rows', numbers: [2], cells: [['x', '1']] },
    { type: 'sheet-end', cut: false },
    { type: 'sheet', sheet: 'Sheet2', part: 0, title: null, names: ['A', 'B'] },
    { type: 'rows', numbers: [2], cells: [['x', '1']] },
  ])
  writer.remove(['c'])
  expect(() => runGuarded({ databasePath, sql: 'SELECT * FROM third', allowed: ['third'], limit: 1 })).toThrow(/no such table/)
  writer.close()
  writer = openTablesWriter(databasePath)
  expect(writer.sources().map(({ hash }) => hash)).toEqual(['a', 'b'])
  expect(() => runGuarded({ databasePath, sql: 'SELECT * FROM half', allowed: ['half'], limit: 1 })).toThrow(/no such table/)
  expect(run('SELECT count(*) FROM orders').rows).toEqual([[3]])
})

test('sheets of equal names, names of ours and names that are words of SQL each get a table', () => {
  load('e', 'orders', ['A', 'B'], [['x', '1']])
  load('f', 'siku_sources', ['A', 'B'], [['x', '1']])
  load('g', 'select', ['A', 'B'], [['x', '1']])
  load('h', '…', ['A', 'B'], [['x', '1']])
  const allowed = ['orders_2', 't_siku_sources', 't_select', 't_1']
  for (const table of allowed)
    expect(runGuarded({ databasePath, sql: `SELECT count(*) FROM ${table}`, allowed, limit: 1 }).rows).toEqual([[1]])
  writer.remove(['e', 'f', 'g', 'h'])
})
