import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestCore, type TestCore } from '../../../test/fakes/core.ts'
import { fromCallError } from '../../contract/errors.ts'
import { createClient, type Client } from '../core.ts'

let home: TestCore
let client: Client
let folder: string

beforeAll(async () => {
  home = await openTestCore()
  client = createClient(home.core)
  folder = `${home.dataDir}-sheets`
  mkdirSync(folder)
  writeFileSync(join(folder, 'orders.csv'), 'Region,Amount\nEU,"1,000"\nUS,20\nEU,5\n')
  writeFileSync(join(folder, 'note.md'), 'The deposit is due in March. No deposit, no key.')
  await client.folders.add({ paths: [folder] })
  for await (const progress of await client.library.progress()) if (progress.phase === 'idle' && progress.counts.total > 0) break
  await home.core.context.tables.whenIdle()
}, 120_000)
afterAll(async () => {
  await home.end()
  rmSync(folder, { recursive: true, force: true })
})

test('the whole product counts: tables, text, files and summaries through the contract', async () => {
  expect((await client.tables.list()).map(({ table, rows }) => ({ table, rows }))).toEqual([{ table: 'orders', rows: 3 }])
  const answer = await client.tables.query({ sql: "SELECT sum(amount) FROM orders WHERE region = 'EU'" })
  expect(answer).toMatchObject({ rows: [[1005]], rowsLookedAt: 3, sheets: [{ sheet: '' }] })
  expect((await client.overview.count({ words: 'deposit' })).occurrences).toBe(2)
  expect((await client.overview.files({ kinds: ['sheet'] })).total).toBe(1)
  const documentId = (await client.overview.files({ name: 'note' })).files[0]!.id
  const events = []
  for await (const event of await client.overview.summarise({ documentId, model: null })) events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'summary-end', summary: { text: expect.stringContaining('deposit') as string } })
})

test('what is refused comes back with its code', async () => {
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => fromCallError(error).code,
    )
  expect(await codeOf(client.tables.query({ sql: 'DROP TABLE orders' }))).toBe('refused')
  expect(await codeOf(client.tables.query({ sql: 'SELECT * FROM siku_sheets' }))).toBe('refused')
  expect(await codeOf(client.overview.count({}))).toBe('bad-input')
})

test('a question goes from the chat to the count, and is stored with its basis', async () => {
  const { chatId, turnId } = await client.chats.ask({ question: 'How many orders are from the EU?', model: null })
  for await (const event of await client.turns.watch({ turnId })) if (event.type === 'turn-end') break
  const turn = (await client.chats.get({ chatId })).history[0]!
  expect(turn).toMatchObject({ outcome: 'answered', answer: expect.stringMatching(/^2 rows\. \[1\]/) as string })
  expect(turn.notes).toMatchObject([{ code: 'basis', message: expect.stringContaining('Counted in 1 sheet, 3 rows: SELECT') as string }])
  expect((await client.turns.openCitation({ turnId, marker: 1 })).state).toBe('current')
})
