import { afterEach, expect, test } from 'vitest'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import {
  refusedAddress,
  startOllama,
  type Delivery,
  type OllamaServer,
  type OllamaServerOptions,
} from '../../../test/fakes/ollama-server.ts'
import { startOpenAi } from '../../../test/fakes/openai-server.ts'
import type { ChatModel, ModelEvent } from './models.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function kept<T extends { close(): Promise<unknown> }>(thing: T): T {
  open.push(thing)
  return thing
}

async function withOllama(
  options: OllamaServerOptions = {},
): Promise<{ server: OllamaServer; chat: (name?: string) => Promise<ChatModel>; models: ReturnType<typeof makeModels> }> {
  const server = kept(await startOllama(options))
  const models = kept(makeModels({ providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', address: server.url, hasKey: false }] }))
  const chat = async (name = 'qwen-fake:4b'): Promise<ChatModel> => {
    const model = await models.models.resolve({ providerId: 'ollama', model: name })
    if (model === null) throw new Error('no model')
    return model
  }
  return { server, chat, models }
}

function makeKept(...input: Parameters<typeof makeModels>): ReturnType<typeof makeModels> {
  return kept(makeModels(...input))
}

const ways: Delivery[] = [{ kind: 'whole' }, { kind: 'bytes' }, { kind: 'pieces', sizes: [3, 1000, 77] }, { kind: 'timed', speed: 100 }]

test.each(ways)('a recorded answer is joined the same, sent $kind', async (delivery) => {
  const { server, chat } = await withOllama()
  const model = await chat()
  const { body } = server.replay('chat_stream_timed', delivery)
  const expected = body
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: { content: string } }).message.content)
    .join('')
  const heard = await hear(model)
  expect(heard.text).toBe(expected)
  expect(heard.last).toMatchObject({
    type: 'end',
    reason: expect.stringMatching(/stop|length/) as string,
    usage: { promptTokens: expect.any(Number) as number },
  })
  expect(heard.events.filter((event) => event.type === 'warning')).toEqual([])
})

test.each([
  ['think_stream_think', /^The user asks/, /^The sum of .* \d+\.$/],
  ['think_stream_native-think', /\w/, /\w/],
  // The server left literal tags in the content.
  ['think_false_think', /^The user asks/, /^[^<]*$/],
])('%s: thoughts are kept apart, byte by byte', async (name, thinking, text) => {
  const { server, chat } = await withOllama()
  const model = await chat()
  server.replay(name, { kind: 'bytes' })
  const heard = await hear(model)
  expect(heard.thinking).toMatch(thinking)
  expect(heard.text).toMatch(text)
  expect(heard.text).not.toMatch(/think>/)
})

test.each([
  [
    'chat_tools_two_rendered',
    [
      { id: 'call_6z6icgnq', name: 'get_current_time', arguments: { timezone: 'Europe/Madrid' } },
      { id: 'call_om9n6jne', name: 'search_documents', arguments: { query: 'solar panels' } },
    ],
  ],
  [
    'chat_tools_single_native',
    [{ id: 'N4oSzujfAW6f64Sf5IJaLm4gIzFYbvce', name: 'get_current_time', arguments: { timezone: 'Europe/Berlin' } }],
  ],
])('%s: tool calls are collected from any line', async (name, calls) => {
  const { server, chat } = await withOllama()
  const model = await chat()
  server.replay(name, { kind: 'pieces', sizes: [11] })
  const heard = await hear(model)
  expect(heard.events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))).toEqual(calls)
  expect(heard.last).toMatchObject({ type: 'end', reason: 'stop' })
})

test('a broken connection keeps the text and is the last event, wherever it breaks', async () => {
  const { server, chat } = await withOllama()
  const model = await chat()
  for (const afterBytes of [0, 100, 128, 700]) {
    server.replay('chat_stream_timed', { kind: 'cut', afterBytes })
    const heard = await hear(model)
    expect(heard.last).toMatchObject({ type: 'error', error: { code: 'model-call', retryable: true } })
    expect(heard.text !== '').toBe(afterBytes >= 128)
  }
  server.replay('server_sigterm_midstream', { kind: 'cut', afterBytes: 1057 })
  expect((await hear(model)).last).toMatchObject({ type: 'error' })
})

test('an answer that stalls ends by the idle time', async () => {
  const { server, chat, models } = await withOllama()
  const model = await chat()
  models.patch({ idleTimeoutMs: 150 })
  server.replay('chat_stream_timed', { kind: 'stalled', afterBytes: 300 })
  const heard = await hear(model)
  expect(heard.last).toMatchObject({ type: 'error', error: { code: 'timeout' } })
  expect(heard.text).toBe('Lighth'.slice(0, heard.text.length))
  await server.waitForAborts(1)
})

const busy = [{ refuse: { status: 503, error: 'server busy' } }]

