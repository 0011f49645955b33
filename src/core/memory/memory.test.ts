import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conceptEmbedder } from '../../../test/fakes/concept-embedder.ts'
import { countRows, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { problemText, SikuError } from '../../contract/errors.ts'
import type { Memory } from '../../contract/memory.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Store } from '../store/store.ts'
import { createMemories, type Memories } from './memory.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

let opened: Store[] = []
afterEach(async () => {
  for (const store of opened) await store.close()
  opened = []
})

const byUser: Memory['source'] = { from: 'user', chatId: null, turnId: null }
const page = { offset: 0, limit: 100 }

interface Opened {
  dataDir: string
  store: Store
  memories: Memories
  embedder: Embedder & { passages: number }
  add(text: string, kind?: Memory['kind'], source?: Memory['source']): Promise<Memory>
  texts(): string[]
}

async function open({ dataDir = stores.newDir(), embedder = conceptEmbedder() } = {}): Promise<Opened> {
  const store = await stores.open(dataDir)
  opened.push(store)
  let time = 1_800_000_000_000
  const memories = createMemories({
    deps: { now: () => time++, newId: randomUUID, log: () => undefined, dataDir, resourcesDir: join(dataDir, 'none') },
    store,
    embedder: () => embedder,
  })
  return {
    dataDir,
    store,
    memories,
    embedder,
    add: (text, kind = 'fact', source = byUser) => memories.add({ text, kind, source }),
    texts: () => memories.list(page).memories.map((memory) => memory.text),
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => (error instanceof SikuError ? error.code : String(error)),
  )
}

test('a memory is found by meaning across languages, and nothing is better than what does not fit', async () => {
  const { memories, add } = await open()
  for (const text of ['The rent is due on the first.', '博物馆周一闭馆。', 'The motor of the boat is a Volvo.', '火山在岛的北面。'])
    await add(text)
  const found = async (text: string): Promise<string[]> => (await memories.recall(text)).map((memory) => memory.text)
  expect(await found('租金什么时候付？')).toEqual(['The rent is due on the first.'])
  expect(await found('When may I see the paintings?')).toEqual(['博物馆周一闭馆。'])
  expect(await found('How many legs has a spider?')).toEqual([])
  await memories.close()
})

test('the user finds a memory by its words and by its meaning, also while memories are off, and it does not count as used', async () => {
  const { store, memories, add } = await open()
  const rent = await add('The rent is due on the first.')
  await add('博物馆周一闭馆。')
  await store.settings.patch({ memory: false })
  const found = async (text: string, limit = 10): Promise<string[]> =>
    (await memories.find({ text, limit })).memories.map((memory) => memory.text)
  expect(await found('租金什么时候付？')).toEqual([rent.text])
  expect(await found('RENT is')).toEqual([rent.text])
  expect(await found('When may I see the paintings?')).toEqual(['博物馆周一闭馆。'])
  expect(await found('How many legs has a spider?')).toEqual([])
  expect(await found('   ')).toEqual([])
  await add('He pays no rent.')
  expect(await found('rent', 1)).toEqual(['He pays no rent.'])
  expect(memories.get(rent.id)?.uses).toBe(0)
  await memories.close()
})

test('use is noted, and a vector is made once for each model, also after a restart', async () => {
  const first = await open()
  await first.add('The rent is due on the first.')
  await first.memories.recall('rent')
  await first.memories.recall('rent')
  await first.memories.close()
  expect(first.memories.list(page).memories[0]).toMatchObject({ uses: 2, usedAt: expect.any(Number) as number })
  await first.store.close()

  const second = await open({ dataDir: first.dataDir })
  expect(await second.memories.recall('rent')).toHaveLength(1)
  expect(second.embedder.passages).toBe(0)
  await second.memories.close()
  await second.store.close()

  const other = await open({ dataDir: first.dataDir, embedder: conceptEmbedder('others') })
  other.memories.embeddingChanged()
  await other.memories.whenIdle()
  expect(countRows(other.store, 'memory_vectors')).toBe(2)
  expect(await other.memories.recall('lease')).toHaveLength(1)
  await other.memories.close()
})

test('without an embedder words do, and vectors are made once it answers', async () => {
  const working = conceptEmbedder()
  let broken = true
  const refuse = (): Promise<never> => Promise.reject(new SikuError('embedding', 'the model is damaged'))
  const embedder = {
    ...working,
    open: () => (broken ? refuse() : working.open()),
    embedPassages: (inputs: { text: string }[]) => (broken ? refuse() : working.embedPassages(inputs)),
    embedQuestion: (text: string) => (broken ? refuse() : working.embedQuestion(text)),
  }
  const { memories, add } = await open({ embedder })
  await add('The rent is due on the first.')
  expect(await memories.recall('rent for the flat')).toHaveLength(1)
  expect(await memories.recall('租约')).toHaveLength(0)
  broken = false
  expect(await memories.recall('租约')).toHaveLength(1)
  await memories.close()
})

test('a stop while memories are looked up ends it as cancelled', async () => {
  const { memories, add } = await open()
  await add('The rent is due.')
  await memories.whenIdle()
  const controller = new AbortController()
  const stuck = await open({
    embedder: {
      ...conceptEmbedder(),
      embedQuestion: (_text: string, options?: { signal?: AbortSignal }) =>
        new Promise((_resolve, reject) => options?.signal?.addEventListener('abort', () => reject(new SikuError('cancelled', 'stopped')))),
    } as Opened['embedder'],
  })
  await stuck.add('The rent is due.')
  const asked = codeOf(stuck.memories.recall('rent', { signal: controller.signal }))
  await stuck.memories.whenIdle()
  controller.abort()
  expect(await asked).toBe('cancelled')
  await memories.close()
  await stuck.memories.close()
})

test('what says the same is not doubled, what differs by a number, a word or a "not" is', async () => {
  const { memories, add, texts } = await open()
  const first = await add('The rent is 4,200 yuan.')
  const again = await add('the RENT is 4,200 yuan', 'preference')
  expect(again).toMatchObject({ id: first.id, text: 'the RENT is 4,200 yuan', kind: 'preference', createdAt: first.createdAt })
  await add('The rent is 4,300 yuan.')
  await add('The rent is not 4,200 yuan.')
  await add('The tax is 4,200 yuan.')
  await Promise.all([add('租约在书房。'), add('租約在書房'), add(' 租约在书房 ')])
  expect(texts()).toEqual([
    '租约在书房',
    'The tax is 4,200 yuan.',
    'The rent is not 4,200 yuan.',
    'The rent is 4,300 yuan.',
    'the RENT is 4,200 yuan',
  ])
  await memories.close()
})

test('a memory is one clean line: nothing hidden in it, never empty, never too long', async () => {
  const { memories, add } = await open()
  const hidden = `Likes\u0000 tea\u202e \u{e0041}\u{e0042}and\n\n  cake\u200b 👩‍🚀`
  expect((await add(hidden)).text).toBe('Likes tea and cake 👩‍🚀')
  expect(await codeOf(add(' \u200b\n… '))).toBe('bad-input')
  expect(await codeOf(add('x'.repeat(1001)))).toBe('bad-input')
  expect((await add('ü'.repeat(1000))).text).toHaveLength(1000)
  await memories.close()
})

test('removed is hidden at once, comes back whole, and is gone after a restart', async () => {
  const { dataDir, store, memories, add, texts } = await open()
  const rent = await add('The rent is due on the first.')
  const boat = await add('The motor is a Volvo.')
  await memories.remove(rent.id)
  expect(texts()).toEqual([boat.text])
  expect(await memories.recall('rent')).toEqual([])
  expect(await codeOf(memories.remove(rent.id))).toBe('not-found')
  expect(await codeOf(memories.update(rent.id, 'other'))).toBe('not-found')
  expect((await memories.restore(rent.id)).text).toBe(rent.text)
  expect(await memories.recall('租金')).toHaveLength(1)
  expect(await memories.clear()).toBe(2)
  expect(texts()).toEqual([])
  await memories.restore(boat.id)
  await memories.close()
  await store.close()
  const again = await open({ dataDir })
  expect(again.texts()).toEqual([boat.text])
  expect(countRows(again.store, 'memories')).toBe(1)
  expect(countRows(again.store, 'memory_vectors')).toBe(1)
  expect(await codeOf(again.memories.restore(rent.id))).toBe('not-found')
  await again.memories.close()
})

test('a changed memory is found by what it says now only', async () => {
  const { memories, add } = await open()
  const memory = await add('The rent is due on the first.')
  await add('The volcano sleeps.')
  await memories.whenIdle()
  await memories.update(memory.id, 'The museum opens at ten.')
  expect(await memories.recall('租金')).toEqual([])
  expect(await memories.recall('绘画')).toHaveLength(1)
  expect(await codeOf(memories.update(memory.id, 'the volcano sleeps'))).toBe('conflict')
  await memories.close()
})

test('switched off, memories are neither given nor written by a chat; the user may still write', async () => {
  const { store, memories, add } = await open()
  await add('The rent is due.')
  await store.settings.patch({ memory: false })
  expect(await memories.recall('rent')).toEqual([])
  expect(await codeOf(add('The tax is due.', 'fact', { from: 'chat', chatId: 'c', turnId: 't' }))).toBe('refused')
  await add('The tax is due.')
  await store.settings.patch({ memory: true })
  expect(await memories.recall('tax')).toHaveLength(1)
  await memories.close()
})

test('preferences of manner come with any question, and last; others only where they fit', async () => {
  const { memories, add } = await open()
  await add('Answer in short sentences.', 'preference')
  await add('Prefers museum visits on Mondays.', 'preference')
  await add('The rent is due.')
  const texts = async (question: string): Promise<string[]> => (await memories.recall(question)).map((memory) => memory.text)
  expect(await texts('What of my lease?')).toEqual(['The rent is due.', 'Answer in short sentences.'])
  expect(await texts('Who was Napoleon?')).toEqual(['Answer in short sentences.'])
  expect(await memories.recall('Who was Napoleon?', { manner: false })).toEqual([])
  await memories.close()
})

test('the list is paged, newest first, and found by its words in either script of Chinese', async () => {
  const { memories, add } = await open()
  for (let index = 0; index < 5; index++) await add(`Fact number ${index}`)
  await add('喜歡圖書館')
  const { total, memories: shown } = memories.list({ offset: 1, limit: 2 })
  expect([total, ...shown.map((memory) => memory.text)]).toEqual([6, 'Fact number 4', 'Fact number 3'])
  expect(memories.list({ text: '图书馆', ...page }).memories.map((memory) => memory.text)).toEqual(['喜歡圖書館'])
  expect(memories.list({ text: 'NUMBER', offset: 3, limit: 9 })).toMatchObject({
    total: 5,
    memories: [{ text: 'Fact number 1' }, { text: 'Fact number 0' }],
  })
  expect(memories.list({ text: '%', ...page }).total).toBe(0)
  await memories.close()
})

test('exported memories come back in another library; those that are there are not doubled', async () => {
  const from = await open()
  await from.add('The rent is due.', 'fact', { from: 'chat', chatId: 'c', turnId: 't' })
  await from.add('Likes tea.', 'preference')
  const { json, fileName } = from.memories.exportJson()
  expect(fileName).toMatch(/^siku-memories-\d{4}-\d\d-\d\d\.json$/)
  const to = await open()
  await to.add('likes TEA')
  expect(await to.memories.importJson(json)).toBe(1)
  expect(await to.memories.importJson(json)).toBe(0)
  const [rent] = to.memories.list({ text: 'rent', ...page }).memories
  expect(rent).toMatchObject({ text: 'The rent is due.', kind: 'fact', source: { from: 'import', chatId: null, turnId: null } })
  expect(await to.memories.recall('租金')).toHaveLength(1)
  await from.memories.close()
  await to.memories.close()
})

test('a file that is not right in every part changes nothing and says where', async () => {
  const { memories, add, texts } = await open()
  await add('Likes tea.')
  const { json } = memories.exportJson()
  const good = JSON.parse(json) as { memories: Memory[] }
  const with_ = (change: Partial<Record<keyof Memory, unknown>>): string =>
    JSON.stringify({
      ...good,
      memories: [
        { ...good.memories[0], text: 'New.' },
        { ...good.memories[0], ...change },
      ],
    })
  const bad = [
    json.slice(0, -20),
    'null',
    '[]',
    '{"format":"siku-chat","version":1}',
    with_({ text: '' }),
    with_({ text: 'x'.repeat(2000) }),
    with_({ text: '\u200b' }),
    with_({ kind: 'order' }),
    with_({ createdAt: 1e300 }),
    with_({ uses: -1 }),
  ]
  for (const each of bad) expect(await codeOf(memories.importJson(each))).toBe('bad-input')
  await expect(memories.importJson(with_({ kind: 'order' }))).rejects.toThrow('something else was expected at memories.1.kind')
  const newer: unknown = await memories.importJson('{"format":"siku-memories","version":2,"facts":{}}').catch((error: unknown) => error)
  expect(newer).toMatchObject({ code: 'bad-input', reason: { code: 'file-newer' } })
  expect(problemText(newer as SikuError, 'zh')).toEqual({ message: '这个文件由更新版本的四库写成。', hint: '请升级四库后再导入。' })
  expect(texts()).toEqual(['Likes tea.'])
  await memories.close()
})

test('a memory outlives its chat, which is then no longer named, and is named again when restored', async () => {
  const { store, memories, add } = await open()
  await store.chats.create({ id: 'c', title: 'Chat', scope: {}, at: 1 })
  const { id } = await add('The rent is due.', 'fact', { from: 'chat', chatId: 'c', turnId: 't' })
  await store.chats.remove('c')
  expect(memories.get(id)?.source).toEqual({ from: 'chat', chatId: null, turnId: null })
  await store.chats.restore('c')
  expect(memories.get(id)?.source).toEqual({ from: 'chat', chatId: 'c', turnId: 't' })
  await memories.close()
})

test('a library that another program writes: its new memories are seen, nothing is written', async () => {
  const writer = await open()
  await writer.add('The rent is due.')
  await writer.memories.whenIdle()
  const store = await stores.open(writer.dataDir, { readOnly: true })
  const reading = createMemories({
    deps: { now: () => 1, newId: randomUUID, log: () => undefined, dataDir: writer.dataDir, resourcesDir: '' },
    store,
    embedder: () => writer.embedder,
  })
  expect(await reading.recall('租金')).toHaveLength(1)
  await writer.add('The museum opens at ten.')
  await writer.memories.whenIdle()
  expect(await reading.recall('绘画')).toHaveLength(1)
  expect(await codeOf(reading.add({ text: 'x', kind: 'fact', source: byUser }))).toBe('read-only')
  await reading.close()
  await writer.memories.close()
})
