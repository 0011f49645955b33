import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conceptEmbedder } from '../../../test/fakes/concept-embedder.ts'
import { openScratchLibrary, type ScratchLibrary } from '../../../test/fakes/scratch-library.ts'

let dataDir: string
let library: ScratchLibrary

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'siku-look-up-'))
  library = await openScratchLibrary({ dataDir, embedder: conceptEmbedder() })
})
afterEach(async () => {
  await library.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('one character or one word is looked up: what holds it comes before what is only near in meaning', async () => {
  const folder = await library.addFolder('/a')
  const others = Array.from({ length: 12 }, (_, index) => ({
    path: `/a/${index}.txt`,
    passages: [`A note about the library, number ${index}.`],
  }))
  await library.add(folder, [
    ...others,
    { path: '/a/fan.txt', passages: ['圖書館每天八點開門。'] },
    { path: '/a/zh.txt', passages: ['另一份说明。'] },
  ])
  await library.embed()
  for (const query of ['图', '圖', '開門']) {
    const { hits } = await library.search.query({ query })
    expect([query, hits[0]?.path]).toEqual([query, '/a/fan.txt'])
  }
})

test('nothing is asked, nothing is found', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, [{ path: '/a/1.txt', passages: ['Something.'] }])
  await library.embed()
  for (const mode of ['hybrid', 'keyword', 'vector'] as const) {
    expect((await library.search.query({ query: ' \n ', mode })).hits).toEqual([])
  }
})

test('asked by meaning and answered by words, the result says so', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, [{ path: '/a/1.txt', passages: ['The volcano.'] }])
  const { result } = await library.search.query({ query: 'volcano', mode: 'vector' })
  expect([result.mode, result.hits.length, result.notes.map((note) => note.code)]).toEqual(['keyword', 1, ['no-vectors']])
})
