import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildEntry } from '../../../test/build-entry.ts'
import { countRows, findWord, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'

let stores: TestStores
let entry: URL
beforeAll(async () => {
  stores = await testStores()
  entry = await buildEntry(new URL('../../../test/fixtures/store-entry.ts', import.meta.url))
})
afterAll(async () => {
  await stores.close()
  rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true })
})

/** Runs the storing program, kills it after so long, and answers with what it said was done. */
function storeUntilKilled(dataDir: string, firstText: number, afterMs: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(entry), dataDir, stores.workerUrl.href, String(firstText)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (piece: Buffer) => {
      // The clock starts when it is at work.
      if (output === '') setTimeout(() => child.kill('SIGKILL'), afterMs)
      output += piece.toString()
    })
    child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
    child.on('close', (code) => (code === null ? resolve(output.split('\n').slice(0, -1)) : reject(new Error(errors))))
  })
}

test('killed at ten moments while it writes: sound, nothing acknowledged is lost, nothing half is seen', async () => {
  const dataDir = stores.newDir()
  const stored = new Set<number>()
  const removed = new Set<number>()
  let next = 0
  for (let round = 0; round < 10; round++) {
    const lines = await storeUntilKilled(dataDir, next, Math.floor(Math.random() * 120))
    for (const line of lines) {
      const [what, number] = line.split(' ')
      next = Math.max(next, Number(number) + 2)
      if (what === 'stored') stored.add(Number(number))
      else removed.add(Number(number))
    }
    const store = await stores.open(dataDir)
    const integrity = store.reader.prepare('PRAGMA integrity_check').all()
    const halves = store.reader
      .prepare(
        `SELECT count(*) AS count FROM live_documents JOIN contents ON contents.id = content_id
         WHERE complete = 0 OR passage_count <> (SELECT count(*) FROM passages WHERE passages.content_id = contents.id)`,
      )
      .get()
    expect([integrity, halves]).toEqual([[{ integrity_check: 'ok' }], { count: 0 }])
    const missing = [...stored].filter(
      (number) => !removed.has(number) && !findWord(store, `"text of ${number}"`).includes(`/library/${number}.md`),
    )
    // The one removal that was underway may have been done without being acknowledged.
    expect(missing.filter((number) => !stored.has(number + 4) && number % 5 === 0)).toEqual([])
    expect(missing.filter((number) => number % 5 !== 0)).toEqual([])
    expect([...removed].filter((number) => findWord(store, `"text of ${number}"`).includes(`/library/${number}.md`))).toEqual([])
    await store.contents.sweep()
    expect(countRows(store, 'passages_fts')).toBe(countRows(store, 'passages'))
    expect(countRows(store, 'contents WHERE complete = 0')).toBe(0)
    const kept = store.reader.prepare('SELECT sum(passages) AS passages, sum(embedded) AS embedded FROM document_totals').get()
    const counted = store.reader
      .prepare('SELECT sum(passage_count) AS passages, sum(embedded) AS embedded FROM documents JOIN contents ON contents.id = content_id')
      .get()
    expect(kept).toEqual(counted)
    await store.documents.resetReading()
    await store.close()
  }
  expect(stored.size).toBeGreaterThan(10)
}, 120_000)
