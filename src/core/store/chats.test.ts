import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseSync } from '@photostructure/sqlite'
import { join } from 'node:path'
import type { Turn } from '../../contract/answer.ts'
import { emptyTurn } from '../../contract/empty-turn.ts'
import { settingsSchema } from '../../contract/settings.ts'
import { migrations, prepareDatabase } from './migrate.ts'
import { testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

function makeTurn(id: string, ordinal: number, more: Partial<Turn> = {}): Turn {
  const turn = emptyTurn({ id, chatId: 'chat', ordinal, question: `question ${ordinal}`, askedAt: ordinal, model: null })
  return { ...turn, outcome: 'answered', answer: 'an answer', ...more }
}

test('a chat comes back as it was stored, after a restart; a turn that a kill cut off keeps its text and is stopped', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await store.chats.create({ id: 'chat', title: 'Rent', scope: { kinds: ['pdf'] }, at: 5 })
  await store.chats.saveTurn(makeTurn('one', 0, { outcome: null, answer: 'half' }))
  await store.chats.saveTurn(makeTurn('one', 0))
  await store.chats.saveTurn(makeTurn('two', 1, { outcome: null, answer: '租金是' }))
  await store.close()
  const again = await stores.open(dataDir)
  expect(await again.chats.endAbandoned()).toBe(1)
  const chat = again.chats.get('chat')
  expect([chat?.scope, chat?.turns, chat?.history]).toEqual([
    { kinds: ['pdf'] },
    2,
    [makeTurn('one', 0), makeTurn('two', 1, { outcome: 'stopped', answer: '租金是' })],
  ])
})

test('chats are searched by title, question and answer, and a percent sign is only itself', async () => {
  const store = await stores.open(stores.newDir())
  await store.chats.create({ id: 'chat', title: 'Rent', scope: {}, at: 5 })
  await store.chats.create({ id: 'other', title: '100% sure', scope: {}, at: 6 })
  await store.chats.saveTurn(makeTurn('one', 0, { question: 'wie viel', answer: '每月八百' }))
  const found = (text: string) => store.chats.list(text).map(({ id }) => id)
  expect([found('ren'), found('VIEL'), found('八百'), found('%'), found('sentences')]).toEqual([
    ['chat'],
    ['chat'],
    ['chat'],
    ['other'],
    [],
  ])
  const excerpts = (text: string) => store.chats.list(text).map(({ excerpt }) => excerpt)
  expect([excerpts('VIEL'), excerpts('八百'), excerpts('ren')]).toEqual([['wie viel 每月八百'], ['wie viel 每月八百'], [undefined]])
  await store.chats.saveTurn(makeTurn('two', 1, { answer: `${'before '.repeat(30)}the deposit${' after'.repeat(40)}` }))
  const [cut = ''] = excerpts('deposit')
  expect(cut).toMatch(/^…before .*the deposit after .*…$/)
  expect(cut?.length).toBeLessThan(160)
})

test('the chats of an older library are found by what they say, also beside a turn that cannot be understood', async () => {
  const directory = stores.newDir()
  const databasePath = join(directory, 'siku.db')
  await prepareDatabase({ databasePath, at: 0, migrations: migrations.slice(0, 5) })
  const old = new DatabaseSync(databasePath)
  old.exec(`INSERT INTO chats (id, title, created_at, updated_at) VALUES ('chat', 'Rent', 1, 1);
    INSERT INTO turns (id, chat_id, ordinal, question, data, asked_at) VALUES
      ('one', 'chat', 0, 'wie viel', '{"answer":"每月八百"}', 1), ('two', 'chat', 1, 'broken', '{', 1)`)
  old.close()
  const store = await stores.open(directory)
  expect(['viel', '八百', 'broken', 'answer'].map((text) => store.chats.list(text).length)).toEqual([1, 1, 1, 0])
})

