import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { collect, openAnswers, textOf, type TestAnswers } from '../../../test/fakes/answers.ts'
import { refusedAddress, startOllama, type OllamaServer, type OllamaServerOptions } from '../../../test/fakes/ollama-server.ts'
import { testStores, type TestStores } from '../../../test/fixtures/open-test-store.ts'
import { turnEventSchema, turnSchema } from '../../contract/answer.ts'

const lease = 'The rent is 4,200 yuan a month. The lease ends on 31 March 2027. The deposit is 8,400 yuan.'
const meeting = 'The meeting on 3 May decided to move the office to Hangzhou. Li Wei pays the movers.'
const documents = { 'lease.md': lease, 'meeting.md': meeting }
const question = 'When does the lease end?'
const answerText = 'The lease ends on 31 March 2027 [1].'

let stores: TestStores
const open: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  stores = await testStores()
})
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})
afterAll(() => stores.close())

function kept<T extends { close(): Promise<unknown> }>(thing: T): T {
  open.push(thing)
  return thing
}

type Options = Omit<Parameters<typeof openAnswers>[1], 'ollama'>

async function begin(server: OllamaServerOptions, options: Options = {}): Promise<TestAnswers & { server: OllamaServer }> {
  const ollama = kept(await startOllama(server))
  return { ...kept(await openAnswers(stores, { ollama: ollama.url, documents, ...options })), server: ollama }
}

async function askAll({ answers }: TestAnswers, request: Parameters<TestAnswers['answers']['ask']>[0]) {
  const ids = await answers.ask(request)
  const events = await collect(answers.watch(ids.turnId))
  return { ...ids, events, text: textOf(events), end: events.at(-1), types: events.map((event) => event.type) }
}

test('an answer streams with its steps and sources, is checked, stored once, and told again the same', async () => {
  const home = await begin({ chat: [{ thinking: 'let me see', text: answerText }] })
  const asked = await askAll(home, { question })
  expect(asked.text).toBe(answerText)
  for (const event of asked.events) turnEventSchema.parse(event)
  const order = [
    'turn-start',
    'sources',
    'context-use',
    'thinking-start',
    'thinking-end',
    'text-start',
    'text-end',
    'answer-checked',
    'turn-end',
  ]
  expect(asked.types.filter((type, index) => order.includes(type) && asked.types.indexOf(type) === index)).toEqual(order)
  expect(asked.end).toMatchObject({
    type: 'turn-end',
    outcome: 'answered',
    error: null,
    usage: { promptTokens: expect.any(Number) as number },
  })
  const turn = turnSchema.parse(home.store.chats.turn(asked.turnId))
  expect(turn).toMatchObject({ outcome: 'answered', answer: answerText, thinking: 'let me see', model: { model: 'qwen-fake:4b' } })
  expect(turn.citations).toMatchObject([{ marker: 1, place: { kind: 'lines', from: 1 } }])
  expect(lease).toContain(turn.citations[0]?.quote)
  expect(turn.sentences[0]).toMatchObject({ citations: [1], supported: true })
  expect(home.store.chats.get(asked.chatId)).toMatchObject({ title: question, turns: 1 })
})

test('a question goes to the model with its passages as data and its window', async () => {
  const home = await begin({ chat: [{ text: answerText }] })
  await askAll(home, { question })
  const [sent] = home.server.chats()
  expect(sent?.messages.map((message) => message.role)).toEqual(['system', 'user'])
  expect(sent?.messages[1]?.content).toContain(`<passage number="1" file="lease.md" place="line 1">\n${lease}\n</passage>`)
  expect(sent?.options).toMatchObject({ temperature: 0.1, num_predict: 2048, num_ctx: 4096 })
})

test('stop closes the socket at once, keeps the partial text, and the chat goes on', async () => {
  const home = await begin({
    chat: [
      { text: `The lease ends [1]. ${'more '.repeat(100)}`, delayMs: 20 },
      { text: 'lease deposit' },
      { text: 'It is 8,400 yuan [1].' },
    ],
  })
  const { chatId, turnId } = await home.answers.ask({ question })
  for await (const event of home.answers.watch(turnId)) if (event.type === 'text-delta') break
  await home.answers.stop(turnId)
  await home.server.waitForAborts(1)
  const turn = home.store.chats.turn(turnId)
  expect(turn).toMatchObject({ outcome: 'stopped', error: null })
  expect(turn?.answer).toMatch(/^The/)
  expect((await collect(home.answers.watch(turnId))).at(-1)).toMatchObject({ type: 'turn-end', outcome: 'stopped' })
  expect((await askAll(home, { chatId, question: 'And the deposit?' })).end).toMatchObject({ outcome: 'answered' })
  expect(home.store.chats.get(chatId)?.history.map((each) => each.outcome)).toEqual(['stopped', 'answered'])
})

