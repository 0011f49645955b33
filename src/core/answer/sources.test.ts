import { expect, test } from 'vitest'
import type { FoundHit } from '../search/search.ts'
import { existing } from './sources.ts'

test('a hit whose file is gone is left out, unless its whole folder is known to be away', async () => {
  const hit: FoundHit = {
    rank: 1,
    score: 1,
    path: '/nowhere/at/all.md',
    place: { kind: 'lines', from: 1, to: 1 },
    text: 'words',
    passageId: 1,
    documentId: 1,
    heading: [],
    alsoAt: [],
    unreachableSince: null,
    contentHash: '',
  }
  expect(await existing([hit])).toEqual([])
  expect(await existing([{ ...hit, unreachableSince: 5 }])).toHaveLength(1)
})
