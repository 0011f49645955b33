import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDocuments, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

test('every document is in one cell, and a month and a size of the list are those of its cell', async () => {
  const store = await stores.open(stores.newDir())
  const folderId = await store.folders.add({ path: '/a', single: false, sample: false, copied: false })
  await addDocuments(store, folderId, ['/a/one.md', '/a/two.pdf', '/a/three.pdf'])
  const { documents } = store.documents.list({ offset: 0, limit: 10 })
  const cells = store.documents.breakdown()
  expect(cells.reduce((sum, cell) => sum + cell.documents, 0)).toBe(3)
  expect(cells.reduce((sum, cell) => sum + cell.bytes, 0)).toBe(documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  const [first] = documents
  const { modifiedAt = 0, sizeBytes = 0 } = first ?? {}
  const names = (filter: object) => store.documents.list({ offset: 0, limit: 10, ...filter }).documents.map(({ name }) => name)
  expect(names({ modifiedFrom: modifiedAt, modifiedBefore: modifiedAt + 1 })).toContain(first?.name)
  expect(names({ modifiedFrom: modifiedAt + 1 })).not.toContain(first?.name)
  expect(names({ modifiedBefore: modifiedAt })).not.toContain(first?.name)
  expect(names({ leastBytes: sizeBytes, lessThanBytes: sizeBytes + 1 })).toContain(first?.name)
  expect(names({ leastBytes: sizeBytes + 1 })).not.toContain(first?.name)
  expect(store.documents.breakdown(folderId + 1)).toEqual([])
})