test('stopping before the first word, while the model is silent or the search runs, ends it as well', async () => {
  const home = await begin({ chat: [{ text: 'late', firstDelayMs: 60_000 }] }, { held: 'deposit' })
  const first = await home.answers.ask({ question })
  await home.server.waitForRequests(1, '/api/chat')
  await home.answers.stop(first.turnId)
  await home.server.waitForAborts(1)
  const second = await home.answers.ask({ question: 'What is the deposit?' })
  await home.answers.stop(second.turnId)
  for (const { turnId } of [first, second])
    expect(home.store.chats.turn(turnId)).toMatchObject({ outcome: 'stopped', answer: '', error: null })
})

test('leaving a watch stops nothing, and joining again gives the rest', async () => {
  const home = await begin({ chat: [{ text: answerText, delayMs: 10 }] })
  const { turnId } = await home.answers.ask({ question })
  for await (const event of home.answers.watch(turnId)) if (event.type === 'text-delta') break
  const controller = new AbortController()
  controller.abort()
  expect(await collect(home.answers.watch(turnId, 0, controller.signal))).toEqual([])
  const events = await collect(home.answers.watch(turnId, 2))
  expect(events[0]?.seq).toBe(2)
  expect(textOf(events)).toBe(answerText)
  expect(home.server.abortedRequests).toBe(0)
})

test('with no model reachable the best sentences are cited, and said to be that', async () => {
  const home = kept(await openAnswers(stores, { ollama: await refusedAddress(), documents }))
  const asked = await askAll(home, { question })
  expect(asked.end).toMatchObject({ outcome: 'extractive', error: null })
  expect(asked.text).toContain('31 March 2027')
  const turn = home.store.chats.turn(asked.turnId)
  expect(turn?.notes.map((note) => note.code)).toEqual(['no-model'])
  expect(turn?.citations[0]?.marker).toBe(1)
  const followed = await askAll(home, { chatId: asked.chatId, question: 'And the rent?' })
  expect(followed.types.filter((type) => type === 'step-start').length).toBe(3)
  expect(home.queries).toEqual([question, `${question}\nAnd the rent?`])
})

test('a model that was named and does not answer leads to the best sentences and says why', async () => {
  const home = await begin({
    chat: [{ refuse: { status: 500, error: 'model requires more system memory (9 GiB)' } }, { thinking: 'only thoughts' }],
  })
  for (const why of ['more system memory', 'gave no answer']) {
    const asked = await askAll(home, { question, model: { providerId: 'ollama', model: 'qwen-fake:4b' } })
    expect(asked.end).toMatchObject({
      outcome: 'extractive',
      error: { code: 'model-call', message: expect.stringContaining(why) as string },
    })
    expect(home.store.chats.turn(asked.turnId)?.notes[0]).toMatchObject({ code: 'model-failed' })
    expect(asked.text).toContain('31 March 2027')
  }
  const unknown = await askAll(home, { question, model: { providerId: 'nobody', model: 'x' } })
  expect(unknown.end).toMatchObject({ outcome: 'extractive', error: { code: 'model-config' } })
})

test.each(['cut', 'error'] as const)(
  'a stream that ends with “%s” after text keeps the text and fails, with no second answer below it',
  async (ends) => {
    const home = await begin({ chat: [{ text: 'The lease ends on [1]', ends }] })
    const asked = await askAll(home, { question })
    expect(asked.end).toMatchObject({ outcome: 'failed', error: { code: 'model-call', retryable: true } })
    expect(home.store.chats.turn(asked.turnId)).toMatchObject({ answer: 'The lease ends on [1]', outcome: 'failed' })
  },
)

test('thoughts whose end alone came are withdrawn from the answer', async () => {
  const home = await begin({ chat: [{ text: `The lease is asked for.</think>${answerText}` }] })
  const { turnId, types } = await askAll(home, { question })
  expect(types).toContain('text-reset')
  const turn = home.store.chats.turn(turnId)
  expect(turn).toMatchObject({ answer: answerText, thinking: 'The lease is asked for.' })
})

