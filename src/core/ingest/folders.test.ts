import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { statuses, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { testLibraries } from '../../../test/fixtures/test-libraries.ts'

const { directories, open, openWith } = testLibraries()

function paths({ store }: Pick<TestIngest, 'store'>): string[] {
  return store.documents.list({ offset: 0, limit: 1000 }).documents.map(({ path }) => path)
}

test('a folder that is not reachable says since when, through a restart, until it is back', async () => {
  const before = Date.now()
  const first = await openWith({ 'a.md': 'apple' })
  expect(first.ingest.folders()[0]?.unreachableSince).toBe(null)
  renameSync(first.folder, `${first.folder}-aside`)
  await until(() => first.ingest.folders()[0]?.state === 'unreachable', 'it is marked')
  const since = first.ingest.folders()[0]!.unreachableSince!
  expect(since).toBeGreaterThanOrEqual(before)
  await first.close()
  const again = await open(first.dataDir)
  await until(() => again.ingest.folders()[0]?.state === 'unreachable', 'it is still marked')
  expect([again.ingest.folders()[0]?.unreachableSince, statuses(again.store)]).toEqual([since, { 'a.md': 'ready' }])
  renameSync(`${first.folder}-aside`, first.folder)
  await again.ingest.rescan(again.ingest.folders()[0]!.id)
  await until(() => again.ingest.folders()[0]?.state === 'following', 'it is back')
  expect(again.ingest.folders()[0]?.unreachableSince).toBe(null)
})

test('an empty mount point, wherever it lies, is a drive that went away and not a folder that was emptied', async () => {
  const { ingest, store, folder, folderId } = await openWith({ 'a.md': 'apple', 'sub/b.md': 'banana' })
  const { leftOut } = ingest.folders()[0]!
  const nothing = { added: [], changed: [], moved: [], touched: [], removed: [] }
  await store.documents.applyScan(folderId, nothing, { leftOut, scannedAt: Date.now(), device: 'of a drive' })
  rmSync(join(folder, 'a.md'))
  rmSync(join(folder, 'sub'), { recursive: true })
  await ingest.rescan(folderId)
  await until(() => ingest.folders()[0]?.state === 'unreachable', 'it is marked')
  expect(statuses(store)).toEqual({ 'a.md': 'ready', 'b.md': 'ready' })
})

test('a folder that was emptied on its own device is empty', async () => {
  const { ingest, store, folder, folderId } = await openWith({ 'a.md': 'apple' })
  rmSync(join(folder, 'a.md'))
  await ingest.rescan(folderId)
  await ingest.whenIdle()
  expect([ingest.folders()[0]?.state, statuses(store)]).toEqual(['following', {}])
})

test('what could not be read because it was away is read when it is back with the same bytes and times', async () => {
  const { ingest, store, folder, folderId } = await openWith({ 'a.md': 'apple' })
  const { id } = store.documents.list({ offset: 0, limit: 1 }).documents[0]!
  await store.documents.setStatus(id, 'failed', { code: 'gone', message: 'The file is not there any more.' })
  expect(findWord(store, 'apple')).toEqual([])
  await ingest.rescan(folderId)
  await until(() => findWord(store, 'apple').length === 1, 'it is read again')
  expect(paths({ store })).toEqual([join(folder, 'a.md')])
})

test('two folders at once, the same bytes in both: two paths, one set of vectors', async () => {
  const [one, two] = [directories.make(), directories.make()]
  writeFiles(one, { 'a.md': 'the same words', 'b.md': 'only here' })
  writeFiles(two, { 'copy.md': 'the same words' })
  const library = await open()
  await Promise.all([library.ingest.add([one]), library.ingest.add([two])])
  await library.ingest.whenIdle()
  expect(findWord(library.store, 'same').sort()).toEqual([join(one, 'a.md'), join(two, 'copy.md')].sort())
  expect(library.embedder.texts.toSorted()).toEqual(['only here', 'the same words'])
})

test('a folder with two identical files that moves keeps both, and a rename of case only is a rename', async () => {
  const { store, embedder, folder } = await openWith({ 'old/a.md': 'twins', 'old/b.md': 'twins', 'Notes.md': 'case' })
  const texts = embedder.texts.length
  const ids = store.documents.list({ offset: 0, limit: 10 }).documents.map(({ id }) => id)
  renameSync(join(folder, 'old'), join(folder, 'new'))
  renameSync(join(folder, 'Notes.md'), join(folder, 'notes.md'))
  const expected = ['new/a.md', 'new/b.md', 'notes.md'].map((name) => join(folder, name))
  await until(() => JSON.stringify(paths({ store }).sort()) === JSON.stringify(expected), 'all have their new paths')
  const after = store.documents.list({ offset: 0, limit: 10 }).documents
  expect(after.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(embedder.texts.length).toBe(texts)
})

test('changes that no event told of are found by a full look: renames, swaps, new bytes of the same size', async () => {
  const { ingest, store, dataDir, folder, ...first } = await openWith({
    'a.md': 'apples',
    'b.md': 'cherry',
    'c.md': 'banana',
    'd/e.md': 'grapes',
  })
  void ingest
  void store
  await first.close()
  renameSync(join(folder, 'a.md'), join(folder, 'swap'))
  renameSync(join(folder, 'b.md'), join(folder, 'a.md'))
  renameSync(join(folder, 'swap'), join(folder, 'b.md'))
  writeFileSync(join(folder, 'c.md'), 'papaya')
  renameSync(join(folder, 'd'), join(folder, 'f'))
  const again = await open(dataDir)
  await again.ingest.whenIdle()
  const found = Object.fromEntries(['apples', 'cherry', 'banana', 'papaya', 'grapes'].map((word) => [word, findWord(again.store, word)]))
  const at = (name: string): string[] => [join(folder, name)]
  expect(found).toEqual({ apples: at('b.md'), cherry: at('a.md'), banana: [], papaya: at('c.md'), grapes: at('f/e.md') })
})

test('a link loop is a document with its reason, and what it leads to is found once', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'a.md': 'apple', 'sub/b.md': 'banana' })
  symlinkSync('.', join(folder, 'here'))
  symlinkSync('..', join(folder, 'sub', 'up'))
  const library = await open()
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(statuses(library.store)).toEqual({ 'a.md': 'ready', 'b.md': 'ready', here: 'skipped link-loop', up: 'skipped link-loop' })
  expect(await library.ingest.extract(join(folder, 'here'))).toMatchObject({ status: 'skipped', reason: { code: 'link-loop' } })
  unlinkSync(join(folder, 'here'))
  await until(() => !('here' in statuses(library.store)), 'the link is gone')
})

