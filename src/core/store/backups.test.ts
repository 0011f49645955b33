import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeContent } from '../../../test/fixtures/make-content.ts'
import { fillFolder, findWord, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { listBackups, makeBackup, restoreAtStart, restoreScheduled } from './store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

const failing = (error: unknown) => {
  throw error
}

test('a backup is listed, noted while the library is open, and put back before the next start', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await fillFolder(store, '/a', { 'one.md': makeContent('earlier') })
  const [backup] = (await makeBackup(dataDir, store, Date.UTC(2026, 10, 30))).backups
  expect(backup?.name).toBe('siku-2026-11-30T00-00-00.db')
  await fillFolder(store, '/b', { 'two.md': makeContent('later') })
  expect(restoreAtStart(dataDir, backup?.name ?? '').restoreNext).toBe(backup?.name)
  await store.close()
  // Another start is another process: this one's connections end only with their statements.
  const next = stores.newDir()
  cpSync(dataDir, next, { recursive: true })
  await restoreScheduled(next, () => 0, failing)
  const restored = await stores.open(next)
  expect([findWord(restored, 'earlier'), findWord(restored, 'later')]).toEqual([['/a/one.md'], []])
  const after = listBackups(next)
  expect([after.restoreNext, after.backups.length]).toEqual([null, 2])
})

test('a restore is taken back, and only a backup of this library’s folder can be noted', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  const [backup] = (await makeBackup(dataDir, store, 0)).backups
  restoreAtStart(dataDir, backup?.name ?? '')
  expect(restoreAtStart(dataDir, null).restoreNext).toBeNull()
  for (const name of ['../siku.db', 'siku-none.db', '']) {
    expect(() => restoreAtStart(dataDir, name)).toThrow('there is no backup')
  }
})

test('a backup that cannot be put back is said and keeps nobody from starting', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await fillFolder(store, '/a', { 'one.md': makeContent('kept') })
  await makeBackup(dataDir, store, 0)
  await store.close()
  writeFileSync(join(dataDir, 'backups', 'siku-bad.db'), 'no database')
  restoreAtStart(dataDir, 'siku-bad.db')
  const said: unknown[] = []
  await restoreScheduled(
    dataDir,
    () => 0,
    (error) => said.push(error),
  )
  expect([said.length, listBackups(dataDir).restoreNext]).toEqual([1, 'siku-bad.db'])
  expect(findWord(await stores.open(dataDir), 'kept')).toEqual(['/a/one.md'])
})