test('an answer that ends without an end is kept, and said to be perhaps not whole', async () => {
  const { end, events, text } = await askAll(await begin({ chat: [{ text: answerText, ends: 'no-done' }] }), { question })
  expect([text, end]).toMatchObject([answerText, { outcome: 'answered' }])
  expect(events.filter((event) => event.type === 'note' && event.note.code === 'cut-off')).toHaveLength(1)
})

test('when nothing in the library answers, that note comes first, with the nearest passages, and no model is asked', async () => {
  const home = await begin({ chat: [{ text: 'The library does not contain it.' }] }, { weak: true })
  const asked = await askAll(home, { question: 'Who won the chess match?' })
  expect(asked.end).toMatchObject({ outcome: 'not-found' })
  expect(asked.text).toMatch(/^Nothing in the library[^]*\n- The rent is 4,200/)
  const turn = home.store.chats.turn(asked.turnId)
  expect(turn?.notes.map((note) => note.code)).toEqual(['not-in-library'])
  expect(turn?.citations.map((citation) => citation.quote)).toEqual([lease, meeting])
  expect(home.server.chats()).toEqual([])
  const anyway = await askAll(home, { question: 'Who won the chess match?', anyway: true })
  expect(anyway.end).toMatchObject({ outcome: 'answered' })
  expect(anyway.types.indexOf('note')).toBeLessThan(anyway.types.indexOf('text-start'))
  const chinese = await askAll(home, { question: '谁赢了象棋比赛？' })
  expect(chinese.text).toMatch(/^文库里/)
})

test('a quoted passage’s own headings and references are not taken for those of the answer', async () => {
  const paper = { 'paper.md': '# Results\n\nThe lease model of Smith [12] ends in 2027 [3, 4].' }
  const home = kept(await openAnswers(stores, { ollama: await refusedAddress(), documents: paper }))
  const asked = await askAll(home, { question })
  expect(asked.text).toMatch(/^The lease model of Smith \[\u206012\] ends in 2027 \[\u20603, 4\]\. \[1\]/)
  const [sentence] = home.store.chats.turn(asked.turnId)?.sentences ?? []
  expect(sentence).toMatchObject({ text: 'The lease model of Smith [12] ends in 2027 [3, 4].', citations: [1], supported: true })
  expect(asked.text).not.toContain('#')
  const weak = kept(await openAnswers(stores, { ollama: await refusedAddress(), documents: paper, weak: true }))
  const nearest = await askAll(weak, { question: 'Who won?' })
  expect(nearest.text).toMatch(/\n- The lease model of Smith \[\u206012\] ends in 2027 \[\u20603, 4\]\. \[1\]$/)
  expect(weak.store.chats.turn(nearest.turnId)?.citations).toMatchObject([{ marker: 1, quote: paper['paper.md'] }])
})

test('an answer across languages is checked by words when its meaning cannot be had just now', async () => {
  const home = await begin({ chat: [{ text: '租约于2027年3月31日结束【1】。' }] })
  const asked = await askAll(home, { question: '租约什么时候结束？' })
  expect(asked.end).toMatchObject({ outcome: 'answered' })
  expect(asked.text).toBe('租约于2027年3月31日结束[1]。')
  expect(home.store.chats.turn(asked.turnId)?.citations).toMatchObject([{ marker: 1 }])
})

test('an empty library says so instead of an empty answer', async () => {
  const home = await begin({}, { documents: {} })
  const asked = await askAll(home, { question })
  expect(asked.end).toMatchObject({ outcome: 'not-found' })
  expect(asked.text).toContain('No passage')
})

test('a follow-up is made self-contained by one short call, shown as a step, and searched so', async () => {
  const home = await begin({
    chat: [{ text: answerText }, { text: 'What is the deposit of the lease?\nBecause it was asked.' }, { text: 'It is 8,400 yuan [1].' }],
  })
  const first = await askAll(home, { question })
  const second = await askAll(home, { chatId: first.chatId, question: 'And the deposit?' })
  expect(home.queries).toEqual([question, 'What is the deposit of the lease?'])
  expect(second.events).toContainEqual(
    expect.objectContaining({ type: 'step-end', kind: 'rewrite', detail: 'What is the deposit of the lease?' }),
  )
  const [, rewrite, final] = home.server.chats()
  expect(rewrite?.options?.num_predict).toBeLessThanOrEqual(128)
  expect(final?.messages.map((message) => message.content.replace(/[^]*Question/, 'Question'))).toEqual([
    expect.stringContaining('You answer') as string,
    question,
    'The lease ends on 31 March 2027.',
    'Question: And the deposit?',
  ])
})

