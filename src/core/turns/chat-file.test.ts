import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRows, testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { chatFileSchema, type Chat, type ChatFile, type Turn } from '../../contract/answer.ts'
import { emptyTurn } from '../../contract/empty-turn.ts'
import { SikuError } from '../../contract/errors.ts'
import { messageSchema, type Message } from '../../contract/message.ts'
import { readChatFile, writeChatFile } from './chat-file.ts'
import { plainTitle } from './place-text.ts'
import { createTurns } from './turns.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await testStores()
})
afterAll(() => stores.close())

const words = fc.string({ unit: 'binary', maxLength: 40 })
const name = fc.string({ minLength: 1, maxLength: 12 })
const whole = fc.nat(1_000_000)
const place = fc.constantFrom(
  { kind: 'page' as const, page: 3 },
  { kind: 'lines' as const, from: 1, to: 9 },
  { kind: 'section' as const, heading: ['Lease'], from: 1, to: 2 },
)
/** A key `__proto__` is dropped wherever JSON is checked. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !text.includes('__proto__'))
  .map((text) => JSON.parse(text) as Message['toolCalls'])

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: words, timestamp: whole }) as fc.Arbitrary<Message>,
  fc.record({
    role: fc.constant('user'),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text: words }),
        fc.record(
          { type: fc.constantFrom('image', 'audio'), mediaType: name, data: fc.base64String(), name },
          { requiredKeys: ['type', 'mediaType', 'data'] },
        ),
        fc.record(
          { type: fc.constant('document'), name, text: words, documentId: whole, place },
          { requiredKeys: ['type', 'name', 'text'] },
        ),
      ),
      { maxLength: 4 },
    ),
  }) as fc.Arbitrary<Message>,
  fc.record({
    role: fc.constant('assistant'),
    content: words,
    thinking: words,
    toolCalls: fc.array(fc.record({ id: name, name, arguments: json }), { maxLength: 3 }),
    metadata: fc.record({ elapsedMs: whole, model: fc.record({ providerId: name, model: name }) }),
  }) as unknown as fc.Arbitrary<Message>,
  fc.record({
    role: fc.constant('tool'),
    content: words,
    name: fc.constant('search_library'),
    toolCallId: name,
    metadata: fc.record({ status: name }),
  }) as fc.Arbitrary<Message>,
)

const turn = fc
  .record({
    id: fc.uuid(),
    question: words,
    mode: fc.constantFrom('answer' as const, 'agent' as const),
    askedAt: whole,
    outcome: fc.constantFrom('answered' as const, 'failed' as const, 'incomplete' as const, 'stopped' as const),
    answer: words,
    thinking: words,
    sentences: fc.array(fc.record({ text: words, citations: fc.array(whole), supported: fc.boolean() }), { maxLength: 2 }),
    citations: fc.array(
      fc.record({
        marker: fc.integer({ min: 1, max: 9 }),
        path: words,
        place,
        quote: words,
        documentId: whole,
        passageId: whole,
        contentHash: name,
      }),
      { maxLength: 2 },
    ),
    notes: fc.array(fc.record({ code: fc.constantFrom('step-limit' as const, 'history-cut' as const), message: words, count: whole }), {
      maxLength: 2,
    }),
    plan: fc.array(fc.record({ text: words, state: fc.constantFrom('open' as const, 'done' as const) }), { maxLength: 2 }),
    calls: fc.array(
      fc.record({
        callId: name,
        tool: fc.constant('calculate'),
        line: words,
        arguments: json as fc.Arbitrary<never>,
        access: fc.constantFrom('read' as const, null),
        parentCallId: fc.constantFrom(null, 'a'),
        limitMs: fc.integer({ min: 1 }),
        status: fc.constantFrom('ok' as const, 'refused' as const),
        elapsedMs: whole,
        result: words,
        cutFrom: fc.constantFrom(null, 7),
        decision: fc.constantFrom(null, 'once' as const),
      }),
      { maxLength: 2 },
    ),
    attachments: fc.array(fc.record({ name, mediaType: words }), { maxLength: 2 }),
    follows: fc.constantFrom(undefined, null, 0, 1),
    messages: fc.array(message, { maxLength: 4 }),
  })
  .map(({ messages, follows, ...given }) => ({
    follows,
    turn: { ...emptyTurn({ ...given, chatId: 'chat', ordinal: 0, model: null }), ...given } as Turn,
    messages,
  }))

const wholeChat = fc
  .record({
    title: words.map((text) => plainTitle(text) || 'x'),
    createdAt: whole,
    scope: fc.record({ folderIds: fc.array(whole, { maxLength: 2 }), pathPrefix: words }, { requiredKeys: [] }),
    agent: fc.option(fc.record({ name: words, system: words, tools: fc.option(fc.array(name)), memory: fc.boolean() })),
    turns: fc.uniqueArray(turn, { minLength: 1, maxLength: 4, selector: (each) => each.turn.id }),
  })
  .map(({ turns, ...rest }) => {
    const history = turns.map((each, ordinal): Turn => {
      const { follows } = each
      const parentId = typeof follows === 'number' ? turns[Math.min(follows, ordinal - 1)]?.turn.id : follows
      return { ...each.turn, ordinal: ordinal * 2, ...(parentId === undefined ? {} : { parentId }) }
    })
    const chat: Chat = { ...rest, id: 'chat', pinned: true, updatedAt: rest.createdAt, turns: history.length, history }
    return { chat, messages: new Map(turns.map((each) => [each.turn.id, each.messages])) }
  })

/** Without what an import makes anew: ids, the date of the last change, the mark that it was imported. */
function comparable(json: string): unknown {
  const { chat, messages } = JSON.parse(json) as ChatFile
  const { id: _id, updatedAt: _at, history, agent, ...rest } = chat
  const { imported: _seen, ...profile } = agent ?? {}
  return {
    ...rest,
    agent: agent === null ? null : profile,
    history: history.map(({ id, chatId: _chat, imported: _imported, parentId, ...each }) => ({
      ...each,
      parent: typeof parentId === 'string' ? history.findIndex((other) => other.id === parentId) : parentId,
      messages: messages[id] ?? [],
    })),
  }
}

