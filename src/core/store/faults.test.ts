import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseSync } from '@photostructure/sqlite'
import { createHash } from 'node:crypto'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildEntry } from '../../../test/build-entry.ts'
import { makeContent } from '../../../test/fixtures/make-content.ts'
import { countRows, fillFolder, findWord, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { migrations, prepareDatabase } from './migrate.ts'
import { acquireWriterLock } from './store.ts'

let stores: TestStores
let readEntry: URL
beforeAll(async () => {
  stores = await testStores()
  readEntry = await buildEntry(new URL('../../../test/fixtures/read-entry.ts', import.meta.url))
})
afterAll(async () => {
  await stores.close()
  rmSync(dirname(fileURLToPath(readEntry)), { recursive: true, force: true })
})

function fingerprint(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
const databaseFile = (dataDir: string) => join(dataDir, 'siku.db')

/** A closed library with a chat, a setting and a document. */
async function closedLibrary(): Promise<string> {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await store.chats.create({ id: 'chat', title: 'Kept', scope: {}, at: 1 })
  await store.settings.patch({ theme: 'dark' })
  await fillFolder(store, '/a', { 'one.md': makeContent('alpha', 50) })
  await store.close()
  // A copy, without what connections of this process still hold of the original.
  const copy = stores.newDir()
  cpSync(databaseFile(dataDir), databaseFile(copy))
  return copy
}

function lookAs(user: number, dataDir: string, mode: 'read' | 'write'): unknown {
  const output = execFileSync(process.execPath, [fileURLToPath(readEntry), dataDir, stores.workerUrl.href, mode], {
    uid: user,
    gid: user,
    cwd: '/',
  })
  return JSON.parse(output.toString())
}
const nobody = 65_534
const isRoot = process.getuid?.() === 0

test('an older program refuses a newer library and changes not one byte', async () => {
  const dataDir = await closedLibrary()
  const database = new DatabaseSync(databaseFile(dataDir))
  database.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 999')
  database.close()
  const before = [fingerprint(databaseFile(dataDir)), readdirSync(dataDir)]
  await expect(stores.open(dataDir)).rejects.toMatchObject({ code: 'store-newer' })
  await expect(stores.open(dataDir, { readOnly: true })).rejects.toMatchObject({ code: 'store-newer' })
  expect([fingerprint(databaseFile(dataDir)), readdirSync(dataDir)]).toEqual(before)
})

test('an older library is copied, checked and brought forward; a migration that fails changes nothing', async () => {
  const dataDir = await closedLibrary()
  const databasePath = databaseFile(dataDir)
  const next = [...migrations, 'ALTER TABLE chats ADD COLUMN colour TEXT', "UPDATE chats SET colour = 'red'"]
  const prepared = await prepareDatabase({ databasePath, at: 0, migrations: next })
  const copies = readdirSync(join(dataDir, 'backups')).sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const names = [0, 1].map((step) => `siku-format-${migrations.length + step}-1970-01-01T00-00-00.db`)
  expect([prepared.version, copies]).toEqual([migrations.length + 2, names])
  const copy = new DatabaseSync(join(dataDir, 'backups', copies[0]!), { readOnly: true })
  expect([copy.prepare('PRAGMA user_version').get(), copy.prepare('SELECT title FROM chats').get()]).toEqual([
    { user_version: migrations.length },
    { title: 'Kept' },
  ])
  copy.close()
  const broken = [...next, "UPDATE chats SET title = 'lost'; INSERT INTO no_such_table VALUES (1)"]
  await expect(prepareDatabase({ databasePath, at: 1, migrations: broken })).rejects.toThrow('no_such_table')
  const database = new DatabaseSync(databasePath, { readOnly: true })
  expect(database.prepare('SELECT title, colour FROM chats').all()).toEqual([{ title: 'Kept', colour: 'red' }])
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length + 2 })
  database.close()
})

test.each([
  ['overwritten at its beginning', (file: string) => writeFileSync(file, Buffer.alloc(4096, 7), { flag: 'r+' })],
  ['cut in the middle', (file: string) => truncateSync(file, 9000)],
  ['another kind of file', (file: string) => writeFileSync(file, 'not a database at all '.repeat(500))],
])('a library that is %s is set aside whole and reported, never replaced without a word', async (_how, damage) => {
  const dataDir = await closedLibrary()
  damage(databaseFile(dataDir))
  const bytes = fingerprint(databaseFile(dataDir))
  await expect(stores.open(dataDir, { readOnly: true })).rejects.toMatchObject({ code: 'store-damaged' })
  expect(fingerprint(databaseFile(dataDir))).toBe(bytes)
  await expect(stores.open(dataDir, { now: () => 0 })).rejects.toMatchObject({
    code: 'store-damaged',
    hint: expect.stringContaining('backup') as string,
  })
  expect(existsSync(databaseFile(dataDir))).toBe(false)
  expect(fingerprint(join(dataDir, 'siku.damaged-1970-01-01T00-00-00.db'))).toBe(bytes)
  const anew = await stores.open(dataDir)
  expect(anew.setAside()).toEqual([join(dataDir, 'siku.damaged-1970-01-01T00-00-00.db')])
})

