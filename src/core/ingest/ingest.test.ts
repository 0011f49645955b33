import { appendFileSync, mkdirSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePdf } from '../../../test/fixtures/make-pdf.ts'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { resourcesDir, statuses, until, writeFiles } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { testLibraries } from '../../../test/fixtures/test-libraries.ts'
import { SikuError } from '../../contract/errors.ts'

const { directories, open, openWith } = testLibraries()

test('a folder of both languages and of bad files: each document has its status, and those that can be are found and embedded', async () => {
  const { store, embedder, ingest } = await openWith({
    'lease.md': '# Lease\n\nThe deposit is paid back within seven days of moving out.\n',
    '租约.md': '# 租约\n\n退租后七天内退还押金。\n',
    'gb.txt': Buffer.from('cec4bcfec4daC8DDCAC7D6D0CEC4A1A3'.toLowerCase(), 'hex'),
    'page.pdf': makePdf([{ texts: [{ x: 72, y: 700, text: 'The boiler was serviced in spring' }] }]),
    'broken.pdf': '%PDF-1.7 and then nothing of the kind',
    'empty.md': '',
    'photo.jpg': Buffer.from('ffd8ffe000104a464946', 'hex'),
    'code.py': 'def water_bill(reading):\n    return reading * 2\n',
  })
  expect(statuses(store)).toMatchObject({
    'lease.md': 'ready',
    '租约.md': 'ready',
    'gb.txt': 'ready',
    'page.pdf': 'ready',
    'empty.md': 'failed empty',
    'photo.jpg': 'failed damaged',
    'code.py': 'ready',
  })
  expect(statuses(store)['broken.pdf']).toMatch(/^failed /)
  expect(findWord(store, 'deposit').map((path) => path.split('/').pop())).toEqual(['lease.md'])
  const { counts, passages, embedded, phase } = ingest.snapshot()
  expect(counts).toMatchObject({ total: 8, ready: 5, failed: 3, skipped: 0, waiting: 0, reading: 0 })
  expect([passages, embedded, phase]).toEqual([5, 5, 'idle'])
  // Tokenised once: the ids of the splitting came along.
  expect([embedder.texts.length, embedder.withTokens]).toEqual([5, 5])
})