test('a plain title stays as it is when it is made plain again', () => {
  for (const title of ['! \u200e !', ' a \u202e\u0007 b ', 'x\u2028\ny']) expect(plainTitle(plainTitle(title))).toBe(plainTitle(title))
  expect(plainTitle('! \u200e !')).toBe('! !')
})

test('whatever a chat holds, a file of it read and written again says the same', () => {
  fc.assert(
    fc.property(wholeChat, ({ chat, messages }) => {
      const first = writeChatFile(chat, (id) => messages.get(id) ?? []).json
      expect(() => chatFileSchema.parse(JSON.parse(first))).not.toThrow()
      const read = readChatFile(first, randomUUID, 5)
      expect(read.chat.id).not.toBe('chat')
      for (const { id, chatId } of read.chat.history) expect([messages.has(id), chatId]).toEqual([false, read.chat.id])
      const second = writeChatFile(read.chat, (id) => read.messages[id] ?? []).json
      expect(comparable(second)).toEqual(comparable(first))
    }),
    { numRuns: 150 },
  )
})

async function open() {
  const store = await stores.open(stores.newDir())
  const refuse = (): Promise<void> => Promise.reject(new Error('nothing is asked here'))
  const turns = createTurns({
    deps: { now: Date.now, newId: randomUUID, log: () => undefined },
    store,
    runners: { answer: refuse, agent: refuse },
  })
  return { store, turns }
}

test('through the store as well: whole chats, any text, twice over, beside the chat they came from', async () => {
  const { store, turns } = await open()
  let imported = 0
  await fc.assert(
    fc.asyncProperty(wholeChat, async ({ chat, messages }) => {
      const file = writeChatFile(chat, (id) => messages.get(id) ?? []).json
      const first = await turns.importJson(file)
      const exported = turns.exportJson(first.chatId).json
      expect(comparable(exported)).toEqual(comparable(file))
      const second = await turns.importJson(exported)
      expect(comparable(turns.exportJson(second.chatId).json)).toEqual(comparable(file))
      for (const each of store.chats.get(second.chatId)?.history ?? []) expect(store.chats.turn(each.id)).toEqual(each)
      imported += 2
    }),
    { numRuns: 25 },
  )
  expect(store.chats.list()).toHaveLength(imported)
})

const aTurn: Turn = { ...emptyTurn({ id: 't', chatId: 'c', ordinal: 0, question: 'q', askedAt: 1, model: null }), answer: 'so f' }
const aChat: Chat = {
  id: 'c',
  title: 'A chat',
  createdAt: 1,
  updatedAt: 1,
  turns: 1,
  pinned: false,
  scope: {},
  agent: null,
  history: [aTurn],
}

test('a turn that still ran becomes a stopped one, with the text it had', async () => {
  const { store, turns } = await open()
  const { chatId } = await turns.importJson(writeChatFile(aChat, () => []).json)
  expect(store.chats.get(chatId)?.history).toMatchObject([{ outcome: 'stopped', answer: 'so f', chatId, imported: true }])
})

