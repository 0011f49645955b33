import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conceptEmbedder } from '../../../test/fakes/concept-embedder.ts'
import { openScratchLibrary, type ScratchDocument, type ScratchLibrary } from '../../../test/fakes/scratch-library.ts'
import type { SearchRequest } from '../../contract/search.ts'

let dataDir: string
let library: ScratchLibrary

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'siku-search-'))
  library = await openScratchLibrary({ dataDir, embedder: conceptEmbedder() })
})
afterEach(async () => {
  await library.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const matters = ['lease', 'river', 'engine', 'painting', 'medicine', 'tax', 'volcano']
const english = (count: number, under = '/a'): ScratchDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    path: `${under}/${index}.txt`,
    passages: [`Note ${index} about the ${matters[index % matters.length]} on page ${index * 3}.`],
  }))

async function paths(query: string, request: Omit<SearchRequest, 'query'> = {}): Promise<string[]> {
  const { hits } = await library.search.query({ query, ...request })
  return hits.map((hit) => hit.path)
}

test('finds the single Chinese document in an English library, asked in English', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, [...english(119), { path: '/a/zh.txt', passages: ['这是一份关于图书馆的说明。'] }])
  await library.embed()
  expect((await paths('Where is the library?')).slice(0, 3)).toContain('/a/zh.txt')
})

test('a library that grows from one language into two finds answers in both', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(60))
  await library.embed()
  expect((await paths('租金是多少？')).slice(0, 5).every((path) => Number(/\d+/.exec(path)?.[0]) % 7 === 0)).toBe(true)
  const chinese = Array.from({ length: 40 }, (_, index) => ({
    path: `/a/zh${index}.txt`,
    passages: [`第${index}条说明，谈到火山与其他的事。`],
  }))
  await library.add(folder, [...chinese, { path: '/a/bowuguan.txt', passages: ['这里说的是税的计算方法。'] }])
  await library.embed()
  expect((await paths('How is the tax computed?')).slice(0, 5)).toContain('/a/bowuguan.txt')
  expect((await paths('租金是多少？')).slice(0, 5).some((path) => Number(/^\/a\/(\d+)\.txt/.exec(path)?.[1]) % 7 === 0)).toBe(true)
})

test('a narrow scope gives k results when there are k', async () => {
  const [a, b] = [await library.addFolder('/a'), await library.addFolder('/b')]
  await library.add(a, english(150))
  await library.add(b, [
    ...english(12, '/b'),
    ...english(5, '/b/deep').map((document) => ({
      ...document,
      kind: 'markdown' as const,
      passages: [`Deep ${document.passages[0] as string}`],
    })),
  ])
  await library.embed()
  for (const mode of ['hybrid', 'vector'] as const) {
    expect(await paths('painting in the museum', { k: 10, mode, scope: { folderIds: [b] } })).toHaveLength(10)
    expect(await paths('painting in the museum', { k: 5, mode, scope: { pathPrefix: '/b/deep/' } })).toHaveLength(5)
    expect(await paths('painting in the museum', { k: 5, mode, scope: { kinds: ['markdown'] } })).toHaveLength(5)
  }
  const one = library.store.documents.byHash(library.store.documents.known(a)[3]!.hash!)[0]!
  expect(await paths('painting', { mode: 'vector', scope: { documentIds: [one.documentId] } })).toEqual([one.path])
  expect(await paths('painting', { scope: { pathPrefix: '/b/dee' } })).toEqual([])
})

test('what is removed is not found, and is found again when it comes back', async () => {
  const [a, b] = [await library.addFolder('/a'), await library.addFolder('/b')]
  await library.add(a, english(30))
  await library.add(b, [{ path: '/b/only.txt', passages: ['All about the library and its books.'] }])
  await library.embed()
  expect((await paths('library'))[0]).toBe('/b/only.txt')
  await library.store.folders.remove(b)
  expect(await paths('library')).not.toContain('/b/only.txt')
  expect(await paths('library', { mode: 'vector' })).not.toContain('/b/only.txt')
  await library.store.folders.restore(b)
  expect((await paths('library'))[0]).toBe('/b/only.txt')
})