test('progress ends with everything done, never goes back, and a second watcher sees the end too', async () => {
  const folder = directories.make()
  writeFiles(folder, Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.md`, `# Note ${index}\n\ntext ${index}`])))
  const { ingest } = await open()
  async function follow(): Promise<number[]> {
    const done: number[] = []
    for await (const { counts, phase } of ingest.progress()) {
      done.push(counts.ready + counts.partial + counts.failed + counts.skipped)
      if (phase === 'idle' && counts.total === 40) return done
    }
    throw new Error('the progress ended early')
  }
  await ingest.add([folder])
  const [one, other] = await Promise.all([follow(), follow()])
  expect(one).toEqual([...one].sort((a, b) => a - b))
  expect([one.at(-1), other.at(-1)]).toEqual([40, 40])
})

test('a rename, a move and a touch while it runs cost no reading of vectors, and the old path is gone', async () => {
  const { store, embedder, folder } = await openWith({ 'one.md': 'first words', 'sub/two.md': 'second words' })
  const before = embedder.texts.length
  renameSync(join(folder, 'one.md'), join(folder, 'renamed.md'))
  renameSync(join(folder, 'sub'), join(folder, 'moved'))
  await until(() => findWord(store, 'first')[0] === join(folder, 'renamed.md'), 'the rename is seen')
  await until(() => findWord(store, 'second')[0] === join(folder, 'moved/two.md'), 'the move is seen')
  utimesSync(join(folder, 'renamed.md'), new Date(), new Date())
  await until(
    () => store.documents.list({ offset: 0, limit: 10 }).documents.every(({ status }) => status === 'ready'),
    'all is ready again',
  )
  expect(embedder.texts.length).toBe(before)
})

test('new, edited and deleted files are followed; an editor that saves by renaming leaves one document', async () => {
  const { store, folder } = await openWith({ 'kept.md': 'old wording' })
  writeFiles(folder, { 'new.md': 'fresh arrival' })
  await until(() => findWord(store, 'fresh').length === 1, 'the new file is found')
  writeFileSync(join(folder, '.kept.md.tmp'), 'better wording')
  renameSync(join(folder, '.kept.md.tmp'), join(folder, 'kept.md'))
  await until(() => findWord(store, 'better').length === 1, 'the edit is found')
  expect(findWord(store, 'old')).toEqual([])
  unlinkSync(join(folder, 'new.md'))
  await until(() => findWord(store, 'fresh').length === 0, 'the deleted file is no longer found')
  expect(Object.keys(statuses(store))).toEqual(['kept.md'])
})

test('what changed while Siku was closed is taken up at the next start, and nothing is embedded twice', async () => {
  const { ingest, store, embedder, dataDir, folder, ...first } = await openWith({ 'a.md': 'apple', 'b.md': 'banana', 'c.md': 'cherry' })
  void [ingest, store]
  await first.close()
  renameSync(join(folder, 'a.md'), join(folder, 'z.md'))
  unlinkSync(join(folder, 'b.md'))
  appendFileSync(join(folder, 'c.md'), ' cake')
  const again = await open(dataDir, scriptedEmbedder())
  await again.ingest.whenIdle()
  expect(statuses(again.store)).toEqual({ 'z.md': 'ready', 'c.md': 'ready' })
  expect([findWord(again.store, 'banana'), findWord(again.store, 'cake')]).toEqual([[], [join(folder, 'c.md')]])
  expect([embedder.texts.length, again.embedder.texts]).toEqual([3, ['cherry cake']])
})

test('a start with nothing changed opens no embedding model', async () => {
  const first = await openWith({ 'a.md': 'apple' })
  await first.close()
  const again = await open(first.dataDir, scriptedEmbedder())
  await again.ingest.whenIdle()
  expect([again.embedder.opened, again.embedder.texts]).toEqual([0, []])
})

test('a folder that vanishes is kept and marked; when it is back it is followed again', async () => {
  const { ingest, store, folder } = await openWith({ 'a.md': 'apple', 'b.md': 'banana' })
  const aside = `${folder}-aside`
  renameSync(folder, aside)
  await until(() => ingest.folders()[0]?.state === 'unreachable', 'the folder is marked')
  expect(statuses(store)).toEqual({ 'a.md': 'ready', 'b.md': 'ready' })
  writeFiles(aside, { 'c.md': 'cherry' })
  renameSync(aside, folder)
  await ingest.rescan(ingest.folders()[0]!.id)
  await until(() => findWord(store, 'cherry').length === 1, 'what is new in it is found')
  expect(ingest.folders()[0]?.state).toBe('following')
})

test('a folder inside another takes its documents, gives them back when it is removed, and nothing is read twice', async () => {
  const { ingest, store, embedder, folder, folderId } = await openWith({ 'a.md': 'apple', 'inner/b.md': 'banana' })
  const { folders } = await ingest.add([join(folder, 'inner')])
  await ingest.whenIdle()
  const countsOf = (): number[] => ingest.folders().map(({ counts }) => counts.total)
  expect([countsOf(), findWord(store, 'banana').length]).toEqual([[1, 1], 1])
  await ingest.remove(folders[0]!.id)
  await ingest.whenIdle()
  expect([countsOf(), findWord(store, 'banana').length, ingest.folders()[0]?.id]).toEqual([[2], 1, folderId])
  await ingest.restore(folders[0]!.id)
  await ingest.whenIdle()
  expect(countsOf()).toEqual([1, 1])
  expect(embedder.texts).toHaveLength(2)
})

test('a removed folder is found no more and comes back without work', async () => {
  const { ingest, store, embedder, folderId } = await openWith({ 'a.md': 'apple' })
  await ingest.remove(folderId)
  expect([findWord(store, 'apple'), ingest.folders()]).toEqual([[], []])
  expect((await ingest.restore(folderId)).counts.ready).toBe(1)
  await ingest.whenIdle()
  expect([findWord(store, 'apple').length, embedder.texts.length]).toEqual([1, 1])
})

test('what cannot be added is refused with its reason, and the rest is taken', async () => {
  const { ingest, dataDir } = await open()
  const folder = directories.make()
  writeFiles(folder, { 'one.md': 'apple' })
  mkdirSync(join(dataDir, 'inside'))
  const { folders, refused } = await ingest.add([join(folder, 'one.md'), 'relative', join(folder, 'nothing'), join(dataDir, 'inside')])
  expect(folders.map(({ name, single }) => [name, single])).toEqual([['one.md', true]])
  expect(refused.map(({ code }) => code)).toEqual(['bad-input', 'not-found', 'refused'])
  await ingest.whenIdle()
  const again = await ingest.add([folder, join(folder, 'one.md'), folder])
  expect(again.folders.map(({ name }) => name)).toHaveLength(2)
  await ingest.whenIdle()
  expect(ingest.folders().map(({ counts }) => counts.total)).toEqual([1, 0])
})

test('an embedder that cannot be reached holds up vectors only, says so, and is tried again', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'a.md': 'apple' })
  const embedder = scriptedEmbedder()
  embedder.failure = new SikuError('model-unreachable', 'nobody answers', { hint: 'start it', retryable: true })
  const { ingest, store } = await open(directories.make(), embedder)
  await ingest.add([folder])
  expect(await ingest.whenIdle()).toEqual({ trouble: { code: 'model-unreachable', message: 'nobody answers', hint: 'start it' } })
  expect([findWord(store, 'apple').length, ingest.snapshot().embedded]).toEqual([1, 0])
  embedder.failure = null
  await until(() => ingest.snapshot().embedded === 1, 'the vector is made')
  expect(ingest.snapshot().trouble).toBeNull()
})

