/**
 * Counting questions over generated sheets: what the pattern finds without a model, against what was written. Prints how many are
 * exact, and how long loading and asking take.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { planTable } from '../src/core/answer/overview/table.ts'
import { createTableReader } from '../src/core/ingest/tables/tables.ts'
import { createTables } from '../src/core/tables/tables.ts'
import { forkProcess } from '../src/core/work/work.ts'
import { createDraw, makeSheet, products, regions, sheetStatuses, type MadeSheet } from '../test/fixtures/make-sheets.ts'
import { openTestIngest, workerUrl } from '../test/fixtures/open-test-ingest.ts'

type Row = MadeSheet['rows'][number]
const [sheetCount = 12, rowsEach = 2000, questionCount = 400] = process.argv.slice(2).map(Number)

interface Question {
  text: string
  value: number
}

function ask(draw: (below: number) => number, rows: Row[], sheet: number | null): Question {
  const [region, status, product, month] = [regions[draw(5)]!, sheetStatuses[draw(3)]!, products[draw(6)]!, 1 + draw(12)]
  const padded = `2026-${String(month).padStart(2, '0')}`
  const name = sheet === null ? 'orders' : `orders in branch-${sheet}`
  const chinese = sheet === null ? 'orders 里' : `branch-${sheet} 的 orders 里`
  const limit = draw(90_000)
  const sum = (of: Row[], key: 'amount' | 'quantity'): number => of.reduce((total, row) => total + row[key], 0)
  const inRegion = rows.filter((row) => row.region === region)
  const ofProduct = rows.filter((row) => row.product === product)
  const choices: (() => Question)[] = [
    () => ({ text: `How many ${name} are from ${region}?`, value: inRegion.length }),
    () => ({ text: `How many ${status} ${name}?`, value: rows.filter((row) => row.status === status).length }),
    () => ({
      text: `How many ${name} from ${region} have status ${status}?`,
      value: inRegion.filter((row) => row.status === status).length,
    }),
    () => ({ text: `What is the total amount of ${name} for ${product}?`, value: sum(ofProduct, 'amount') }),
    () => ({ text: `What is the sum of quantity in ${name} from ${region}?`, value: sum(inRegion, 'quantity') }),
    () => ({ text: `What is the highest amount of ${name} from ${region}?`, value: Math.max(...inRegion.map((row) => row.amount)) }),
    () => ({ text: `What is the lowest quantity of ${name} for ${product}?`, value: Math.min(...ofProduct.map((row) => row.quantity)) }),
    () => ({ text: `What is the average quantity of ${name} from ${region}?`, value: sum(inRegion, 'quantity') / inRegion.length }),
    () => ({ text: `How many ${name} in ${padded}?`, value: rows.filter((row) => row.date.startsWith(padded)).length }),
    () => ({ text: `How many ${name} have an amount over ${limit}?`, value: rows.filter((row) => row.amount > limit).length }),
    () => ({ text: `How many different products in ${name}?`, value: new Set(rows.map((row) => row.product)).size }),
    () => ({ text: `${chinese}${region}有多少条记录？`, value: inRegion.length }),
    () => ({ text: `${chinese}${product}的 amount 总和是多少？`, value: sum(ofProduct, 'amount') }),
    () => ({ text: `${chinese}${region}的 quantity 最大是多少？`, value: Math.max(...inRegion.map((row) => row.quantity)) }),
    () => ({ text: `${chinese}2026年${month}月有多少条？`, value: rows.filter((row) => row.date.startsWith(padded)).length }),
    () => ({ text: `${chinese} amount 超过${limit}的有多少条？`, value: rows.filter((row) => row.amount > limit).length }),
  ]
  return choices[draw(choices.length)]!()
}

const root = realpathSync(mkdtempSync(join(tmpdir(), 'siku-bench-tables-')))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'siku-bench-sheets-')))
try {
  const made = Array.from({ length: sheetCount }, (_none, index) => makeSheet(index + 1, rowsEach))
  for (const [index, { csv }] of made.entries()) writeFileSync(join(folder, `orders branch-${index + 1}.csv`), csv)
  const library = await openTestIngest(root, null)
  const deps = { dataDir: root, workerUrl, startProcess: forkProcess, now: Date.now, log: () => undefined }
  const reader = createTableReader(deps, library.store)
  const tables = createTables({ deps, store: library.store, read: reader.read })
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  const loading = performance.now()
  tables.start()
  await tables.whenIdle()
  const loadMs = performance.now() - loading
  const all = made.flatMap(({ rows }) => rows)
  const draw = createDraw(4711)
  const list = tables.list()
  const wrong: string[] = []
  let planned = 0
  let askedMs = 0
  let slowestMs = 0
  for (let count = 0; count < questionCount; count += 1) {
    const sheet = count % 2 === 0 ? null : 1 + draw(sheetCount)
    const { text, value } = ask(draw, sheet === null ? all : made[sheet - 1]!.rows, sheet)
    const begun = performance.now()
    const plan = planTable(text, list)
    if (plan === null) {
      wrong.push(`${text} (left to a model)`)
      continue
    }
    planned += 1
    const found = await tables.query({ sql: plan.sql }).then(
      (answer) => answer.rows[0]?.[0],
      (error: unknown) => String(error),
    )
    const tookMs = performance.now() - begun
    askedMs += tookMs
    slowestMs = Math.max(slowestMs, tookMs)
    const isSame = typeof found === 'number' && Math.abs(found - value) <= 1e-9 * Math.max(1, Math.abs(value))
    if (!isSame) wrong.push(`${text} → ${found}, not ${value} (${plan.sql})`)
  }
  console.log(
    `sheets ${sheetCount}, rows ${sheetCount * rowsEach}: loaded in ${(loadMs / 1000).toFixed(1)} s (${Math.round((sheetCount * rowsEach) / (loadMs / 1000))} rows a second)`,
  )
  console.log(
    `exact ${questionCount - wrong.length} of ${questionCount}; ${planned} without a model; ${(askedMs / Math.max(1, planned)).toFixed(1)} ms each, slowest ${slowestMs.toFixed(0)} ms`,
  )
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`)
  await tables.close()
  reader.close()
  await library.close()
  if (wrong.length > 0) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}
