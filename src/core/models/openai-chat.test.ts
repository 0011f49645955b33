import { afterEach, expect, test } from 'vitest'
import { startHttpFake } from '../../../test/fakes/http-fake.ts'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import type { Delivery } from '../../../test/fakes/ollama-server.ts'
import { startOpenAi } from '../../../test/fakes/openai-server.ts'
import type { ModelEvent, ToolSpec } from './models.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function kept<T extends { close(): Promise<unknown> }>(thing: T): T {
  open.push(thing)
  return thing
}

async function withOpenAi(options: Parameters<typeof startOpenAi>[0] = {}, key?: string) {
  const server = kept(await startOpenAi(options))
  const made = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.base, hasKey: false }] }))
  if (key !== undefined) made.keys.set('provider:own', key)
  const model = await made.models.resolve({ providerId: 'own', model: 'gpt-fake' })
  if (model === null) throw new Error('no model')
  return { server, model, ...made }
}

const ways: Delivery[] = [{ kind: 'whole' }, { kind: 'bytes' }, { kind: 'pieces', sizes: [3, 1000, 77] }]

test.each(ways)('the recorded /v1 stream with usage is joined the same, sent $kind', async (delivery) => {
  const { server, model } = await withOpenAi()
  server.replay('v1_chat_stream_usage', delivery)
  const heard = await hear(model)
  expect(heard.text.length).toBeGreaterThan(5)
  expect(heard.last).toMatchObject({ type: 'end', usage: { promptTokens: 31, completionTokens: 8, totalTokens: 39 } })
})

test('OpenAI-compatible: reasoning apart, tool calls joined, cut and errors as the last event', async () => {
  const { server, model } = await withOpenAi({
    chat: [
      { reasoning: 'hm so', text: ['<thi', 'nk>tag</think>', 'yes'] },
      { text: 'half a', ends: 'cut' },
      { text: 'half a', ends: 'error' },
      { text: 'x', ends: 'no-done' },
    ],
  })
  expect(await hear(model)).toMatchObject({ thinking: 'hm sotag', text: 'yes', last: { type: 'end', reason: 'stop' } })
  expect(await hear(model)).toMatchObject({ text: 'half a', last: { type: 'error', error: { code: 'model-call', retryable: true } } })
  expect(await hear(model)).toMatchObject({
    text: 'half a',
    last: { type: 'error', error: { code: 'model-call', message: expect.stringContaining('crashed') as string } },
  })
  expect((await hear(model)).events).toContainEqual(expect.objectContaining({ type: 'warning', code: 'no-done' }))
  server.replay('v1_chat_tools_stream_rendered', { kind: 'bytes' })
  expect((await hear(model)).events.flatMap((event) => (event.type === 'tool-call' ? [event.call.arguments] : []))).toEqual([
    { timezone: 'Europe/Madrid' },
    { query: 'solar panels' },
  ])
  expect(server.chats()[0]).toMatchObject({ stream: true, stream_options: { include_usage: true }, temperature: 0.1, max_tokens: 512 })
})

test('OpenAI-compatible: what a server refuses is left out, what it asks to wait for is tried twice more, and not after text', async () => {
  const refuse = (status: number, message: string, headers: Record<string, string> = {}) => ({
    refuse: { status, error: { message }, headers },
  })
  const { server, model } = await withOpenAi({
    chat: [
      refuse(400, "Unsupported parameter: 'max_tokens', use 'max_completion_tokens'"),
      refuse(429, 'slow down', { 'retry-after': '0' }),
      { text: 'fine' },
      refuse(500, 'oops'),
      refuse(503, 'busy', { 'retry-after': '0' }),
      refuse(503, 'busy', { 'retry-after': '0' }),
      refuse(503, 'busy', { 'retry-after': '0' }),
      refuse(429, 'quota', { 'retry-after': '3600' }),
      refuse(400, "This model's maximum context length is 4097 tokens"),
    ],
  })
  expect((await hear(model)).text).toBe('fine')
  expect(server.chats().at(-1)).toMatchObject({ max_completion_tokens: 512 })
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { status: 500, retryable: true } })
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { status: 503 } })
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { status: 429, retryAfterMs: 3_600_000 } })
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { code: 'context-exceeded' } })
  expect(await model.window()).toBe(4097)
  expect(server.chats().length).toBe(9)
})

test('OpenAI-compatible: without a key none is sent, a wrong one is never in the error', async () => {
  const { server, model } = await withOpenAi({ key: 'sk-right' })
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { code: 'model-config', status: 401 } })
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
  const { model: wrong } = await withOpenAi(
    { chat: [{ refuse: { status: 401, error: { message: 'Incorrect API key provided: sk-wrong-1234.' } } }] },
    'sk-wrong-1234',
  )
  const heard = await hear(wrong)
  expect(heard.last).toMatchObject({ type: 'error', error: { code: 'model-config' } })
  expect(JSON.stringify(heard)).not.toContain('wrong-1234')
})