test('a placeholder of a cloud drive is not fetched, and is read once it is downloaded', async () => {
  const folder = directories.make()
  mkdirSync(join(folder, 'Dropbox'))
  const path = join(folder, 'Dropbox', 'paper.md')
  const text = `downloaded ${'words '.repeat(2000)}`
  const { truncateSync, utimesSync, statSync } = await import('node:fs')
  writeFileSync(path, '')
  truncateSync(path, text.length)
  const library = await open()
  const { folders } = await library.ingest.add([folder])
  await library.ingest.whenIdle()
  expect(statuses(library.store)).toEqual({ 'paper.md': 'skipped not-downloaded' })
  const { atime, mtime } = statSync(path)
  writeFileSync(path, text)
  utimesSync(path, atime, mtime)
  await library.ingest.rescan(folders[0]!.id)
  await until(() => findWord(library.store, 'downloaded').length === 1, 'it is read')
})

test('an editor that saves by renaming, over and over, leaves one document with the last words', async () => {
  const { ingest, store, folder } = await openWith({ 'a.md': 'version 0' })
  for (let version = 1; version <= 5; version += 1) {
    copyFileSync(join(folder, 'a.md'), join(folder, 'a.md~'))
    writeFileSync(join(folder, 'a.md.part'), `edition${version} text`)
    renameSync(join(folder, 'a.md.part'), join(folder, 'a.md'))
    unlinkSync(join(folder, 'a.md~'))
  }
  await until(() => findWord(store, 'edition5').length === 1, 'the last edit is found')
  await ingest.whenIdle()
  expect(Object.keys(statuses(store))).toEqual(['a.md'])
})

/** A folder, and folders inside it that were added by themselves. */
async function openNested(files: Record<string, string>, inside: string[]) {
  const library = await openWith(files)
  await library.ingest.add(inside.map((name) => join(library.folder, name)))
  await library.ingest.whenIdle()
  return library
}

function stateOf({ ingest }: Pick<TestIngest, 'ingest'>, path: string): string | undefined {
  return ingest.folders().find((folder) => folder.path === path)?.state
}

test('a folder inside another that is deleted loses its documents, and is followed again when it is back', async () => {
  const library = await openNested({ 'a.md': 'apple', 'inner/b.md': 'banana', 'inner/c.md': 'cherry' }, ['inner', 'inner/c.md'])
  const inner = join(library.folder, 'inner')
  rmSync(inner, { recursive: true })
  await until(() => findWord(library.store, 'banana').length + findWord(library.store, 'cherry').length === 0, 'it is found no more')
  await until(() => stateOf(library, inner) === 'unreachable', 'it is said to be away')
  expect(paths(library)).toEqual([join(library.folder, 'a.md')])
  writeFiles(inner, { 'b.md': 'banana again' })
  await until(() => findWord(library.store, 'again').length === 1, 'what is there again is found')
  await until(() => stateOf(library, inner) === 'following', 'it is followed again')
})