test('the sample library is left out as soon as there is a folder of one’s own, unless asked for', async () => {
  const sample = await library.addFolder('/sample', { sample: true })
  await library.add(sample, [{ path: '/sample/x.txt', passages: ['The lease of the sample flat.'] }])
  await library.embed()
  expect(await paths('lease')).toEqual(['/sample/x.txt'])
  const own = await library.addFolder('/a')
  await library.add(own, english(8))
  await library.embed()
  expect(await paths('lease', { k: 100 })).not.toContain('/sample/x.txt')
  expect(await paths('lease', { scope: { folderIds: [sample] } })).toEqual(['/sample/x.txt'])
})

test('the same text twice is one hit that names both places', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, [
    ...english(10),
    { path: '/a/one.md', passages: ['The volcano erupted in spring.'] },
    { path: '/a/two.md', passages: ['The volcano erupted in spring.', 'And something else.'] },
    { path: '/a/three.md', passages: ['THE VOLCANO  erupted, in spring!'] },
  ])
  await library.embed()
  const { hits } = await library.search.query({ query: 'When did the volcano erupt?', k: 5 })
  const first = hits[0]!
  expect([first.path, ...first.alsoAt].sort()).toEqual(['/a/one.md', '/a/three.md', '/a/two.md'])
  expect(hits.slice(1).some((hit) => /erupted/i.test(hit.text))).toBe(false)
})

test('of two places the one that can be reached is named first; what lies in a folder that is away is marked and said', async () => {
  const [away, here] = [await library.addFolder('/a'), await library.addFolder('/b')]
  await library.add(away, [
    { path: '/a/one.md', passages: ['The volcano erupted in spring.'] },
    { path: '/a/two.md', passages: ['The glacier melted in autumn.'] },
  ])
  await library.add(here, [{ path: '/b/one.md', passages: ['The volcano erupted in spring.'] }])
  await library.embed()
  await library.store.folders.setReachable(away, false)
  const volcano = await library.search.query({ query: 'volcano erupted', k: 1 })
  expect(volcano.hits[0]).toMatchObject({ path: '/b/one.md', alsoAt: ['/a/one.md'], unreachableSince: null })
  const { hits, result } = await library.search.query({ query: 'glacier melted', k: 1 })
  expect(hits[0]).toMatchObject({ path: '/a/two.md', unreachableSince: expect.any(Number) as number })
  expect(result.notes.map((note) => note.code)).toContain('not-reachable')
})

test('what came and went while nobody searched is taken in at the next start', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(40))
  await library.embed()
  await library.search.close()
  await library.add(folder, [{ path: '/a/new.txt', passages: ['A new text on the library.'] }])
  const known = library.store.documents.known(folder).find((document) => document.path === '/a/5.txt')!
  await library.store.documents.applyScan(
    folder,
    { added: [], changed: [], moved: [], touched: [], removed: [{ documentId: known.documentId }] },
    null,
  )
  const embedder = conceptEmbedder()
  const modelId = await library.store.vectors.model('concepts', 48)
  const pending = library.store.vectors.pending(modelId, 10)
  const outcomes = await embedder.embedPassages(pending)
  await library.store.vectors.put(
    modelId,
    pending.map((text, index) => ({ ...text, vector: (outcomes[index] as { vector: Float32Array }).vector, problem: null })),
  )
  await library.reopenSearch()
  expect((await paths('library', { mode: 'vector' }))[0]).toBe('/a/new.txt')
  expect(await paths('tax', { mode: 'vector', k: 100 })).not.toContain('/a/5.txt')
})