test('OpenAI-compatible: what is no stream is the answer in one piece, or says what it is', async () => {
  const page = '<!doctype html><html><head><style>p{}</style><title>Sign in</title></head><body><p>Please sign in</p></body></html>'
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
  const { model } = await withOpenAi(
    {
      chat: [
        {
          body: {
            type: 'application/json',
            text: '{"choices":[{"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}]}',
          },
        },
        { body: { type: 'application/json', text: JSON.stringify({ choices: [{ message: { content: null, tool_calls: [call] } }] }) } },
        { body: { type: 'application/json; charset=utf-8', text: '{"error":{"message":"quota exceeded for sk-secret-1234"}}' } },
        { body: { type: 'text/html', text: page } },
        { body: { type: 'text/html', text: page, status: 418 } },
        { refuse: { status: 429, error: { message: 'limit' }, headers: { 'retry-after': '3600' } } },
      ],
    },
    'sk-secret-1234',
  )
  const last = async () => JSON.stringify((await hear(model)).last)
  expect(await hear(model)).toMatchObject({ text: 'whole', last: { type: 'end', reason: 'stop' } })
  expect((await hear(model)).events).toContainEqual(
    expect.objectContaining({ type: 'tool-call', call: { id: 'c1', name: 'add', arguments: { a: 1 } } }),
  )
  const refused = await last()
  expect(refused).toMatch(/"model-call".*refuses: quota exceeded/)
  expect(refused).not.toContain('secret')
  expect(await last()).toMatch(/"model-config".*Sign in Please sign in.*base URL/)
  expect(await last()).not.toContain('<html')
  expect(await last()).toMatch(/takes no more requests for now: limit.*Wait 60 min/)
})

test('OpenAI-compatible: stopping closes the socket', async () => {
  const { server, model } = await withOpenAi({ chat: [{ text: 'one two three four', delayMs: 50 }] })
  const controller = new AbortController()
  const events: ModelEvent[] = []
  const request = { messages: [{ role: 'user' as const, content: 'x' }], temperature: 0, maxTokens: 10, promptTokens: 1 }
  for await (const event of model.stream(request, { signal: controller.signal })) {
    events.push(event)
    controller.abort()
  }
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
  await server.waitForAborts(1)
})

test('OpenAI-compatible: nothing is sent out while offline, neither a question nor a listing', async () => {
  const address = 'https://models.invalid/v1'
  const made = kept(makeModels({ offline: true, providers: [{ id: 'far', kind: 'openai', name: 'Far', address, hasKey: false }] }))
  const model = await made.models.resolve({ providerId: 'far', model: 'gpt' })
  if (model === null) throw new Error('no model')
  expect(model.info.remote).toBe(true)
  expect((await hear(model)).events).toMatchObject([{ type: 'error', error: { code: 'offline' } }])
  expect((await made.models.state({ refresh: true })).providers[0]).toMatchObject({ reachable: false, error: { code: 'offline' } })
})

test.each(['<html>Welcome</html>', '{}', '{"data":null}', '"x"'])(
  'a listing answered with status 200 and %s is no provider',
  async (body) => {
    const server = kept(
      await startHttpFake('stranger', {}, (_request, response) => {
        response.writeHead(200, { 'content-type': body.startsWith('<') ? 'text/html' : 'application/json' })
        response.end(body)
        return true
      }),
    )
    const { models } = kept(makeModels({}))
    const state = await models.test({ id: 'own', kind: 'openai', name: 'Own', address: `${server.url}/v1`, hasKey: false })
    expect(state).toMatchObject({ reachable: false, error: { code: 'model-call' } })
  },
)

test.each(
  ['v1_chat_tools_stream_native', 'v1_chat_tools_stream_rendered'].flatMap((name) =>
    [[1], [2, 1, 3, 5, 7, 11], [61, 1, 1, 1]].map((sizes) => [name, sizes] as const),
  ),
)('%s, with tools offered and cut into pieces of %j: each call arrives once and whole', async (name, sizes) => {
  const { server, model } = await withOpenAi()
  const { requestBody } = server.replay(name, { kind: 'pieces', sizes: [...sizes] })
  const tools = (requestBody as { tools: { function: ToolSpec }[] }).tools.map((tool) => tool.function)
  const { events } = await hear(model, 'hello', undefined, { tools })
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(calls.length).toBeGreaterThan(0)
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  for (const call of calls) expect(Object.keys(call.arguments as object)).toEqual([call.name === 'search_documents' ? 'query' : 'timezone'])
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
})