test('an error line mid-stream, broken lines and a missing end are told', async () => {
  const { server, chat } = await withOllama({
    chat: [{ text: 'half an', ends: 'error' }, { text: 'no end', ends: 'no-done' }, ...busy, ...busy, ...busy],
  })
  const model = await chat()
  const failed = await hear(model)
  expect(failed.text).toBe('half an')
  expect(failed.last).toMatchObject({
    type: 'error',
    error: { code: 'model-call', message: expect.stringContaining('terminated') as string },
  })
  const endless = await hear(model)
  expect(endless.events.slice(-2)).toMatchObject([
    { type: 'warning', code: 'no-done' },
    { type: 'end', reason: 'unknown' },
  ])
  expect((await hear(model)).events).toMatchObject([{ type: 'error', error: { code: 'model-call', status: 503, retryable: true } }])
  const broken = server.replay('chat_stream_timed')
  broken.body = Buffer.concat([Buffer.from('\n\n{"message":\nnonsense\n'), broken.body])
  const heard = await hear(model)
  expect(heard.events.filter((event) => event.type === 'warning')).toEqual([
    { type: 'warning', code: 'bad-lines', count: 2, message: expect.any(String) as string },
  ])
})

test('stopping closes the socket at once and the stream ends as cancelled', async () => {
  const { server, chat } = await withOllama({ chat: [{ text: 'one two three four five six', delayMs: 50 }] })
  const model = await chat()
  const controller = new AbortController()
  const events: ModelEvent[] = []
  const request = { messages: [{ role: 'user' as const, content: 'x' }], temperature: 0, maxTokens: 10, promptTokens: 1 }
  for await (const event of model.stream(request, { signal: controller.signal })) {
    events.push(event)
    if (event.type === 'text-delta') controller.abort()
  }
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
  expect(events.length).toBe(2)
  await server.waitForAborts(1)
})

test('every request carries its window, its refusal to be cut, and the time to stay loaded', async () => {
  const { server, chat } = await withOllama({ chat: () => ({ text: 'ok' }) })
  const model = await chat()
  await hear(model)
  expect(server.chats()[0]).toMatchObject({
    stream: true,
    keep_alive: '1h',
    truncate: false,
    shift: false,
    options: { num_ctx: 4096, temperature: 0.1, num_predict: 512 },
  })
  expect(server.chats()[0]).not.toHaveProperty('think')
})

test('a model whose listing tells no context length is asked for it, and once', async () => {
  const { server, models } = await withOllama({ old: true, models: [{ name: 'a:1b', contextLength: 4096 }, { name: 'b:1b' }] })
  const lengths = async () => {
    const { providers } = await models.models.state({ refresh: true })
    return providers[0]?.models.map(({ ref, contextLength }) => [ref.model, contextLength])
  }
  const asked = () => server.requests.filter(({ path }) => path === '/api/show').length
  expect(await lengths()).toEqual([
    ['a:1b', 4096],
    ['b:1b', 32_768],
  ])
  const first = asked()
  await lengths()
  // Those that are looked at for what they can do are asked for that.
  expect(asked() - first).toBeLessThanOrEqual(first / 2)
})

test('the window only grows while a model is loaded, so that it is not loaded again for each question', async () => {
  const { server, chat } = await withOllama({ chat: () => ({ text: 'ok' }) })
  const model = await chat()
  for (const words of [10, 6000, 10, 3000, 14_000, 10]) await hear(model, 'word '.repeat(words))
  expect(server.loads.map((load) => load.contextTokens)).toEqual([4096, 8192, 16_384])
})

test('a server that cuts at 4,096 tokens without a word is never given more', async () => {
  const { server, chat } = await withOllama({
    old: true,
    models: [{ name: 'qwen-fake:4b', contextLength: 4096 }],
    chat: () => ({ text: 'ok' }),
  })
  const model = await chat()
  for (const words of [100, 1000, 3000, 3300, 3600, 4000, 20_000]) {
    const heard = await hear(model, 'word '.repeat(words))
    if (words > 4000) expect(heard.last).toMatchObject({ type: 'error', error: { code: 'context-exceeded' } })
  }
  expect(server.cuts).toEqual([])
  expect(await model.window()).toBe(4096)
})

test('a server that cuts below the window it promised is found out by its count, and planned for from then on', async () => {
  const { server, chat } = await withOllama({ old: true, contextLimit: 4096, chat: () => ({ text: 'ok' }) })
  const model = await chat()
  await hear(model, 'word '.repeat(500))
  const heard = await hear(model, 'word '.repeat(9000))
  expect(heard.events).toContainEqual({ type: 'warning', code: 'prompt-cut', count: 4096, message: expect.any(String) as string })
  expect(await model.window()).toBe(4096)
  expect((await hear(model, 'word '.repeat(9000))).last).toMatchObject({ type: 'error', error: { code: 'context-exceeded' } })
  expect(server.cuts.length).toBe(1)
})

test('counts of what a server had not kept from the prompt before are taken for no window', async () => {
  const counts = [undefined, 60, 3100, 5000, 4300, 2300]
  const { chat } = await withOllama({
    contextLimit: 32_768,
    chat: (_body, index) => ({ text: 'ok', ...(counts[index] === undefined ? {} : { counts: counts[index] }) }),
  })
  const model = await chat()
  await hear(model, 'word '.repeat(500))
  const window = await model.window()
  for (const _count of counts.slice(1)) await hear(model, 'word '.repeat(9000))
  expect(await model.window()).toBe(window)
})

