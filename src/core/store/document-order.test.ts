import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDocuments, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { documentSortSchema } from '../../contract/library.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

test('a list comes in each order that is asked for, and its pages are parts of the one order', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  const added = [
    { path: '/a/z/beta.md', sizeBytes: 30, modifiedMs: 200, status: 'waiting' as const },
    { path: '/a/y/Alpha.md', sizeBytes: 10, modifiedMs: 300, status: 'skipped' as const },
    { path: '/a/x/租约.md', sizeBytes: 20, modifiedMs: 100, status: 'waiting' as const },
    { path: '/a/x/gamma\\delta.md', sizeBytes: 20, modifiedMs: 400, status: 'waiting' as const },
  ].map((each) => ({ ...each, kind: 'markdown' as const, reason: null }))
  await store.documents.applyScan(
    folderId,
    { added, changed: [], moved: [], touched: [], removed: [] },
    { leftOut: { hidden: 0, dependencies: 0, ignored: 0, links: 0, unreadable: 0 }, scannedAt: 1 },
  )
  type Asked = Omit<Parameters<typeof store.documents.list>[0], 'offset' | 'limit'>
  const names = (asked: Asked, offset = 0, limit = 10) =>
    store.documents.list({ ...asked, offset, limit }).documents.map(({ path }) => path.slice(3))
  expect(names({ sort: 'name' })).toEqual(['y/Alpha.md', 'z/beta.md', 'x/gamma\\delta.md', 'x/租约.md'])
  expect(names({ sort: 'path' })).toEqual(['x/gamma\\delta.md', 'x/租约.md', 'y/Alpha.md', 'z/beta.md'])
  expect(names({ sort: 'size' })).toEqual(['y/Alpha.md', 'x/gamma\\delta.md', 'x/租约.md', 'z/beta.md'])
  expect(names({ sort: 'date', descending: true })).toEqual(['x/gamma\\delta.md', 'y/Alpha.md', 'z/beta.md', 'x/租约.md'])
  expect(names({ sort: 'status' })[0]).toBe('y/Alpha.md')
  for (const sort of documentSortSchema.options) {
    for (const descending of [false, true]) {
      const whole = names({ sort, descending })
      expect([...names({ sort, descending }, 0, 2), ...names({ sort, descending }, 2, 2)]).toEqual(whole)
      expect([...whole].sort()).toEqual(names({ sort: 'path' }))
    }
  }
})

test('a file that was moved is listed under its new name', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/one.md', '/a/two.md'])
  const leftOut = { hidden: 0, dependencies: 0, ignored: 0, links: 0, unreadable: 0 }
  const first = () => store.documents.list({ sort: 'name', offset: 0, limit: 1 }).documents[0]
  const moved = first()
  if (moved === undefined) throw new Error('nothing is listed')
  await store.documents.applyScan(
    folderId,
    {
      added: [],
      changed: [],
      moved: [{ documentId: moved.id, path: '/a/zero.md', kind: 'markdown', sizeBytes: 10, modifiedMs: 1 }],
      touched: [],
      removed: [],
    },
    { leftOut, scannedAt: 2 },
  )
  expect(first()?.name).toBe('two.md')
})
