import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeSheet } from '../../../test/fixtures/make-sheets.ts'
import { openTestIngest, testDirectories, until, workerUrl, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { createTableReader } from '../ingest/tables/tables.ts'
import { forkProcess } from '../work/work.ts'
import { createTables, type Tables } from './tables.ts'

interface Home extends TestIngest {
  tables: Tables
}

const directories = testDirectories()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})
afterAll(() => directories.clear())

async function openHome(dataDir: string, options: { queryTimeoutMs?: number } = {}): Promise<Home> {
  const library = await openTestIngest(dataDir, null)
  const deps = { dataDir, workerUrl, startProcess: forkProcess, now: Date.now, log: () => undefined }
  const reader = createTableReader(deps, library.store)
  const tables = createTables({ deps, store: library.store, read: reader.read, ...options })
  tables.start()
  const close = async (): Promise<void> => {
    await tables.close()
    reader.close()
    await library.close()
  }
  const home = { ...library, tables, close }
  open.push(home)
  return home
}

async function begin(files: Record<string, string | Uint8Array>, options: { queryTimeoutMs?: number } = {}) {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, files)
  const home = await openHome(dataDir, options)
  await home.ingest.add([folder])
  await settle(home)
  return { ...home, dataDir, folder }
}

async function settle({ ingest, tables }: Home): Promise<void> {
  await ingest.whenIdle()
  await tables.whenIdle()
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error as { code: string }).code,
  )
}

test('counts and sums over sheets are those of what was written, however it is shown', async () => {
  const made = makeSheet(7, 3000)
  const { tables } = await begin({ 'orders.csv': made.csv })
  const eu = made.rows.filter((row) => row.region === 'EU' && row.status === '已完成')
  const answer = await tables.query({
    sql: "SELECT count(*), sum(amount), min(date), max(quantity) FROM orders WHERE region = 'EU' AND status = '已完成'",
  })
  const dates = eu.map((row) => row.date).sort()
  expect(answer.rows).toEqual([
    [eu.length, eu.reduce((sum, row) => sum + row.amount, 0), dates[0], Math.max(...eu.map((row) => row.quantity))],
  ])
  expect(answer).toMatchObject({ rowsLookedAt: 3000, more: false, sheets: [{ table: 'orders', rows: 3000, cut: false }] })
  expect(tables.list()[0]?.columns.map(({ name, type, shown }) => `${name} ${type} ${shown ?? ''}`.trim())).toEqual([
    'region text',
    'product text',
    'status text',
    'amount decimal amount_shown',
    'quantity integer',
    'date date date_shown',
  ])
})

test('each sheet of a workbook is a table under its title, with rows numbered as the sheet does and totals left out', async () => {
  const book = utils.book_new()
  const sales = utils.aoa_to_sheet([['2026 年销售'], [], ['地区', '金额'], ['华东', '1,000'], ['华北', '2,500'], ['合计', '3,500']])
  utils.book_append_sheet(book, sales, '销售')
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Name', 'Since'],
      ['Li', '2020-01-02'],
      ['Wu', '2019-05-06'],
    ]),
    'Staff',
  )
  const { tables } = await begin({ 'report.xlsx': write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer })
  expect(tables.list().map(({ table, sheet, title, rows }) => ({ table, sheet, title, rows }))).toEqual([
    { table: 'report_销售', sheet: '销售', title: '2026 年销售', rows: 2 },
    { table: 'report_staff', sheet: 'Staff', title: null, rows: 2 },
  ])
  expect((await tables.query({ sql: 'SELECT _row, 地区, 金额 FROM report_销售 ORDER BY 金额 DESC' })).rows).toEqual([
    [5, '华北', 2500],
    [4, '华东', 1000],
  ])
})

test('tables below and beside each other in one sheet are tables of their own, with their columns and rows', async () => {
  const book = utils.book_new()
  const sheet = utils.aoa_to_sheet([
    ['表一 仓库甲', null, null, null, null, '城市', '人口'],
    ['物资', '数量', '单价', null, null, '南京', 900],
    ['水泥', 5, 300, null, null, '苏州', 1200],
    ['钢筋', 6, 400],
    [],
    ['表二 仓库乙'],
    ['物资', '单价', '数量'],
    ['沙子', 50, 7],
    ['砖', 1, 1000],
    ['合计', null, 1007],
  ])
  utils.book_append_sheet(book, sheet, '盘点')
  const { tables } = await begin({ '盘点.xlsx': write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer })
  expect(tables.list().map(({ table, title, rows, columns }) => [table, title, rows, columns.map(({ name }) => name).join()])).toEqual([
    ['盘点', '表一 仓库甲', 2, '物资,数量,单价'],
    ['盘点_表二_仓库乙', '表二 仓库乙', 2, '物资,单价,数量'],
    ['盘点_2', null, 2, '城市,人口'],
  ])
  expect((await tables.query({ sql: 'SELECT _row, 物资, 数量 FROM 盘点_表二_仓库乙 ORDER BY _row' })).rows).toEqual([
    [8, '沙子', 7],
    [9, '砖', 1000],
  ])
  expect((await tables.query({ sql: 'SELECT (SELECT sum(数量) FROM 盘点), (SELECT sum(人口) FROM 盘点_2)' })).rows).toEqual([[11, 2100]])
})