test('an agent comes in as one that the user has not seen, a running call as a cancelled one, a title as one plain line', async () => {
  const { store, turns } = await open()
  const agent = { name: 'Root', system: 'Obey me.', tools: null, memory: true }
  const call = { callId: 'k', tool: 'echo', line: 'echo', arguments: {}, access: 'read' as const, parentCallId: null }
  const running = { ...call, status: 'running' as const, elapsedMs: 0, result: '', cutFrom: null, decision: null }
  const title = 'Rent\u202e fdp.exe\u0007\u0000\nof 2024'
  const chat = { ...aChat, agent, title, history: [{ ...aTurn, calls: [running] }] }
  const { chatId } = await turns.importJson(writeChatFile(chat, () => []).json)
  const read = store.chats.get(chatId)
  expect(read).toMatchObject({ title: 'Rent fdp.exe of 2024', agent: { ...agent, imported: true } })
  expect(read?.history[0]?.calls.map(({ status }) => status)).toEqual(['cancelled'])
  expect(writeChatFile({ ...aChat, title }, () => []).fileName).toBe('Rent fdp.exe of 2024.json')
})

test('a turn that claims to follow one that is not there, itself or a later one is refused', () => {
  const two = { ...aTurn, id: 'u', ordinal: 1 }
  for (const [parentId, history] of [
    ['gone', [aTurn, two]],
    ['t', [{ ...aTurn, parentId: 't' }]],
    ['u', [{ ...aTurn, parentId: 'u' }, two]],
  ] as const) {
    const turns = history.map((turn) => (turn.id === 'u' ? { ...turn, ...(parentId === 'gone' ? { parentId } : {}) } : turn))
    const { json } = writeChatFile({ ...aChat, history: turns }, () => [])
    expect(() => readChatFile(json, randomUUID, 5)).toThrow(/parentId/)
  }
})

test('memories do not leave with a chat: neither those a turn was given nor those it looked up', () => {
  const secret = 'The user has the flu.'
  const call = {
    callId: 'k',
    tool: 'recall',
    line: 'recall',
    arguments: {},
    access: 'read' as const,
    parentCallId: null,
    status: 'ok' as const,
    elapsedMs: 1,
    result: secret,
    cutFrom: 9,
    decision: null,
  }
  const chat = { ...aChat, history: [{ ...aTurn, memories: [{ id: 'm', text: secret }], calls: [call] }] }
  const told = writeChatFile(chat, () => [messageSchema.parse({ role: 'tool', name: 'recall', toolCallId: 'k', content: secret })]).json
  expect(told).not.toContain('flu')
  expect(readChatFile(told, randomUUID, 1).chat.history[0]?.calls).toHaveLength(1)
})

test('a file that is cut, hostile or of something else gives an error that says why, and nothing is stored', async () => {
  const { store, turns } = await open()
  const good = JSON.parse(writeChatFile(aChat, () => [{ role: 'user', content: 'q' }]).json) as ChatFile
  const with_ = (change: (file: ChatFile) => unknown): string => {
    const file = structuredClone(good)
    change(file)
    return JSON.stringify(file)
  }
  const whole = JSON.stringify(good)
  const files: [string, string][] = [
    ['', 'cut off'],
    [whole.slice(0, -1), 'cut off'],
    [whole.slice(0, whole.length / 2), 'cut off'],
    ['null', 'chat'],
    ['[]', 'chat'],
    ['{"format":"siku-memories","version":1,"memories":[]}', 'format'],
    [with_((file) => ((file as { version: number }).version = 2)), 'newer Siku'],
    [with_((file) => file.chat.history.push(file.chat.history[0]!)), 'same id'],
    [with_((file) => file.chat.history.push({ ...file.chat.history[0]!, id: 'u' })), 'order'],
    [with_((file) => (file.chat.history[0]!.ordinal = -1)), 'order'],
    [with_((file) => (file.messages['other'] = [])), 'not in it'],
    [with_((file) => (file.messages['t']![0]!.role = 'root' as 'user')), 'messages.t.0.role'],
    [with_((file) => (file.chat.createdAt = 1e300)), 'time'],
    [with_((file) => ((file.chat as { title: unknown }).title = { toString: 'x' })), 'chat.title'],
    [whole.replace('"scope":{}', `"scope":${'['.repeat(5000)}${']'.repeat(5000)}`), 'deeply'],
    [whole.replace('"t":[', '"__proto__":['), ''],
  ]
  for (const [file, why] of files) {
    const error: unknown = await turns.importJson(file).then(
      () => `imported: ${file.slice(0, 200)}`,
      (problem: unknown) => problem,
    )
    expect(error).toBeInstanceOf(SikuError)
    expect(error).toMatchObject({ code: 'bad-input', message: expect.stringContaining(why) as string })
    // The validator's words are no person's.
    expect((error as SikuError).message).not.toMatch(/invalid (?:input|option)|expected \w+, received/i)
  }
  expect(['chats', 'turns', 'messages'].map((table) => countRows(store, table))).toEqual([0, 0, 0])
  expect(() => turns.exportJson('none')).toThrow(SikuError)
})
