import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeContent } from '../../../test/fixtures/make-content.ts'
import {
  addDocuments,
  countRows,
  fillFolder,
  findWord,
  nothingLeftOut,
  testStores,
  type TestStores,
} from '../../../test/fixtures/open-test-store.ts'
import type { Store } from './store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

const noChanges = { added: [], changed: [], moved: [], touched: [], removed: [] }

function embedAll(store: Store, modelId: number): Promise<void> {
  const texts = store.vectors.pending(modelId, 1000)
  return store.vectors.put(
    modelId,
    texts.map(({ textHash, language }, index) => ({ textHash, language, vector: new Float32Array([1, index]), problem: null })),
  )
}

function totalsFromScratch(store: Store): unknown {
  return store.reader
    .prepare(
      `SELECT folder_id, documents.status, count(*) AS documents, sum(size) AS bytes, sum(coalesce(passage_count, 0)) AS passages, sum(coalesce(embedded, 0)) AS embedded
       FROM documents LEFT JOIN contents ON contents.id = content_id GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    .all()
}
function totalsKept(store: Store): unknown {
  return store.reader.prepare('SELECT * FROM document_totals WHERE documents > 0 ORDER BY folder_id, status').all()
}

test('two paths with the same bytes share one content, and it goes with the last of them', async () => {
  const store = await stores.open(stores.newDir())
  const { folderId, ids } = await fillFolder(store, '/a', { 'one.md': makeContent('alpha'), 'two.md': makeContent('alpha') })
  expect([findWord(store, 'alpha'), countRows(store, 'passages')]).toEqual([['/a/one.md', '/a/two.md'], 1])
  await store.documents.applyScan(folderId, { ...noChanges, removed: [{ documentId: ids['one.md']! }] }, null)
  await store.contents.sweep()
  expect(findWord(store, 'alpha')).toEqual(['/a/two.md'])
  await store.documents.applyScan(folderId, { ...noChanges, removed: [{ documentId: ids['two.md']! }] }, null)
  expect(findWord(store, 'alpha')).toEqual([])
  expect(await store.contents.sweep()).toBe(1)
  expect([countRows(store, 'passages'), countRows(store, 'passages_fts'), countRows(store, 'sections')]).toEqual([0, 0, 0])
})

test('an edit replaces the text at once, and what stayed the same keeps its vector', async () => {
  const store = await stores.open(stores.newDir())
  const { ids } = await fillFolder(store, '/a', { 'one.md': makeContent('old', 2) })
  const modelId = await store.vectors.model('m', 2)
  await embedAll(store, modelId)
  const edited = makeContent('new', 1)
  edited.passages.push({ ...makeContent('old', 2).passages[0]!, ordinal: 1 })
  await store.contents.store({ ...edited, attach: { documentId: ids['one.md']!, hash: edited.key.hash, sizeBytes: 10, modifiedMs: 2 } })
  expect([findWord(store, 'new').length, countRows(store, 'vectors'), store.vectors.pending(modelId, 9).map(({ text }) => text)]).toEqual([
    1,
    1,
    ['new'],
  ])
  expect(store.reader.prepare('SELECT added, count(*) AS count FROM vector_changes GROUP BY added ORDER BY added').all()).toEqual([
    { added: 0, count: 1 },
    { added: 1, count: 2 },
  ])
})

test('a content in slices is seen by nobody before it is finished and attached', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/big.md'])
  const modelId = await store.vectors.model('m', 2)
  const content = makeContent('large', 30)
  const { contentId, complete } = await store.contents.begin(content.key)
  await store.contents.addSlice({ contentId, firstSection: 0, sections: content.sections, passages: content.passages })
  expect([complete, findWord(store, 'large'), store.vectors.pendingCount(modelId), store.status().passages]).toEqual([false, [], 0, 0])
  expect(await store.contents.sweep()).toBe(0)
  await store.contents.finish({ contentId, ...content.end })
  await store.documents.attach(store.documents.waiting(1)[0]!.documentId, contentId, {
    hash: content.key.hash,
    sizeBytes: 1,
    modifiedMs: 1,
  })
  expect([findWord(store, 'large'), store.vectors.pendingCount(modelId), store.status().passages]).toEqual([['/a/big.md'], 30, 30])
})

test('a content whose reading ended early is known by the recipe it ended with, and does not stand for a longer one', async () => {
  const store = await stores.open(stores.newDir())
  const content = makeContent('large', 3)
  const short = { ...content.key, recipe: `${content.key.recipe}/within-1000` }
  const { contentId } = await store.contents.begin(content.key)
  await store.contents.addSlice({ contentId, firstSection: 0, sections: content.sections, passages: content.passages })
  await store.contents.finish({ contentId, recipe: short.recipe, ...content.end })
  expect([store.contents.find(content.key), store.contents.find(short)]).toEqual([null, contentId])
  expect(await store.contents.begin(content.key)).toMatchObject({ complete: false })
})

test('two readers of the same bytes do not spoil each other', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/1.md', '/a/2.md'])
  const content = makeContent('same', 4)
  const begun = await Promise.all([store.contents.begin(content.key), store.contents.begin(content.key)])
  for (const { contentId } of begun)
    await store.contents.addSlice({ contentId, firstSection: 0, sections: content.sections, passages: content.passages })
  const waiting = store.documents.waiting(2)
  for (const [index, { contentId }] of begun.entries()) {
    await store.contents.finish({ contentId, ...content.end })
    await store.documents.attach(waiting[index]!.documentId, contentId, { hash: content.key.hash, sizeBytes: 1, modifiedMs: 1 })
  }
  expect([findWord(store, 'same'), countRows(store, 'contents'), countRows(store, 'passages')]).toEqual([['/a/1.md', '/a/2.md'], 1, 4])
})

test("a person's own documents are listed before the sample library's, wherever they lie", async () => {
  const store = await stores.open(stores.newDir())
  const sample = await store.folders.add({ path: '/a', single: false, sample: true, copied: false })
  const own = await store.folders.add({ path: '/z', single: false, sample: false, copied: false })
  await addDocuments(store, sample, ['/a/1.md'])
  await addDocuments(store, own, ['/z/2.md', '/z/1.md'])
  const { documents } = store.documents.list({ offset: 0, limit: 10 })
  expect(documents.map((document) => document.path)).toEqual(['/z/1.md', '/z/2.md', '/a/1.md'])
})

test('a removed folder is found by nobody, restored without work, and gone after a restart', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  const { folderId, ids } = await fillFolder(store, '/a', { 'one.md': makeContent('alpha'), 'two.md': makeContent('beta') })
  const modelId = await store.vectors.model('m', 2)
  await store.folders.remove(folderId)
  await store.contents.sweep()
  const gone = [
    findWord(store, 'alpha'),
    store.folders.list(),
    store.documents.get(ids['one.md']!),
    store.documents.counts().total,
    store.vectors.pendingCount(modelId),
  ]
  expect(gone).toEqual([[], [], null, 0, 0])
  await store.folders.restore(folderId)
  expect([findWord(store, 'alpha'), store.documents.counts().ready, store.vectors.pendingCount(modelId)]).toEqual([['/a/one.md'], 2, 2])
  await store.folders.remove(folderId)
  await store.close()
  const again = await stores.open(dataDir)
  await again.contents.sweep()
  expect([countRows(again, 'documents'), countRows(again, 'passages'), countRows(again, 'contents')]).toEqual([0, 0, 0])
})

test('a folder around a removed one takes its documents over, with what was read', async () => {
  const store = await stores.open(stores.newDir())
  const inner = await fillFolder(store, '/a/b', { 'one.md': makeContent('alpha') })
  await store.folders.remove(inner.folderId)
  const outer = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, outer, ['/a/b/one.md', '/a/two.md'])
  expect([findWord(store, 'alpha'), store.documents.counts(outer).ready, store.documents.counts(outer).waiting]).toEqual([
    ['/a/b/one.md'],
    1,
    1,
  ])
})

test('files that change places keep their contents', async () => {
  const store = await stores.open(stores.newDir())
  const { folderId, ids } = await fillFolder(store, '/a', { 'one.md': makeContent('alpha'), 'two.md': makeContent('beta') })
  const to = (name: string, path: string) => ({ documentId: ids[name]!, path, kind: 'markdown' as const, sizeBytes: 10, modifiedMs: 1 })
  await store.documents.applyScan(folderId, { ...noChanges, moved: [to('one.md', '/a/two.md'), to('two.md', '/a/one.md')] }, null)
  expect([findWord(store, 'alpha'), findWord(store, 'beta')]).toEqual([['/a/two.md'], ['/a/one.md']])
})

test('a document that fails is not found by what it said before', async () => {
  const store = await stores.open(stores.newDir())
  const { ids } = await fillFolder(store, '/a', { 'one.md': makeContent('alpha') })
  const modelId = await store.vectors.model('m', 2)
  await store.documents.setStatus(ids['one.md']!, 'failed', { code: 'damaged', message: 'x' })
  expect([findWord(store, 'alpha'), store.documents.get(ids['one.md']!)?.passages, store.vectors.pendingCount(modelId)]).toEqual([[], 0, 0])
})

test('a document removed while it was read leaves nothing behind', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/one.md'])
  const { documentId } = store.documents.waiting(1)[0]!
  await store.documents.applyScan(folderId, { ...noChanges, removed: [{ documentId }] }, null)
  const content = makeContent('late')
  await store.contents.store({ ...content, attach: { documentId, hash: content.key.hash, sizeBytes: 1, modifiedMs: 1 } })
  expect([countRows(store, 'contents'), countRows(store, 'passages_fts')]).toEqual([0, 0])
})

test('texts wait once each, in order, for the active model only; a bad one is not asked for for ever', async () => {
  const store = await stores.open(stores.newDir())
  const shared = makeContent('first', 2)
  await fillFolder(store, '/a', {
    'one.md': shared,
    'two.md': { ...makeContent('x', 1, 'other'), passages: [shared.passages[1]!].map((p) => ({ ...p, ordinal: 0 })) },
  })
  const first = await store.vectors.model('m', 2)
  expect(store.vectors.pending(first, 10).map(({ text }) => text)).toEqual(['first part 0', 'first part 1'])
  const [one, two] = store.vectors.pending(first, 2)
  await store.vectors.put(first, [
    { textHash: one!.textHash, language: 'en', vector: null, problem: 'too long' },
    { textHash: two!.textHash, language: 'en', vector: new Float32Array([0, 1]), problem: null },
  ])
  expect([store.vectors.pendingCount(first), store.status().embedded]).toEqual([0, 2])
  expect(await store.vectors.retryProblems(first)).toBe(1)
  expect(store.vectors.pendingCount(first)).toBe(1)
  const second = await store.vectors.model('n', 2)
  expect([store.vectors.pendingCount(second), store.status().embedded]).toEqual([2, 0])
  await store.vectors.model('m', 2)
  expect([store.vectors.pendingCount(first), store.status().embedded]).toEqual([1, 2])
})

test('the sums of a content are those of its passages, whenever its texts were embedded', async () => {
  const store = await stores.open(stores.newDir())
  const modelId = await store.vectors.model('m', 2)
  const common = makeContent('common', 3)
  await fillFolder(store, '/a', { 'one.md': common })
  await embedAll(store, modelId)
  await fillFolder(store, '/b', { 'copy.md': { ...makeContent('common', 3, 'another file'), end: common.end } })
  const rows = store.reader.prepare('SELECT count, sum FROM content_means ORDER BY content_id').all() as {
    count: number
    sum: Uint8Array
  }[]
  const sums = rows.map((row) => [row.count, ...new Float32Array(row.sum.slice().buffer)])
  expect(sums).toEqual([
    [3, 3, 3],
    [3, 3, 3],
  ])
})

test('vectors of a text that went meanwhile are not kept, and wrong dimensions are refused', async () => {
  const store = await stores.open(stores.newDir())
  const modelId = await store.vectors.model('m', 2)
  await store.vectors.put(modelId, [{ textHash: 'gone', language: 'en', vector: new Float32Array(2), problem: null }])
  expect(countRows(store, 'vectors')).toBe(0)
  const wrong = [{ textHash: 'gone', language: 'en' as const, vector: new Float32Array(3), problem: null }]
  await expect(store.vectors.put(modelId, wrong)).rejects.toMatchObject({ code: 'embedding' })
  await expect(store.vectors.model('m', 3)).rejects.toMatchObject({ code: 'conflict' })
})

test('counts that are kept agree with counts made from scratch, after everything that changes them', async () => {
  const store = await stores.open(stores.newDir())
  const one = await fillFolder(store, '/a', { '1.md': makeContent('one', 3), '2.md': makeContent('two', 2), '3.md': makeContent('one', 3) })
  const two = await fillFolder(store, '/b', { '4.md': makeContent('one', 3), '5.md': makeContent('five') })
  const modelId = await store.vectors.model('m', 2)
  await embedAll(store, modelId)
  await store.documents.setStatus(one.ids['1.md']!, 'failed', { code: 'damaged', message: 'x' })
  await store.documents.beginReading([one.ids['2.md']!, two.ids['5.md']!])
  const change = {
    documentId: two.ids['4.md']!,
    kind: 'text' as const,
    sizeBytes: 99,
    modifiedMs: 2,
    status: 'waiting' as const,
    reason: null,
  }
  await store.documents.applyScan(two.folderId, { ...noChanges, changed: [change] }, null)
  await store.folders.remove(one.folderId)
  await store.folders.restore(one.folderId)
  await store.documents.applyScan(one.folderId, { ...noChanges, removed: [{ documentId: one.ids['3.md']! }] }, null)
  await store.contents.sweep()
  expect(totalsKept(store)).toEqual(totalsFromScratch(store))
  expect(await store.documents.resetReading()).toBe(2)
  expect(totalsKept(store)).toEqual(totalsFromScratch(store))
})

test('one bad write among many arriving together fails alone', async () => {
  const store = await stores.open(stores.newDir())
  const results = await Promise.allSettled([
    store.chats.create({ id: 'a', title: 'A', scope: {}, at: 1 }),
    store.chats.create({ id: 'a', title: 'again', scope: {}, at: 1 }),
    store.settings.patch({ theme: 'dark' }),
    store.chats.create({ id: 'b', title: 'B', scope: {}, at: 2 }),
  ])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect([store.chats.list().map(({ title }) => title), store.settings.read().theme]).toEqual([['B', 'A'], 'dark'])
})

test('waiting leaves out what is paused, unreachable or removed, and the list filters', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/100%.md', '/a/b_c.md', '/a/中文.md'])
  const paths = (name: string) => store.documents.list({ name, offset: 0, limit: 10 }).documents.map((document) => document.path)
  expect([paths('%'), paths('B_'), paths('中')]).toEqual([['/a/100%.md'], ['/a/b_c.md'], ['/a/中文.md']])
  await store.folders.setPaused(folderId, true)
  expect([store.documents.waiting(9).length, store.folders.list()[0]?.state]).toEqual([0, 'paused'])
  await store.folders.setPaused(folderId, false)
  await store.folders.setReachable(folderId, false)
  expect([store.documents.waiting(9).length, store.folders.list()[0]?.state]).toEqual([0, 'unreachable'])
  await store.documents.applyScan(folderId, noChanges, { leftOut: nothingLeftOut, scannedAt: 2 })
  expect([store.documents.waiting(9).length, store.folders.list()[0]?.state]).toEqual([3, 'following'])
})

test('listeners hear of a write after it can be read', async () => {
  const store = await stores.open(stores.newDir())
  const heard: [string, number][] = []
  const stop = store.onChange((what) => heard.push([what, store.folders.list().length]))
  await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  stop()
  await store.folders.add({ path: '/b', single: false, sample: false, copied: false })
  expect(heard).toEqual([['folders', 1]])
})
