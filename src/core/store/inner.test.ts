import { DatabaseSync } from '@photostructure/sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeContent } from '../../../test/fixtures/make-content.ts'
import { addDocuments, countRows, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { migrations, prepareDatabase } from './migrate.ts'
import type { InnerDocument, ScanChanges, Store } from './store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

const nothing: ScanChanges = { added: [], changed: [], moved: [], touched: [], removed: [] }

function inner(path: string, hash = path): InnerDocument {
  return { path, kind: 'text', hash, sizeBytes: 5 }
}

async function openWith(paths: string[]): Promise<{ store: Store; folderId: number; ids: Map<string, number> }> {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/f', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, paths)
  return { store, folderId, ids: new Map(store.documents.waiting(100).map(({ path, documentId }) => [path, documentId])) }
}

async function read(store: Store, documentId: number, name: string, parts: InnerDocument[]): Promise<void> {
  const { key, sections, passages, end } = makeContent(name)
  const attach = { documentId, hash: key.hash, sizeBytes: 10, modifiedMs: 1 }
  await store.contents.store({ key: { ...key, kind: 'mail' }, sections, passages, end: { ...end, inner: parts }, attach })
}

function paths(store: Store): string[] {
  return store.documents.list({ offset: 0, limit: 100_000 }).documents.map(({ path }) => path)
}

test('what a content names is there for each document that has it, once, and goes with it', async () => {
  const { store, folderId, ids } = await openWith(['/f/a.eml', '/f/b.eml'])
  await read(store, ids.get('/f/a.eml')!, 'mail', [inner('#1/x.txt'), inner('#2/x.txt', 'other')])
  await read(store, ids.get('/f/b.eml')!, 'mail', [])
  expect(paths(store)).toEqual(['/f/a.eml', '/f/a.eml/#1/x.txt', '/f/a.eml/#2/x.txt', '/f/b.eml', '/f/b.eml/#1/x.txt', '/f/b.eml/#2/x.txt'])
  expect(store.documents.known(folderId).map(({ path }) => path)).toEqual(['/f/a.eml', '/f/b.eml'])
  expect(store.folders.list()[0]).toMatchObject({ counts: { total: 6, waiting: 4, ready: 2 }, sizeBytes: 20 })
  const waiting = store.documents.waiting(100)
  expect(waiting.map(({ filePath, hash }) => [filePath, hash])).toEqual([
    ['/f/a.eml', '#1/x.txt'],
    ['/f/a.eml', 'other'],
    ['/f/b.eml', '#1/x.txt'],
    ['/f/b.eml', 'other'],
  ])
  // What stayed the same is not read again; what has other bytes is, and what is named no more is gone.
  for (const { documentId, path } of waiting) await read(store, documentId, path, [])
  const before = store.documents.list({ name: '/f/a.eml/', offset: 0, limit: 10 }).documents
  await read(store, ids.get('/f/a.eml')!, 'mail 2', [
    inner('#1/x.txt', before[0] === undefined ? '' : store.documents.hash(before[0].id)!),
    inner('#3/y.txt'),
  ])
  const after = store.documents.list({ name: '/f/a.eml/', offset: 0, limit: 10 }).documents
  expect(after.map(({ id, path, status }) => [id === before[0]?.id, path, status])).toEqual([
    [true, '/f/a.eml/#1/x.txt', 'ready'],
    [false, '/f/a.eml/#3/y.txt', 'waiting'],
  ])
  await store.documents.setStatus(ids.get('/f/a.eml')!, 'failed', { code: 'damaged', message: '' })
  await store.documents.applyScan(folderId, { ...nothing, removed: [{ documentId: ids.get('/f/b.eml')! }] }, null)
  expect(paths(store)).toEqual(['/f/a.eml'])
  expect(store.folders.list()[0]).toMatchObject({ counts: { total: 1, failed: 1 }, sizeBytes: 10, passages: 0 })
  await store.contents.sweep()
  expect([countRows(store, 'contents'), countRows(store, 'inner_documents')]).toEqual([0, 0])
})

test('mails that change places, and one that another folder takes over, take along what lies in them', async () => {
  const { store, folderId, ids } = await openWith(['/f/a.eml', '/f/b.eml'])
  const [a, b] = [ids.get('/f/a.eml')!, ids.get('/f/b.eml')!]
  await read(store, a, 'mail a', [inner('#1/m.eml')])
  await read(store, b, 'mail b', [inner('#1/m.eml', 'other')])
  const [inA] = store.documents.list({ within: a, offset: 0, limit: 10 }).documents
  await read(store, inA!.id, 'mail in a', [inner('#1/deep.txt')])
  const size = { kind: 'mail' as const, sizeBytes: 10, modifiedMs: 1 }
  const moved = [
    { documentId: a, path: '/f/b.eml', ...size },
    { documentId: b, path: '/f/sub/a.eml', ...size },
  ]
  await store.documents.applyScan(folderId, { ...nothing, moved }, null)
  expect(paths(store)).toEqual(['/f/b.eml', '/f/b.eml/#1/m.eml', '/f/b.eml/#1/m.eml/#1/deep.txt', '/f/sub/a.eml', '/f/sub/a.eml/#1/m.eml'])
  expect(store.documents.get(inA!.id)).toMatchObject({
    path: '/f/b.eml/#1/m.eml',
    within: { documentId: a, name: 'b.eml', filePath: '/f/b.eml' },
  })

  const sub = await store.folders.add({ path: '/f/sub', single: false, sample: false, copied: false })
  const added = [{ path: '/f/sub/a.eml', ...size, status: 'waiting' as const, reason: null }]
  await store.documents.applyScan(sub, { ...nothing, added }, null)
  expect(store.folders.list().map(({ counts }) => counts.total)).toEqual([3, 2])
  // A directory stands where the mail was.
  const file = { path: '/f/b.eml/#1/m.eml', kind: 'text' as const, sizeBytes: 3, modifiedMs: 2, status: 'waiting' as const, reason: null }
  await store.documents.applyScan(folderId, { ...nothing, added: [file] }, null)
  expect(store.documents.list({ name: '/f/b.eml', offset: 0, limit: 10 }).documents.map(({ path, within }) => [path, within])).toEqual([
    ['/f/b.eml', null],
    ['/f/b.eml/#1/m.eml', null],
  ])
})

test('mails of an older library are read again', async () => {
  const dataDir = stores.newDir()
  const databasePath = join(dataDir, 'siku.db')
  await prepareDatabase({ databasePath, at: 0, migrations: migrations.slice(0, 5) })
  const old = new DatabaseSync(databasePath)
  old.exec(`
    INSERT INTO folders (path, added_at, scanned_at) VALUES ('/f', 1, 1);
    INSERT INTO documents (folder_id, path, kind, size, modified_ms, status, added_at, updated_at)
    VALUES (1, '/f/a.eml', 'mail', 10, 1, 'ready', 1, 1), (1, '/f/b.md', 'markdown', 10, 1, 'ready', 1, 1), (1, '/f/c.eml', 'mail', 10, 1, 'failed', 1, 1)`)
  old.close()
  const store = await stores.open(dataDir)
  expect(store.documents.list({ offset: 0, limit: 10 }).documents.map(({ status }) => status)).toEqual(['waiting', 'ready', 'failed'])
  expect(store.folders.list()[0]).toMatchObject({ counts: { total: 3, waiting: 1, ready: 1, failed: 1 }, sizeBytes: 30 })
})