test('the same question asked again, or anyway, does not follow on itself', async () => {
  const home = await begin({ chat: [{ text: 'I do not know.' }, { text: 'Still not.' }] }, { weak: true })
  const first = await askAll(home, { question })
  await askAll(home, { chatId: first.chatId, question, anyway: true })
  await askAll(home, { chatId: first.chatId, question, anyway: true })
  expect(home.queries).toEqual([question, question, question])
  expect(home.server.chats().map((body) => body.messages.length)).toEqual([2, 2])
})

test('a rewriting that fails searches both questions together', async () => {
  const home = await begin({ chat: [{ text: answerText }, { refuse: { status: 500, error: 'oops' } }, { text: 'It is 8,400 yuan [1].' }] })
  const first = await askAll(home, { question })
  await askAll(home, { chatId: first.chatId, question: 'And the deposit?' })
  expect(home.queries[1]).toBe(`${question}\nAnd the deposit?`)
})

test('markers to nothing are taken out of the stream, counted and told', async () => {
  const home = await begin({ chat: [{ text: ['It ends in 2027 ', '[', '1', ', 9', '] and', ' so on [', '7].'] }] })
  const asked = await askAll(home, { question })
  expect(asked.text).toBe('It ends in 2027 [1] and so on.')
  expect(asked.events).toContainEqual(expect.objectContaining({ type: 'answer-checked', droppedMarkers: 2 }))
  expect(home.store.chats.turn(asked.turnId)?.notes).toMatchObject([{ code: 'markers-dropped', count: 2 }])
})

test('a long chat over many passages never makes an old server cut, and what was left out is said', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10 }, (_value, index) => [`${index}.md`, `Passage ${index}. ${'some words of it '.repeat(80)}`]),
  )
  const home = await begin(
    {
      old: true,
      models: [{ name: 'small:3b', contextLength: 4096 }],
      chat: (body) => ({
        text:
          body.options?.num_predict === 128
            ? 'A question about passages?'
            : `${Array.from({ length: 300 }, (_value, at) => `long answer ${at}`).join(' ')} [1]`,
      }),
    },
    { documents: many },
  )
  let chatId: string | undefined
  const codes = new Set<string>()
  for (let index = 0; index < 6; index += 1) {
    const asked = await askAll(home, {
      question: `Question ${index}? ${'with many words '.repeat(20)}`,
      ...(chatId === undefined ? {} : { chatId }),
    })
    chatId = asked.chatId
    expect(asked.end).toMatchObject({ outcome: 'answered' })
    for (const note of home.store.chats.turn(asked.turnId)?.notes ?? []) codes.add(note.code)
  }
  expect(home.server.cuts).toEqual([])
  expect([...codes].sort()).toEqual(['history-cut', 'passages-left-out'])
  for (const body of home.server.chats()) expect(body.messages[0]?.role).toBe('system')
})

test('a server whose window is smaller than it says is planned for again before any text', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10 }, (_value, index) => [`${index}.md`, `Passage ${index}. ${'some words of it '.repeat(110)}`]),
  )
  const home = await begin({ contextLimit: 4096, chat: () => ({ text: 'Yes [1].' }) }, { documents: many })
  const asked = await askAll(home, { question })
  expect(asked.end).toMatchObject({ outcome: 'answered' })
  expect(home.server.cuts).toEqual([])
})

test('closing ends what runs as stopped and keeps its text; the next start finds nothing running', async () => {
  const home = await begin({ chat: [{ text: 'one two three four five six seven', delayMs: 30 }] })
  const { turnId } = await home.answers.ask({ question })
  for await (const event of home.answers.watch(turnId)) if (event.type === 'text-delta') break
  await home.answers.close()
  expect(home.store.chats.turn(turnId)).toMatchObject({ outcome: 'stopped', answer: expect.stringMatching(/^one/) as string })
  await expect(home.answers.ask({ question })).rejects.toMatchObject({ code: 'busy' })
})

test('a kill loses at most the last seconds of an answer', async () => {
  const home = await begin({ chat: [{ text: 'one two three', ends: 'stall' }] })
  const { turnId } = await home.answers.ask({ question })
  await expect.poll(() => home.store.chats.turn(turnId)?.answer, { timeout: 30_000 }).toBe('one two three')
  expect(home.store.chats.turn(turnId)?.outcome).toBeNull()
  await home.answers.recover()
  expect(home.store.chats.turn(turnId)).toMatchObject({ outcome: 'stopped', answer: 'one two three' })
})