test("another program's database is left alone", async () => {
  const dataDir = stores.newDir()
  const database = new DatabaseSync(databaseFile(dataDir))
  database.exec('CREATE TABLE theirs (a)')
  database.close()
  await expect(stores.open(dataDir)).rejects.toMatchObject({ code: 'conflict' })
  expect(readdirSync(dataDir).filter((name) => name.startsWith('siku.db') && !/-(wal|shm)$|lock$/.test(name))).toEqual(['siku.db'])
})

test('one writer: a second is refused, a reader sees what is committed, and a host lock is freed', async () => {
  const dataDir = await closedLibrary()
  const first = await stores.open(dataDir)
  await expect(stores.open(dataDir)).rejects.toMatchObject({ code: 'busy' })
  const reader = await stores.open(dataDir, { readOnly: true })
  await first.settings.patch({ theme: 'light' })
  expect(reader.settings.read().theme).toBe('light')
  await expect(reader.settings.patch({ theme: 'dark' })).rejects.toMatchObject({ code: 'read-only' })
  await first.close()
  const second = await stores.open(dataDir)
  expect(second.settings.read().theme).toBe('light')
  const lock = await acquireWriterLock(dataDir)
  expect([lock !== null, await acquireWriterLock(dataDir)]).toEqual([true, null])
  lock?.release()
  const freed = await acquireWriterLock(dataDir)
  expect(freed).not.toBeNull()
  freed?.release()
})

test('reading where nothing was ever written is said plainly and makes nothing', async () => {
  const dataDir = stores.newDir()
  await expect(stores.open(dataDir, { readOnly: true })).rejects.toMatchObject({ code: 'not-found' })
  expect(readdirSync(dataDir)).toEqual([])
})

test.skipIf(!isRoot)('a directory that cannot be written is read, with and without a log left by a writer, and not touched', async () => {
  const withLog = stores.newDir()
  const withoutLog = await closedLibrary()
  const store = await stores.open(stores.newDir())
  await store.chats.create({ id: 'chat', title: 'Kept', scope: {}, at: 1 })
  await store.settings.patch({ theme: 'dark' })
  cpSync(dirname(store.databasePath), withLog, { recursive: true })
  for (const directory of [withoutLog, withLog]) {
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o444)
    chmodSync(directory, 0o555)
    const before = readdirSync(directory)
    expect(lookAs(nobody, directory, 'read')).toEqual({ mode: 'read-only', chats: ['Kept'], theme: 'dark', refused: 'read-only' })
    expect(readdirSync(directory)).toEqual(before)
    expect(lookAs(nobody, directory, 'write')).toEqual({ error: expect.stringMatching(/^(read-only|no-permission)$/) as string })
    expect(readdirSync(directory)).toEqual(before)
  }
})

test.skipIf(!isRoot)('a library that may not be read is a matter of permissions, not damage', async () => {
  const dataDir = await closedLibrary()
  chmodSync(databaseFile(dataDir), 0o600)
  chmodSync(dataDir, 0o755)
  expect(lookAs(nobody, dataDir, 'read')).toEqual({ error: 'no-permission' })
  expect(existsSync(databaseFile(dataDir))).toBe(true)
})

test('a full disk is said plainly, loses nothing, and the same store goes on when there is room again', async (context) => {
  const dataDir = stores.newDir()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dataDir]).status !== 0) {
    process.stderr.write('SKIPPED: a small file system could not be mounted here\n')
    return context.skip()
  }
  try {
    const ballast = join(dataDir, 'ballast')
    writeFileSync(ballast, Buffer.alloc(1 << 20))
    const store = await stores.open(dataDir)
    await store.chats.create({ id: 'chat', title: 'Kept', scope: {}, at: 1 })
    let stored = 0
    let problem: unknown = null
    for (; stored < 500 && problem === null; stored++) {
      await store.contents.store({ ...makeContent(`text ${stored}`, 60), attach: null }).catch((error: unknown) => (problem = error))
    }
    expect(problem).toMatchObject({ code: 'disk-full', retryable: true })
    const complete = stored - 1
    expect([countRows(store, 'contents'), countRows(store, 'passages'), store.chats.list().length]).toEqual([complete, complete * 60, 1])
    rmSync(ballast)
    await store.contents.store({ ...makeContent('there is room again', 1), attach: null })
    await store.chats.rename('chat', 'Still here')
    expect([countRows(store, 'contents'), store.chats.list()[0]?.title, await store.quickCheck()]).toEqual([complete + 1, 'Still here', []])
    await store.close()
  } finally {
    spawnSync('umount', ['-l', dataDir])
  }
})

test('a backup is whole while writes go on, and never overwrites', async () => {
  const dataDir = await closedLibrary()
  const store = await stores.open(dataDir)
  const target = join(stores.newDir(), 'copy.db')
  const writes = Promise.all(
    Array.from({ length: 50 }, (_, number) => store.contents.store({ ...makeContent(`more ${number}`, 20), attach: null })),
  )
  await store.backup(target)
  // A copy has everything that the library has.
  if (process.platform !== 'win32') expect(statSync(target).mode & 0o777).toBe(0o600)
  await writes
  await expect(store.backup(target)).rejects.toMatchObject({ code: 'conflict' })
  const restored = stores.newDir()
  mkdirSync(restored, { recursive: true })
  cpSync(target, databaseFile(restored))
  const copy = await stores.open(restored)
  expect([findWord(copy, 'alpha'), copy.chats.list()[0]?.title, await copy.quickCheck()]).toEqual([['/a/one.md'], 'Kept', []])
  expect(readdirSync(dirname(target))).toEqual(['copy.db'])
})
