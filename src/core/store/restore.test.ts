import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseSync } from '@photostructure/sqlite'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeContent } from '../../../test/fixtures/make-content.ts'
import { fillFolder, findWord, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { restoreLibrary } from './store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

async function backupOf(word: string): Promise<string> {
  const store = await stores.open(stores.newDir())
  await fillFolder(store, '/a', { 'one.md': makeContent(word, 20) })
  const file = join(stores.newDir(), 'backup.db')
  await store.backup(file)
  await store.close()
  return file
}

test('a backup comes back, what it replaced is kept, and the index made from the old library is gone', async () => {
  const file = await backupOf('earlier')
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await fillFolder(store, '/a', { 'one.md': makeContent('later') })
  await expect(restoreLibrary({ dataDir, file, now: () => 0 })).rejects.toMatchObject({ code: 'busy' })
  const copy = stores.newDir()
  await store.backup(join(copy, 'siku.db'))
  await store.close()
  mkdirSync(join(copy, 'index'))
  const kept = await restoreLibrary({ dataDir: copy, file, now: () => 0 })
  const restored = await stores.open(copy)
  expect([findWord(restored, 'earlier'), findWord(restored, 'later'), existsSync(join(copy, 'index'))]).toEqual([['/a/one.md'], [], false])
  const replaced = new DatabaseSync(kept ?? '', { readOnly: true })
  expect(replaced.prepare('SELECT text FROM passages').all()).toEqual([{ text: 'later' }])
  replaced.close()
})

test.each([
  ['a damaged file', (file: string) => writeFileSync(file, Buffer.alloc(8192, 7))],
  ['a file that is no library', (file: string) => new DatabaseSync(file).exec('CREATE TABLE theirs (a)')],
  ['a backup of a newer Siku', (file: string) => new DatabaseSync(file).exec('CREATE TABLE folders (a); PRAGMA user_version = 999')],
])('%s is refused and the library stays as it is', async (_what, make) => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await fillFolder(store, '/a', { 'one.md': makeContent('mine') })
  await store.close()
  const file = join(stores.newDir(), 'wrong.db')
  make(file)
  await expect(restoreLibrary({ dataDir, file, now: () => 0 })).rejects.toMatchObject({
    code: expect.stringMatching(/store-damaged|bad-input|store-newer/) as string,
  })
  const again = await stores.open(dataDir)
  expect([findWord(again, 'mine'), readdirSync(join(dataDir, 'backups'))]).toEqual([['/a/one.md'], []])
})

test('a damaged library can be replaced, and is kept as it lies there', async () => {
  const file = await backupOf('earlier')
  const dataDir = stores.newDir()
  writeFileSync(join(dataDir, 'siku.db'), Buffer.alloc(8192, 7))
  expect(await restoreLibrary({ dataDir, file, now: () => 0 })).toBe(join(dataDir, 'backups', 'siku-replaced-1970-01-01T00-00-00.db'))
  expect(findWord(await stores.open(dataDir), 'earlier')).toEqual(['/a/one.md'])
})