test('one question of a chat at a time; a chat that is not there is refused', async () => {
  const home = await begin({ chat: [{ text: 'x', ends: 'stall' }, { text: 'y [1]' }] })
  const { chatId } = await home.answers.ask({ question })
  await expect(home.answers.ask({ chatId, question: 'again?' })).rejects.toMatchObject({ code: 'busy', retryable: true })
  await home.server.waitForRequests(1, '/api/chat')
  expect((await askAll(home, { question: 'another chat?' })).end).toMatchObject({ outcome: 'answered' })
  await expect(home.answers.ask({ chatId: 'gone', question })).rejects.toMatchObject({ code: 'not-found' })
  await expect(home.answers.stop('gone')).rejects.toMatchObject({ code: 'not-found' })
})

test('a citation opens what it cited, and says when the document changed or is gone', async () => {
  const home = await begin({ chat: [{ text: answerText }] })
  const { turnId } = await askAll(home, { question })
  const path = home.store.chats.turn(turnId)?.sources[0]?.path ?? ''
  const opened = await home.answers.openCitation(turnId, 1)
  expect(opened).toMatchObject({ state: 'current', documentId: expect.any(Number) as number, citation: { marker: 1, path } })
  // A source that was not cited opens too.
  expect(await home.answers.openCitation(turnId, 2)).toMatchObject({ state: 'current', citation: { quote: meeting } })
  await expect(home.answers.openCitation(turnId, 9)).rejects.toMatchObject({ code: 'not-found' })
  writeFileSync(path, 'The rent was raised.')
  utimesSync(path, 1, 1)
  expect(await home.answers.openCitation(turnId, 1)).toMatchObject({ state: 'changed', citation: opened.citation })
  rmSync(path)
  expect(await home.answers.openCitation(turnId, 1)).toEqual({
    state: 'gone',
    citation: opened.citation,
    documentId: null,
    unreachableSince: null,
  })
})

test('a citation of a folder that is away says since when', async () => {
  const home = await begin({ chat: [{ text: answerText }] })
  const { turnId } = await askAll(home, { question })
  const path = home.store.chats.turn(turnId)?.sources[0]?.path ?? ''
  rmSync(path)
  const [folder] = home.store.folders.list()
  await home.store.folders.setReachable(folder!.id, false)
  const since = home.store.folders.list()[0]!.unreachableSince!
  expect(await home.answers.openCitation(turnId, 1)).toMatchObject({ state: 'unreachable', unreachableSince: since, citation: { path } })
  expect(home.store.documents.list({ offset: 0, limit: 10 }).documents.every((row) => row.unreachableSince === since)).toBe(true)
})

test('a file that was deleted a moment ago is not cited', async () => {
  const home = await begin({ chat: [{ text: answerText }, { text: 'Hangzhou [1].' }] })
  const first = await askAll(home, { question })
  rmSync(home.store.chats.turn(first.turnId)?.sources[0]?.path ?? '')
  const second = await askAll(home, { question: 'Where to?' })
  expect(home.store.chats.turn(second.turnId)?.sources.map((source) => source.text)).toEqual([meeting])
})

test('a library that is open for reading only answers without storing, and its chats last as long as it', async () => {
  const dataDir = stores.newDir()
  const writer = await begin({}, { dataDir })
  const ollama = kept(await startOllama({ chat: [{ text: 'Nothing.' }] }))
  const reading = kept(await openAnswers(stores, { ollama: ollama.url, dataDir, readOnly: true }))
  const asked = await askAll(reading, { question, anyway: true })
  expect(asked.end).toMatchObject({ outcome: 'answered' })
  expect(writer.store.chats.list()).toEqual([])
})

test('a chat is exported with its notes and citations', async () => {
  const home = await begin({ chat: [{ text: answerText }] })
  const { chatId } = await askAll(home, { question: 'When does the lease end? / a\\b' })
  const { fileName, markdown } = home.answers.exportMarkdown(chatId)
  expect(fileName).toBe('When does the lease end a b.md')
  expect(markdown).toMatch(/^# When does[^]*qwen-fake:4b[^]*31 March 2027 \[1\]\.[^]*- \[1\] lease\.md, line 1: “/)
})
