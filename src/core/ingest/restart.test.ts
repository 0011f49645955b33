import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { watchFolder } from './watch.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

async function open(dataDir: string) {
  const embedder = scriptedEmbedder()
  const library = await openTestIngest(dataDir, embedder)
  opened.push(library)
  return { ...library, embedder }
}

async function indexOnce(dataDir: string, folder: string) {
  const library = await open(dataDir)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  return library
}

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) await one.close()
}

test('a folder that was away in one run is scanned and waited for in the next', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'kept.md': 'old wording', 'del.txt': 'doomed' })
  await indexOnce(dataDir, folder)
  await closeAll()
  renameSync(folder, `${folder}-away`)
  const away = await open(dataDir)
  // A command that only asks for the state does not wait for a scan.
  expect(away.ingest.folders()[0]).toMatchObject({ state: 'unreachable', unreachableSince: expect.any(Number) as number })
  await away.ingest.whenIdle()
  expect(away.ingest.folders()[0]?.state).toBe('unreachable')
  await closeAll()
  renameSync(`${folder}-away`, folder)
  rmSync(join(folder, 'del.txt'))
  writeFileSync(join(folder, 'kept.md'), 'better wording')
  const { ingest, store } = await open(dataDir)
  const { folders } = await ingest.add([folder])
  // Whoever waits by these states waits for the scan.
  expect(folders[0]?.state).toBe('scanning')
  for await (const progress of ingest.progress()) {
    expect(progress.folders[0]?.state).not.toBe('unreachable')
    if (progress.folders[0]?.state === 'following' && progress.phase === 'idle') break
  }
  expect(statuses(store)).toEqual({ 'kept.md': 'ready' })
  expect([findWord(store, 'doomed'), findWord(store, 'old'), findWord(store, 'better').length]).toEqual([[], [], 1])
  writeFiles(folder, { 'later.md': 'cherry' })
  await until(() => findWord(store, 'cherry').length === 1, 'it is followed again')
})

test('adding a known folder again is seen by whoever begins to watch right then', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'a.md': 'apple' })
  const { ingest } = await indexOnce(dataDir, folder)
  expect(ingest.snapshot().phase).toBe('idle')
  await ingest.add([folder])
  const first = await ingest.progress()[Symbol.asyncIterator]().next()
  expect(first.value).toMatchObject({ phase: 'scanning', folders: [{ state: 'scanning' }] })
})

test('many files deleted, renamed and edited between two runs: the library is the disk again, and a rename costs no vector', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  const name = (index: number): string => `file-${index}.md`
  writeFiles(folder, Object.fromEntries(Array.from({ length: 12 }, (_, index) => [name(index), `first${index} wording`])))
  await indexOnce(dataDir, folder)
  await closeAll()
  for (let index = 0; index < 5; index++) rmSync(join(folder, name(index)))
  mkdirSync(join(folder, 'moved'))
  renameSync(join(folder, name(5)), join(folder, 'renamed-5.md'))
  renameSync(join(folder, name(6)), join(folder, 'renamed-6.md'))
  renameSync(join(folder, name(7)), join(folder, 'moved/renamed-7.md'))
  writeFileSync(join(folder, name(8)), 'second8 wording')
  appendFileSync(join(folder, name(9)), ' and second9')
  const { store, embedder } = await indexOnce(dataDir, folder)
  const expected = [...[5, 6, 7].map((index) => `renamed-${index}.md`), ...[8, 9, 10, 11].map(name)]
  expect(statuses(store)).toEqual(Object.fromEntries(expected.map((each) => [each, 'ready'])))
  expect(embedder.texts.sort()).toEqual(['first9 wording and second9', 'second8 wording'])
  for (const index of [0, 1, 2, 3, 4, 8]) expect(findWord(store, `first${index}`)).toEqual([])
  expect(findWord(store, 'first7')).toEqual([join(folder, 'moved/renamed-7.md')])
  expect([findWord(store, 'second8').length, findWord(store, 'second9').length]).toEqual([1, 1])
})

test('a folder full of links that lead in circles is watched; one that is not there is named as what it is', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'a/b/note.md': 'apple' })
  for (const [target, link] of [
    ['.', 'self'],
    ['..', 'a/up'],
    ['two', 'one'],
    ['one', 'two'],
    [folder, 'a/b/root'],
    ['/nowhere', 'dangling'],
  ] as const)
    symlinkSync(target, join(folder, link))
  const said: string[] = []
  const seen = new Set<string>()
  const common = { single: false, onFallback: (message: string) => void said.push(message), log: () => {} }
  async function onChange(paths: ReadonlySet<string> | null): Promise<void> {
    for (const path of paths ?? []) seen.add(path)
  }
  const watch = await watchFolder({ ...common, root: folder, onChange, settleMs: 10 })
  writeFileSync(join(folder, 'a/b/note.md'), 'pear')
  await until(() => seen.has(join(folder, 'a/b/note.md')), 'the change is told')
  await watch.close()
  expect(said).toEqual([])
  const other = await watchFolder({ ...common, root: join(folder, 'nothing'), onChange })
  await other.close()
  expect(said).toEqual([expect.stringContaining('ENOENT')])
})

test('a kind is decided by what is inside: text called a PDF is read, a PDF that is cut off or lost is damaged', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, {
    'words.pdf': 'plain walnut words',
    'cut.pdf': '%PDF-1.7\n1 0 obj\n<< /Type',
    'lost.pdf': Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 73) % 256)),
  })
  const { store } = await indexOnce(dataDir, folder)
  expect(statuses(store)).toEqual({ 'words.pdf': 'ready', 'cut.pdf': 'failed damaged', 'lost.pdf': 'failed damaged' })
  expect(findWord(store, 'walnut')).toEqual([join(folder, 'words.pdf')])
})

test('directories within a directory that just came are followed, too', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, { 'kept.md': 'apple' })
  const { store } = await indexOnce(dataDir, folder)
  writeFiles(folder, { 'new/deep/deeper/a.md': 'banana' })
  await until(() => findWord(store, 'banana').length === 1, 'what came with it is found')
  writeFiles(folder, { 'new/deep/deeper/b.md': 'cherry', 'new/deep/c.md': 'grape' })
  await until(() => findWord(store, 'cherry').length === 1 && findWord(store, 'grape').length === 1, 'what comes later is found')
  renameSync(join(folder, 'new'), join(folder, 'moved'))
  await until(() => findWord(store, 'cherry')[0] === join(folder, 'moved/deep/deeper/b.md'), 'the move is seen')
  writeFiles(folder, { 'moved/deep/deeper/d.md': 'orange' })
  await until(() => findWord(store, 'orange').length === 1, 'what comes after the move is found')
})