test('a text that cannot be embedded is marked, stays found by keyword, and holds up nothing', async () => {
  const { ingest, store, embedder } = await openWith({ 'a.md': 'apple', 'b.md': 'unembeddable' })
  expect([findWord(store, 'unembeddable').length, ingest.snapshot().embedded, ingest.snapshot().phase]).toEqual([1, 1, 'idle'])
  const document = store.documents.list({ name: 'b.md', offset: 0, limit: 1 }).documents[0]!
  await ingest.retry(document.id)
  await ingest.whenIdle()
  expect(embedder.texts.filter((text) => text === 'unembeddable')).toHaveLength(2)
})

test('pausing stops reading and embedding; resuming goes on where it stopped', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'a.md': 'apple' })
  const { ingest, store } = await open()
  await ingest.pause()
  await ingest.add([folder])
  await until(() => ingest.snapshot().counts.waiting === 1, 'the document waits')
  expect([ingest.snapshot().phase, findWord(store, 'apple')]).toEqual(['paused', []])
  await ingest.resume()
  await ingest.whenIdle()
  expect([findWord(store, 'apple').length, ingest.snapshot().embedded]).toEqual([1, 1])
})

test('a paused folder waits while another is read', async () => {
  const [one, other] = [directories.make(), directories.make()]
  writeFiles(other, { 'b.md': 'banana' })
  const { ingest, store } = await open()
  const { folders } = await ingest.add([one])
  await ingest.pause(folders[0]!.id)
  writeFiles(one, { 'a.md': 'apple' })
  await ingest.add([other])
  await until(() => findWord(store, 'banana').length === 1, 'the other folder is read')
  await until(() => Object.keys(statuses(store)).length === 2, 'the new file is seen')
  expect([statuses(store)['a.md'], ingest.folders()[0]?.state]).toEqual(['waiting', 'paused'])
  await ingest.resume(folders[0]!.id)
  await until(() => findWord(store, 'apple').length === 1, 'it is read')
})

test('a document larger than one go is stored in slices, and its copy is not read at all', async () => {
  const text = Array.from(
    { length: 3000 },
    (_, index) => `## Part ${index}\n\nParagraph ${index} speaks of ${'many things '.repeat(18)}.\n`,
  ).join('\n')
  const { ingest, store, embedder, folder } = await openWith({ 'big.md': text })
  const [document] = store.documents.list({ offset: 0, limit: 1 }).documents
  expect([document?.status, document!.passages > 200, document?.embedded === document?.passages]).toEqual(['ready', true, true])
  const before = embedder.texts.length
  writeFiles(folder, { 'copy.md': text })
  await until(() => statuses(store)['copy.md'] === 'ready', 'the copy is ready')
  await ingest.whenIdle()
  expect(embedder.texts.length).toBe(before)
})

test('another embedding model fills its own vectors in the background', async () => {
  const folder = directories.make()
  writeFiles(folder, { 'a.md': 'apple' })
  const chosen = { current: scriptedEmbedder('one') }
  const proxy = scriptedEmbedder()
  const library = await open(directories.make(), {
    ...proxy,
    open: () => chosen.current.open(),
    embedPassages: (inputs, options) => chosen.current.embedPassages(inputs, options),
  })
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  const second = scriptedEmbedder('two')
  chosen.current = second
  library.ingest.embeddingChanged()
  await until(() => second.texts.length === 1, 'the second model is asked')
  await library.ingest.whenIdle()
  expect(library.store.reader.prepare('SELECT count(*) AS count FROM vectors').get()).toEqual({ count: 2 })
})

test('extracting and splitting read a file without keeping anything', async () => {
  const { ingest, store } = await open()
  const path = join(resourcesDir, 'sample-library', '差旅报销制度.html')
  const { kind, status, sections } = await ingest.extract(path)
  expect([kind, status, sections.some(({ text }) => text.includes('650 元'))]).toEqual(['html', 'ready', true])
  const pieces = await ingest.split(path, { strategy: 'structure' })
  expect(pieces.map(({ ordinal }) => ordinal)).toEqual(pieces.map((_, index) => index))
  expect(await ingest.extract(join(path, 'nothing'))).toMatchObject({ status: 'failed', reason: { code: 'gone' } })
  expect(store.status().documents.ready).toBe(0)
})

test('files that appear, change and vanish in one breath leave what is there in the end', async () => {
  const { store, folder, ingest } = await openWith({ 'a.md': 'apple' })
  for (let round = 0; round < 10; round++) {
    writeFiles(folder, { [`t${round}.md`]: `round ${round}`, 'a.md': `apple ${round}` })
    if (round > 0) rmSync(join(folder, `t${round - 1}.md`))
  }
  await until(() => findWord(store, 'apple 9').length === 1 && Object.keys(statuses(store)).length === 2, 'only the last is left')
  await ingest.whenIdle()
  expect(statuses(store)).toEqual({ 'a.md': 'ready', 't9.md': 'ready' })
})