const damages: [string, (file: string, stamp: string) => void][] = [
  ['missing', (file) => rmSync(file)],
  ['torn', (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
  ['bit-flipped', (file) => flip(file, 0.6)],
  ['flipped in its first bytes', (file) => flip(file, 0)],
  ['without its stamp', (_file, stamp) => rmSync(stamp)],
  ['with a damaged stamp', (_file, stamp) => flip(stamp, 0.5)],
  ['with an empty stamp', (_file, stamp) => writeFileSync(stamp, '')],
]

function flip(path: string, where: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor((bytes.length - 1) * where)
  bytes[at] = bytes[at]! ^ 4
  writeFileSync(path, bytes)
}

test.each(damages)('an index file that is %s is made again without a model, and nothing is lost', async (_name, damage) => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(200))
  await library.embed()
  const before = await paths('the river', { mode: 'vector', k: 30 })
  await library.search.close()
  const index = join(dataDir, 'index')
  const graph = readdirSync(index).find((name) => name.endsWith('.hnsw'))!
  damage(join(index, graph), join(index, '1-en.json'))
  await library.reopenSearch()
  expect((await paths('the river', { mode: 'vector', k: 30 })).sort()).toEqual(before.sort())
  expect(library.search.state()).toBe('hnsw')
  await library.search.close()
  expect(readdirSync(index).filter((name) => name.endsWith('.hnsw'))).toHaveLength(1)
})

test('an index of another model is not used', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(50))
  await library.embed()
  await library.close()
  library = await openScratchLibrary({ dataDir, embedder: conceptEmbedder('another') })
  const { result } = await library.search.query({ query: 'river' })
  expect(result.notes.map((note) => note.code)).toContain('no-vectors')
  await library.embed()
  expect((await library.search.query({ query: 'river', mode: 'vector' })).result.notes).toEqual([])
})

test('without hnswlib everything is scanned exactly and said so', async () => {
  await library.close()
  library = await openScratchLibrary({ dataDir, embedder: conceptEmbedder(), withoutHnsw: true })
  const folder = await library.addFolder('/a')
  await library.add(folder, english(100))
  await library.embed()
  const { result } = await library.search.query({ query: 'the engine', mode: 'vector', k: 5 })
  expect(result.hits.every((hit) => hit.text.includes('engine'))).toBe(true)
  expect(result.notes.map((note) => note.code)).toEqual(['exact-scan'])
  expect(library.search.state()).toBe('exact')
  expect(await library.search.hasHnsw()).toBe(false)
})

test('a passage can be found by keyword before it has a vector', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(10))
  const { result } = await library.search.query({ query: 'volcano' })
  expect(result.hits.map((hit) => hit.path)).toEqual(['/a/6.txt'])
  expect(result.notes.map((note) => note.code)).toEqual(['no-vectors'])
  expect(await paths('volcano', { mode: 'vector' })).toEqual(['/a/6.txt'])
})

test('a cancelled question does not hold the next one', async () => {
  const folder = await library.addFolder('/a')
  await library.add(folder, english(10))
  await library.embed()
  const controller = new AbortController()
  const cancelled = library.search.query({ query: 'volcano' }, { signal: controller.signal })
  controller.abort()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  expect((await paths('volcano'))[0]).toBe('/a/6.txt')
})

test('an exact code or quotation that stands in the library is on top, however near others are in meaning', async () => {
  const folder = await library.addFolder('/a')
  const rows = Array.from({ length: 60 }, (_, index) => ({
    path: `/a/c${index}.txt`,
    passages: [`Contract HT-${String(index + 100)}: the lease, its tax and the amount ${index * 17}.`],
  }))
  await library.add(folder, [
    ...rows,
    { path: '/a/sheet.txt', passages: ['No · Party · Kind\nHT-003 · 甲 · engine\nHT-004 · 乙 · river\nHT-0051 · 丙 · tax'] },
    { path: '/a/letter.txt', passages: ['The volcano is to be painted without undue delay.'] },
    { path: '/a/near.txt', passages: ['The lease is due and undue; delay costs tax, without mercy.'] },
  ])
  await library.embed()
  expect((await paths('HT-003'))[0]).toBe('/a/sheet.txt')
  expect((await paths('What is the tax on the lease amount of contract HT-004?'))[0]).toBe('/a/sheet.txt')
  expect((await paths('lease and tax "without undue delay"'))[0]).toBe('/a/letter.txt')
  expect((await paths('HT-004', { scope: { folderIds: [folder] } }))[0]).toBe('/a/sheet.txt')
  expect((await paths('contract HT-005 of the lease')).indexOf('/a/sheet.txt')).not.toBe(0)
})