test('a pinned chat stands first, also among those that are found, and drafts survive a restart with their attachments', async () => {
  const directory = stores.newDir()
  let store = await stores.open(directory)
  for (const [at, id] of ['old', 'new'].entries()) await store.chats.create({ id, title: `${id} chat`, scope: {}, at })
  const before = store.chats.revision()
  await store.chats.pin('old', true)
  expect(store.chats.revision()).not.toBe(before)
  for (const text of [undefined, 'chat'])
    expect(store.chats.list(text).map(({ id, pinned }) => [id, pinned])).toEqual([
      ['old', true],
      ['new', false],
    ])
  const attachments = [{ name: 'a.txt', mediaType: 'text/plain', data: 'YQ==' }]
  await store.chats.saveDraft('', { text: 'a', scope: {}, attachments })
  await store.chats.saveDraft('', { text: 'a longer one', scope: { folderIds: [3] }, mode: 'agent' })
  await store.chats.saveDraft('old', { text: 'x', scope: {} })
  await store.chats.saveDraft('old', { text: '', scope: {} })
  await store.close()
  store = await stores.open(directory)
  expect(store.chats.draft('')).toEqual({ text: 'a longer one', scope: { folderIds: [3] }, mode: 'agent', attachments })
  expect(store.chats.draft('old')).toBeNull()
  await store.chats.pin('old', false)
  expect(store.chats.list().map(({ id }) => id)).toEqual(['new', 'old'])
})

test('a removed chat can be brought back until the next start', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await store.chats.create({ id: 'chat', title: 'Rent', scope: {}, at: 5 })
  await store.chats.saveTurn(makeTurn('one', 0))
  await store.chats.remove('chat')
  expect([store.chats.list(), store.chats.get('chat')]).toEqual([[], null])
  await store.chats.restore('chat')
  expect(store.chats.get('chat')?.turns).toBe(1)
  await store.chats.remove('chat')
  await store.close()
  const again = await stores.open(dataDir)
  await again.chats.restore('chat')
  expect([again.chats.list(), again.chats.turn('one')]).toEqual([[], null])
})

test('a damaged setting takes its own default, is kept aside and reported; the others stay', async () => {
  const dataDir = stores.newDir()
  const store = await stores.open(dataDir)
  await store.settings.patch({ theme: 'dark', temperature: 0.7, language: 'zh', chatModel: null })
  await store.close()
  const database = new DatabaseSync(join(dataDir, 'siku.db'))
  database.exec(`UPDATE settings SET value = '"hot"' WHERE key = 'temperature'; UPDATE settings SET value = '"da' WHERE key = 'theme'`)
  database.close()
  const logs: string[] = []
  const again = await stores.open(dataDir, { logs })
  expect([again.settings.read(), logs.length]).toEqual([{ ...settingsSchema.parse({}), language: 'zh' }, 2])
  const kept = again.reader.prepare("SELECT substr(key, 1, 15) AS name, value FROM settings WHERE key LIKE 'damaged:%' ORDER BY key").all()
  expect(kept.map((row) => (row as { value: string }).value)).toEqual(['"hot"', '"da'])
  expect((await again.settings.patch({ temperature: 0.3 })).temperature).toBe(0.3)
})

test('contacts add up, and refused ones are counted apart', async () => {
  const store = await stores.open(stores.newDir())
  await store.contacts.note({ host: 'localhost:11434', purpose: 'chat', at: 1, refused: false })
  await store.contacts.note({ host: 'localhost:11434', purpose: 'chat', at: 9, refused: true })
  await store.contacts.note({ host: 'localhost:11434', purpose: 'chat', at: 5, refused: false })
  await store.tokenRates.learn('m', 100, 25)
  await store.tokenRates.learn('m', 50, 10)
  expect([store.contacts.list(), store.tokenRates.read('m'), store.tokenRates.read('n')]).toEqual([
    [{ host: 'localhost:11434', purpose: 'chat', firstAt: 1, lastAt: 9, count: 2, refused: 1 }],
    { characters: 150, tokens: 35 },
    null,
  ])
})