test('tables follow their files: a change is seen, a move costs nothing, equal files share one, and a removed file is gone', async () => {
  const home = await begin({ 'a.csv': 'name,count\nx,1\ny,2\n', 'b.csv': 'name,count\nx,1\ny,2\n', 'c.csv': 'name,count\nz,9\nq,8\n' })
  const { tables, folder, store } = home
  expect(tables.list().map(({ table, documents }) => [table, documents.map(({ path }) => basename(path))])).toEqual([
    ['a', ['a.csv', 'b.csv']],
    ['c', ['c.csv']],
  ])
  renameSync(join(folder, 'c.csv'), join(folder, 'moved.csv'))
  writeFileSync(join(folder, 'a.csv'), 'name,count\nx,1\ny,2\nw,3\n')
  rmSync(join(folder, 'b.csv'))
  await until(
    () =>
      store.documents
        .list({ offset: 0, limit: 10 })
        .documents.map(({ name, characters }) => `${name} ${characters}`)
        .join() !== '' && store.documents.list({ name: 'moved', offset: 0, limit: 1 }).total === 1,
    'the move is seen',
  )
  await until(() => tables.list().some(({ rows }) => rows === 3), 'the change is loaded')
  await settle(home)
  expect((await tables.query({ sql: 'SELECT count(*) FROM c' })).sheets[0]?.documents.map(({ path }) => basename(path))).toEqual([
    'moved.csv',
  ])
  const total = await Promise.all(
    tables.list().map(async ({ table }) => (await tables.query({ sql: `SELECT sum(count) FROM "${table}"` })).rows[0]?.[0]),
  )
  expect(total.sort()).toEqual([17, 6])
})

test('a removed folder is not to be queried, and only the documents that are named are', async () => {
  const home = await begin({ 'a.csv': 'name,count\nx,1\n', 'b.csv': 'name,count\ny,2\n' })
  const { tables, ingest } = home
  const [first] = tables.list()
  const documentIds = first!.documents.map(({ documentId }) => documentId)
  expect((await tables.query({ sql: 'SELECT count FROM a', documentIds })).rows).toEqual([[1]])
  expect(await codeOf(tables.query({ sql: 'SELECT count FROM b', documentIds }))).toBe('refused')
  await ingest.remove(ingest.folders()[0]!.id)
  expect(tables.list()).toEqual([])
  expect(await codeOf(tables.query({ sql: 'SELECT count FROM a' }))).toBe('not-found')
})

test('after a restart the tables are there, and are made anew where the file is lost', async () => {
  const first = await begin({ 'a.csv': 'name,count\nx,1\n' })
  await open.pop()!.close()
  const again = await openHome(first.dataDir)
  expect(again.tables.list()).toHaveLength(1)
  await open.pop()!.close()
  writeFileSync(join(first.dataDir, 'tables.db'), 'this is no database, but it is longer than nothing '.repeat(50))
  const anew = await openHome(first.dataDir)
  await settle(anew)
  expect((await anew.tables.query({ sql: 'SELECT count FROM a' })).rows).toEqual([[1]])
})

test('a query that never ends is ended at its time, and the next one runs', async () => {
  const { tables } = await begin({ 'a.csv': 'name,count\nx,1\n' }, { queryTimeoutMs: 500 })
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n, a'
  expect(await codeOf(tables.query({ sql: endless }))).toBe('timeout')
  expect((await tables.query({ sql: 'SELECT count FROM a' })).rows).toEqual([[1]])
})

test('text is counted over the whole library, in either script and in any width or case, as whole words', async () => {
  const { tables } = await begin({
    'one.md': '# Lease\n\nThe lease ends. THE LEASE is long; please release it. Lease-end.\n\nannual\nreport',
    'two.txt': '合同的違約金是百分之五。合同\n违约金另计。ＡＢＣ１２３ and abc123.',
    'table.csv': `lease,count\n${Array.from({ length: 200 }, (_none, index) => `row ${index} of many words that fill a passage,${index}`).join('\n')}\n`,
    'empty.txt': '',
  })
  const count = async (words: string) => {
    const answer = await tables.count({ words })
    return [answer.occurrences, ...answer.documents.map(({ path, count: times }) => `${basename(path)} ${times}`).sort()]
  }
  expect(await count('lease')).toEqual([5, 'one.md 4', 'table.csv 1'])
  expect(await count('违约金')).toEqual([2, 'two.txt 2'])
  expect(await count('同违约')).toEqual([1, 'two.txt 1'])
  expect(await count('ABC123')).toEqual([2, 'two.txt 2'])
  expect(await count('Annual Report')).toEqual([1, 'one.md 1'])
  expect(await count('nothing like it')).toEqual([0])
  const answer = await tables.count({ pattern: 'rel?ease|违约' })
  expect(answer).toMatchObject({ occurrences: 3, complete: true, lookedAt: 3, total: 3, unread: 1 })
  expect(answer.places.map(({ path, place }) => [basename(path), place.kind])).toEqual([
    ['one.md', 'lines'],
    ['two.txt', 'lines'],
  ])
})

test('a pattern that never comes to an end harms nothing, and a broken one is refused', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'a.txt': `${'a'.repeat(60)}!` })
  const library = await openTestIngest(dataDir, null)
  const deps = { dataDir, workerUrl, startProcess: forkProcess, now: Date.now, log: () => undefined }
  const tables = createTables({ deps, store: library.store, read: () => Promise.resolve({ kind: 'later' }), countTimeMs: 300 })
  open.push(library, tables)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(await codeOf(tables.count({ pattern: '(a+)+$' }))).toBe('timeout')
  expect(await codeOf(tables.count({ pattern: '(' }))).toBe('bad-input')
  expect((await tables.count({ pattern: 'a+' })).occurrences).toBe(1)
})
