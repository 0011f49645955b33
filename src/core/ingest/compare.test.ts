import { expect, test } from 'vitest'
import type { KnownFile } from '../store/store.ts'
import { compareWith, inParts, needHash, toChanges, type Differences, type Verdict } from './compare.ts'
import type { FoundFile } from './scan.ts'

function knownFile(documentId: number, path: string, more: Partial<KnownFile> = {}): KnownFile {
  return { documentId, path, sizeBytes: 10, modifiedMs: 1, hash: `hash ${documentId}`, status: 'ready', kind: 'markdown', ...more }
}
function foundFile(path: string, more: Partial<FoundFile> = {}): FoundFile {
  return { path, sizeBytes: 10, modifiedMs: 1, ...more }
}
function compare(known: KnownFile[], found: FoundFile[]): Differences {
  const comparison = compareWith(new Map(known.map((file) => [file.path, file])))
  comparison.see(found)
  return comparison.end()
}
const markdown = (): Verdict => ({ kind: 'markdown', status: 'waiting', reason: null })

function changesOf(known: KnownFile[], found: FoundFile[], hashes: Record<string, string>, verdict = markdown) {
  return toChanges(compare(known, found), new Map(Object.entries(hashes)), verdict)
}

test('an unchanged file is neither hashed nor written', () => {
  const differences = compare([knownFile(1, '/a/one.md')], [foundFile('/a/one.md')])
  expect(differences).toEqual({ added: [], altered: [], missing: [] })
  expect(needHash(differences)).toEqual([])
})

test('the same bytes under another path are a move, also when only the case of a letter changed', () => {
  const changes = changesOf([knownFile(1, '/a/readme.md')], [foundFile('/a/README.md')], { '/a/README.md': 'hash 1' })
  expect(changes.moved).toEqual([{ documentId: 1, path: '/a/README.md', kind: 'markdown', sizeBytes: 10, modifiedMs: 1 }])
  expect([changes.added, changes.removed]).toEqual([[], []])
})

test('of two files with the same bytes each goes to the one of its name, and a third is new', () => {
  const known = [knownFile(1, '/a/one.md', { hash: 'same' }), knownFile(2, '/a/two.md', { hash: 'same' })]
  const found = [foundFile('/b/two.md'), foundFile('/b/copy.md'), foundFile('/b/one.md')]
  const changes = changesOf(known, found, { '/b/two.md': 'same', '/b/copy.md': 'same', '/b/one.md': 'same' })
  expect(changes.moved.map(({ documentId, path }) => [documentId, path])).toEqual([
    [2, '/b/two.md'],
    [1, '/b/one.md'],
  ])
  expect([changes.added.map(({ path }) => path), changes.removed]).toEqual([['/b/copy.md'], []])
})

test('a file of the same size with other bytes is not a move', () => {
  const changes = changesOf([knownFile(1, '/a/one.md')], [foundFile('/a/two.md')], { '/a/two.md': 'other' })
  expect([changes.added.map(({ path }) => path), changes.removed, changes.moved]).toEqual([['/a/two.md'], [{ documentId: 1 }], []])
})

test('a move to another kind is read anew', () => {
  const verdict = (): Verdict => ({ kind: 'text', status: 'waiting', reason: null })
  const changes = changesOf([knownFile(1, '/a/one.md')], [foundFile('/a/one.txt')], { '/a/one.txt': 'hash 1' }, verdict)
  expect([changes.added.length, changes.removed.length, changes.moved.length]).toEqual([1, 1, 0])
})

test('a touched file keeps what was read; one with other bytes or another size is read again', () => {
  const known = [knownFile(1, '/a/touched.md'), knownFile(2, '/a/edited.md'), knownFile(3, '/a/grown.md')]
  const found = [
    foundFile('/a/touched.md', { modifiedMs: 2 }),
    foundFile('/a/edited.md', { modifiedMs: 2 }),
    foundFile('/a/grown.md', { sizeBytes: 11, modifiedMs: 2 }),
  ]
  expect(needHash(compare(known, found)).map(({ path }) => path)).toEqual(['/a/touched.md', '/a/edited.md'])
  const changes = changesOf(known, found, { '/a/touched.md': 'hash 1', '/a/edited.md': 'new' })
  expect([changes.touched.map(({ documentId }) => documentId), changes.changed.map(({ documentId }) => documentId)]).toEqual([[1], [2, 3]])
})

test('empty files are never taken for one another', () => {
  const known = [knownFile(1, '/a/one.md', { sizeBytes: 0, hash: 'empty' })]
  const found = [foundFile('/a/two.md', { sizeBytes: 0 })]
  expect(needHash(compare(known, found))).toEqual([])
})

test('parts hold every entry once, and moves together', () => {
  const known = Array.from({ length: 7 }, (_, index) => knownFile(index + 1, `/a/${index}.md`))
  const found = Array.from({ length: 5 }, (_, index) => foundFile(`/b/${index}.md`, { sizeBytes: 99 }))
  const changes = changesOf(known, found, {})
  const parts = [...inParts(changes, 5)]
  expect(parts.map((part) => part.removed.length + part.added.length)).toEqual([5, 5, 2])
  expect(parts.flatMap((part) => part.added)).toEqual(changes.added)
})
