import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conceptEmbedder } from '../../../test/fakes/concept-embedder.ts'
import { openScratchLibrary, type ScratchLibrary } from '../../../test/fakes/scratch-library.ts'
import { searchPresent, type Search } from './search.ts'

let place: string
let root: string
let library: ScratchLibrary
let search: Search

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'siku-present-'))
  root = join(place, 'papers')
  mkdirSync(root)
  library = await openScratchLibrary({ dataDir: join(place, 'data'), embedder: conceptEmbedder() })
  search = searchPresent(library.search, () => 7)
  const folder = await library.addFolder(root)
  const texts: Record<string, string> = {
    'gone.md': 'The volcano erupted in spring.',
    'copy.md': 'The volcano erupted in spring.',
    'only.md': 'The volcano slept in winter.',
    'next.md': 'The volcano was painted.',
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(root, name), text)
  await library.add(
    folder,
    Object.entries(texts).map(([name, text]) => ({ path: join(root, name), passages: [text] })),
  )
  await library.embed()
})
afterEach(async () => {
  await library.close()
  rmSync(place, { recursive: true, force: true })
})

test('a file that was deleted is not found before anybody noticed; its copy is named, and the next best takes its place', async () => {
  rmSync(join(root, 'gone.md'))
  rmSync(join(root, 'only.md'))
  const { hits, result } = await search.query({ query: 'volcano', k: 2 })
  expect(hits.map(({ path, alsoAt }) => [path, alsoAt]).sort()).toEqual([
    [join(root, 'copy.md'), []],
    [join(root, 'next.md'), []],
  ])
  expect(result.hits.map(({ rank }) => rank)).toEqual([1, 2])
  expect(result.notes).toEqual([])
  for (const name of ['copy.md', 'next.md']) rmSync(join(root, name))
  expect((await search.query({ query: 'volcano' })).hits).toEqual([])
})

test('where the whole folder is away before anybody noticed, what was read of it is shown and marked', async () => {
  renameSync(root, join(place, 'elsewhere'))
  const { hits, result } = await search.query({ query: 'volcano slept' })
  expect(hits[0]).toMatchObject({ path: join(root, 'only.md'), unreachableSince: 7 })
  expect(result.notes.map(({ code }) => code)).toEqual(['not-reachable'])
})
