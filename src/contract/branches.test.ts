import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestAfter, parentsOf, pathTo, versionsOf, type BranchTurn } from './branches.ts'

const turn = (id: string, ordinal: number, parentId?: string | null): BranchTurn => ({
  id,
  ordinal,
  ...(parentId === undefined ? {} : { parentId }),
})

test('turns that name no parent follow one another, in whatever order they come', () => {
  const parents = parentsOf([turn('c', 2), turn('a', 0), turn('b', 1)])
  expect(pathTo(parents, newestAfter(parents, null))).toEqual(['a', 'b', 'c'])
})

test('a question that was edited stands beside the old one, and each keeps what came after it', () => {
  const parents = parentsOf([turn('a', 0), turn('b', 1), turn('c', 2), turn('b2', 3, 'a'), turn('d', 4, 'b2'), turn('a2', 5, null)])
  expect(pathTo(parents, newestAfter(parents, null))).toEqual(['a2'])
  expect(pathTo(parents, newestAfter(parents, 'a'))).toEqual(['a', 'b2', 'd'])
  expect(pathTo(parents, newestAfter(parents, 'b'))).toEqual(['a', 'b', 'c'])
  expect([versionsOf(parents, 'b'), versionsOf(parents, 'a2'), versionsOf(parents, 'd')]).toEqual([['b', 'b2'], ['a', 'a2'], ['d']])
})

test('a parent that is not there, or was asked later, is as good as none', () => {
  const parents = parentsOf([turn('a', 0, 'b'), turn('b', 1, 'gone'), turn('c', 2, 'c')])
  expect(pathTo(parents, 'c')).toEqual(['a', 'b', 'c'])
})

test('whatever a chat claims, every turn is reached by one path that ends, and is the newest of some branch or before it', () => {
  const claims = fc.array(
    fc.option(
      fc.nat(8).map((at) => `t${at}`),
      { nil: undefined },
    ),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(claims, (given) => {
      const parents = parentsOf(given.map((parentId, ordinal) => turn(`t${ordinal}`, ordinal, parentId)))
      for (const [id, parent] of parents) {
        const path = pathTo(parents, id)
        expect([path.at(-1), new Set(path).size, path.at(-2) ?? null]).toEqual([id, path.length, parent])
        expect(pathTo(parents, newestAfter(parents, id)).slice(0, path.length)).toEqual(path)
        expect(versionsOf(parents, id)).toContain(id)
      }
    }),
  )
})