test('a server that tells its real window is believed before anything is cut', async () => {
  const { server, chat } = await withOllama({ contextLimit: 4096, chat: () => ({ text: 'ok' }) })
  const model = await chat()
  expect((await hear(model, 'word '.repeat(9000))).last).toMatchObject({ type: 'error', error: { code: 'context-exceeded' } })
  // Nothing is known yet of how the model counts: not all of it is planned with.
  expect(await model.window()).toBe(Math.floor(4096 * 0.85))
  expect(server.cuts).toEqual([])
})

test('a refusal that says how long the prompt is leads to a larger window, not to a failure', async () => {
  const { server, chat } = await withOllama({ chat: () => ({ text: 'ok' }) })
  const model = await chat()
  // Digits one by one: far more tokens than the estimate thinks.
  const heard = await hear(model, '字1'.repeat(2900))
  expect(heard.last).toMatchObject({ type: 'end', contextTokens: 8192 })
  expect(server.cuts).toEqual([])
})

test('a model on somebody else’s machine is marked, never chosen by itself, and refused while offline', async () => {
  const models = [{ name: 'big:120b-cloud' }, { name: 'lent:8b', remoteHost: 'https://ollama.com' }]
  const { server, chat, models: made } = await withOllama({ models, chat: () => ({ text: 'ok' }) })
  expect(await made.models.resolve()).toBeNull()
  const state = await made.models.state()
  expect(state.providers[0]?.models.map((model) => model.remote)).toEqual([true, true])
  made.patch({ offline: true })
  expect((await hear(await chat('lent:8b'))).events).toMatchObject([{ type: 'error', error: { code: 'offline' } }])
  expect(server.chats()).toEqual([])
})

test('providers are listed side by side, each with why it does not answer; keys stay in the secret store', async () => {
  const openAi = kept(await startOpenAi({ key: 'sk-right', models: ['b', 'a'], base: '/v4' }))
  const gone = await refusedAddress()
  const { models, keys, settings } = makeKept({ providers: [{ id: 'gone', kind: 'ollama', name: 'Gone', address: gone, hasKey: false }] })
  const provider = { id: 'zhipu', kind: 'openai' as const, name: 'Zhipu', address: openAi.base, hasKey: false }
  expect(await models.test(provider, 'sk-wrong-key')).toMatchObject({
    reachable: false,
    error: { code: 'model-config', hint: expect.stringContaining('key') as string },
  })
  await models.saveProvider(provider, 'sk-right')
  const state = await models.state()
  expect(state.providers.map((each) => [each.provider.id, each.reachable, each.error?.code ?? null])).toEqual([
    ['gone', false, 'model-unreachable'],
    ['zhipu', true, null],
  ])
  expect(state.providers[1]?.models.map((model) => model.ref.model)).toEqual(['a', 'b'])
  expect(state.effective).toBeNull()
  expect(keys.get('provider:zhipu')).toBe('sk-right')
  expect(JSON.stringify([settings(), state])).not.toContain('sk-right')
  await models.removeProvider('zhipu')
  expect(keys.size).toBe(0)
})

test('a key in the environment is not used before somebody asks for it', async () => {
  const { models, contacts } = makeKept({ providers: [] }, { OPENAI_API_KEY: 'sk-env', OPENAI_MODEL: 'gpt-x' })
  const state = await models.state()
  expect(contacts).toEqual([])
  expect(state.providers[0]).toMatchObject({
    provider: { id: 'openai-environment', hasKey: true },
    reachable: false,
    models: [{ remote: true }],
  })
})

test('why there is no model to choose says which address does not answer or is none, and what else there is', async () => {
  const ollama = (address: string) => ({ id: 'ollama', kind: 'ollama' as const, name: 'Ollama', address, hasKey: false })
  const gone = await refusedAddress()
  const silent = makeKept({ providers: [ollama(gone)] })
  expect(await silent.models.resolve()).toBeNull()
  expect(silent.models.whyNone()).toMatchObject({
    code: 'model-unreachable',
    message: expect.stringContaining(new URL(gone).host) as string,
  })

  const malformed = makeKept({ providers: [ollama('')] }, { OLLAMA_HOST: 'http://bad host' })
  expect(await malformed.models.resolve()).toBeNull()
  expect(malformed.models.whyNone()).toMatchObject({ code: 'model-config', message: expect.stringContaining('http://bad host') as string })

  const empty = makeKept({ providers: [ollama(kept(await startOllama({ models: [] })).url)] }, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
  expect(await empty.models.resolve()).toBeNull()
  expect(empty.models.whyNone()).toMatchObject({
    code: 'model-config',
    message:
      'Ollama answers, but has no chat model installed. Of OpenAI-compatible (environment) a model is used when it is chosen or named.',
    hint: expect.stringContaining('siku pull') as string,
  })

  const none = makeKept({ providers: [] })
  expect(await none.models.resolve()).toBeNull()
  expect(none.models.whyNone()).toMatchObject({ code: 'model-config', hint: 'Choose a model in Models.' })
})