test('a folder inside another that moves within it is found in its new place, each text once', async () => {
  const library = await openNested({ 'a.md': 'apple', 'inner/b.md': 'banana' }, ['inner'])
  const texts = library.embedder.texts.length
  renameSync(join(library.folder, 'inner'), join(library.folder, 'other'))
  await until(
    () => JSON.stringify(findWord(library.store, 'banana')) === JSON.stringify([join(library.folder, 'other/b.md')]),
    'it is found there',
  )
  expect(library.embedder.texts.length).toBe(texts)
})

test('folders in folders in folders: the middle one deleted while Siku is closed', async () => {
  const {
    ingest: _ingest,
    store: _store,
    ...first
  } = await openNested({ 'a.md': 'apple', 'one/b.md': 'banana', 'one/two/c.md': 'cherry', 'one/two/three/d.md': 'damson' }, [
    'one',
    'one/two',
    'one/two/three',
  ])
  await first.close()
  rmSync(join(first.folder, 'one'), { recursive: true })
  const again = await open(first.dataDir)
  await until(() => paths(again).length === 1, 'only what is there is left')
  expect(findWord(again.store, 'damson')).toEqual([])
  await until(() => again.ingest.folders().every(({ state }) => state !== 'scanning'), 'all were looked at')
  expect(again.ingest.folders().map(({ state, counts }) => [state, counts.total])).toEqual([
    ['following', 1],
    ['unreachable', 0],
    ['unreachable', 0],
    ['unreachable', 0],
  ])
})

test('when the outermost folder goes away, nothing of those inside is dropped; back without one of them, that one is', async () => {
  const library = await openNested({ 'a.md': 'apple', 'inner/b.md': 'banana' }, ['inner'])
  const inner = join(library.folder, 'inner')
  renameSync(library.folder, `${library.folder}-aside`)
  await until(() => library.ingest.folders().every(({ state }) => state === 'unreachable'), 'both are marked')
  expect(findWord(library.store, 'banana')).toEqual([join(inner, 'b.md')])
  const document = library.store.documents.list({ name: 'b.md', offset: 0, limit: 1 }).documents[0]
  expect(document?.unreachableSince).toBe(library.ingest.folders().find(({ path }) => path === inner)?.unreachableSince)
  rmSync(join(`${library.folder}-aside`, 'inner'), { recursive: true })
  renameSync(`${library.folder}-aside`, library.folder)
  await until(() => stateOf(library, library.folder) === 'following', 'the outer one is back')
  await until(() => findWord(library.store, 'banana').length === 0, 'the inner one was deleted')
  expect(paths(library)).toEqual([join(library.folder, 'a.md')])
})

test('a folder inside another that lies on a drive of its own is kept and marked when the drive goes away', async () => {
  const library = await openNested({ 'a.md': 'apple', 'drive/b.md': 'banana' }, ['drive'])
  const drive = library.ingest.folders().find(({ path }) => path === join(library.folder, 'drive'))!
  const nothing = { added: [], changed: [], moved: [], touched: [], removed: [] }
  await library.store.documents.applyScan(drive.id, nothing, { leftOut: drive.leftOut, scannedAt: Date.now(), device: 'of a drive' })
  rmSync(drive.path, { recursive: true })
  await until(() => stateOf(library, drive.path) === 'unreachable', 'it is marked')
  await library.ingest.whenIdle()
  expect(findWord(library.store, 'banana')).toEqual([join(drive.path, 'b.md')])
})

test('a subdirectory that is deleted, or moved out, takes its documents with it', async () => {
  const library = await openWith({ 'a.md': 'apple', 'sub/deep/b.md': 'banana', 'out/deep/c.md': 'cherry' })
  const elsewhere = directories.make()
  rmSync(join(library.folder, 'sub'), { recursive: true })
  renameSync(join(library.folder, 'out'), join(elsewhere, 'out'))
  await until(() => paths(library).length === 1, 'both are gone')
  expect([findWord(library.store, 'banana'), findWord(library.store, 'cherry')]).toEqual([[], []])
})

test('a document that needed too much memory is read once it is given more, without a change of the settings', async () => {
  const folder = directories.make()
  // Long enough for its process to be looked at more than once.
  writeFiles(folder, { 'a.md': Array.from({ length: 12_000 }, (_none, line) => `Paragraph ${line} of a long text.`).join('\n\n') })
  const { ingest, store } = await open()
  // Less than a reading process takes by itself.
  await store.settings.patch({ readMemoryBytes: 100_000_000 })
  await ingest.add([folder])
  await ingest.whenIdle()
  expect(statuses(store)).toEqual({ 'a.md': 'failed too-much-memory' })
  const { id } = store.documents.list({ offset: 0, limit: 1 }).documents[0]!
  await ingest.retry(id, true)
  await ingest.whenIdle()
  expect([statuses(store), store.settings.read().readMemoryBytes]).toEqual([{ 'a.md': 'ready' }, 100_000_000])
})
