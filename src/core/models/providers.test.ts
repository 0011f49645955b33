import { afterEach, expect, test } from 'vitest'
import { json, startHttpFake } from '../../../test/fakes/http-fake.ts'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import { refusedAddress, startOllama, type OllamaServerOptions } from '../../../test/fakes/ollama-server.ts'
import { startOpenAi, type CompletionScript } from '../../../test/fakes/openai-server.ts'
import { withRetries } from './retry.ts'
import { versionAdvice } from './version-advice.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

function kept<T extends { close(): Promise<unknown> }>(thing: T): T {
  open.push(thing)
  return thing
}

async function withOllama(options: OllamaServerOptions = {}) {
  const server = kept(await startOllama(options))
  const { models } = kept(makeModels({ providers: [{ id: 'own', kind: 'ollama', name: 'Own', address: server.url, hasKey: false }] }))
  return { server, models }
}

test('what is loaded says how much memory it takes, and unloading frees it in the next listing', async () => {
  const { models } = await withOllama({ models: [{ name: 'a:1b', loadedContext: 4096 }, 'b:1b'] })
  const loaded = async () =>
    (await models.state({ refresh: true })).providers[0]?.models.map((model) => [model.ref.model, model.loaded, model.loadedBytes])
  expect(await loaded()).toEqual([
    ['a:1b', true, 3_000_000_000],
    ['b:1b', false, null],
  ])
  await models.unload('own', 'a:1b')
  expect(await loaded()).toEqual([
    ['a:1b', false, null],
    ['b:1b', false, null],
  ])
})

test('a copy is listed at once, and a copy of nothing is refused', async () => {
  const { models } = await withOllama({ models: ['a:1b'] })
  await models.state()
  await models.copy('own', 'a:1b', 'mine:1b')
  expect((await models.state()).providers[0]?.models.map((model) => model.ref.model)).toEqual(['a:1b', 'mine:1b'])
  await expect(models.copy('own', 'gone', 'x')).rejects.toMatchObject({ code: 'model-config', status: 404 })
  await expect(models.show('own', 'gone')).rejects.toMatchObject({ code: 'model-config', status: 404 })
})

test('only Ollama copies, unloads and shows: another provider says so', async () => {
  const server = kept(await startOpenAi())
  const { models } = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.base, hasKey: false }] }))
  for (const work of [models.copy('own', 'a', 'b'), models.unload('own', 'a'), models.show('own', 'a')])
    await expect(work).rejects.toMatchObject({ code: 'unsupported' })
})

test('an old Ollama is told of, with what to do', async () => {
  const { models } = await withOllama({ old: true })
  expect((await models.state()).providers[0]).toMatchObject({ version: '0.3.0', advice: expect.stringContaining('0.9.6') as string })
})

test.each([
  ['0.2.8', /no tools/],
  ['0.4.7', /form/],
  ['v0.7.1', /whole answer/],
  ['0.9.5', /thoughts/],
  ['0.9.6', null],
  ['0.33.0-rc2', null],
  ['1.0.0', null],
  // A build of one's own, and something that is no version.
  ['0.0.0', null],
  ['nightly', null],
  [null, null],
])('the advice about Ollama %s', (version, expected) => {
  const advice = versionAdvice(version)
  if (expected === null) expect(advice).toBeNull()
  else expect(advice).toMatch(expected)
})

async function withOpenAi(chat: CompletionScript[]) {
  const server = kept(await startOpenAi({ chat }))
  const { models } = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.base, hasKey: false }] }))
  const model = await models.resolve({ providerId: 'own', model: 'gpt-fake' })
  if (model === null) throw new Error('no model')
  return { server, model }
}

test('after a piece of the answer nothing is sent again, whatever broke', async () => {
  const { server, model } = await withOpenAi([
    { text: 'half', ends: 'cut' },
    { text: 'half', ends: 'error' },
    { reasoning: 'hm', ends: 'cut' },
  ])
  for (let count = 1; count <= 3; count += 1) {
    expect((await hear(model)).last).toMatchObject({ type: 'error', error: { code: 'model-call', retryable: true } })
    expect(server.chats().length).toBe(count)
  }
})

test.each([
  [429, 3],
  [502, 3],
  [503, 3],
  [504, 3],
  [400, 1],
  [401, 1],
  [408, 1],
  [500, 1],
])('status %i is asked %i times', async (status, times) => {
  const refuse = { status, error: { message: 'no' }, headers: { 'retry-after': '0' } }
  const { server, model } = await withOpenAi(Array.from({ length: 4 }, () => ({ refuse })))
  expect((await hear(model)).events).toMatchObject([{ type: 'error', error: { status } }])
  expect(server.chats().length).toBe(times)
})

test('a connection that never stood is tried again: a server that comes up in between is reached', async () => {
  const url = await refusedAddress()
  const made = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: `${url}/v1`, hasKey: false }] }))
  const model = await made.models.resolve({ providerId: 'own', model: 'gpt-fake' })
  if (model === null) throw new Error('no model')
  const answer = hear(model)
  const server = kept(await startOpenAi({ port: Number(new URL(url).port), chat: [{ text: 'up' }] }))
  expect((await answer).text).toBe('up')
  expect(server.chats().length).toBe(1)
})

test('a connection that broke after the request was sent is not tried again', async () => {
  const server = kept(
    await startHttpFake('breaking', {}, (_request, response) => {
      response.socket?.destroy()
      return true
    }),
  )
  const made = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: `${server.url}/v1`, hasKey: false }] }))
  const model = await made.models.resolve({ providerId: 'own', model: 'gpt-fake' })
  if (model === null) throw new Error('no model')
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { retryable: true } })
  expect(server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
})

test('stopping ends a wait for the next try', async () => {
  const refuse = { status: 429, error: { message: 'later' }, headers: { 'retry-after': '9' } }
  const { server, model } = await withOpenAi([{ refuse }])
  const controller = new AbortController()
  const answer = hear(model, 'x', controller.signal)
  await server.waitForRequests(1)
  setTimeout(() => controller.abort(), 20)
  expect((await answer).events).toMatchObject([{ type: 'error', error: { code: 'cancelled' } }])
})

test('what is no error of ours is never tried again, and comes out with a code', async () => {
  let times = 0
  const work = (): Promise<never> => {
    times += 1
    return Promise.reject(new Error('a bug'))
  }
  await expect(withRetries(work, new AbortController().signal)).rejects.toMatchObject({ name: 'SikuError', code: 'internal' })
  expect(times).toBe(1)
})

test('what a listing tells of its models counts: their windows, and what they can do', async () => {
  const data = [
    { id: 'router', context_length: 65_536, architecture: { input_modalities: ['text', 'image'] }, supported_parameters: ['tools'] },
    { id: 'mute', architecture: { input_modalities: ['text'] }, supported_parameters: ['temperature'] },
    { id: 'vllm', max_model_len: 5000 },
    { id: 'mistral', max_context_length: 131_072, capabilities: { function_calling: true, vision: true } },
    { id: 'plain', context_length: 'many', capabilities: 7 },
    { name: 'nameless' },
    'nothing',
  ]
  const bodies: unknown[] = []
  const server = kept(
    await startHttpFake('listing', {}, ({ path, body }, response) => {
      if (path.endsWith('/models')) json(response, 200, { data })
      else {
        bodies.push(body)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
      }
      return true
    }),
  )
  const { models } = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.url, hasKey: false }] }))
  const { providers } = await models.state()
  expect(providers[0]?.models.map((model) => [model.ref.model, model.contextLength, model.capabilities])).toEqual([
    ['mistral', 131_072, ['completion', 'tools', 'vision']],
    ['mute', null, ['completion']],
    ['plain', null, []],
    ['router', 65_536, ['completion', 'tools', 'vision']],
    ['vllm', 5000, []],
  ])
  expect(await (await models.resolve({ providerId: 'own', model: 'vllm' }))?.window()).toBe(5000)
  const mute = await models.resolve({ providerId: 'own', model: 'mute' })
  if (mute === null) throw new Error('no model')
  const tools = [{ name: 'get_time', description: 'The time', parameters: {} }]
  expect((await hear(mute, 'x', undefined, { tools })).events[0]).toMatchObject({ type: 'warning', code: 'text-protocol' })
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).not.toHaveProperty('tools')
})

test('a stream that breaks off is said so, in the same words by every protocol, never in those of the HTTP parser', async () => {
  const message = 'The model’s answer broke off.'
  const { model } = await withOpenAi([{ text: 'half', ends: 'cut' }])
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { code: 'model-call', retryable: true, message } })
  const server = kept(await startOllama({ models: [{ name: 'm' }], chat: [{ text: 'half', ends: 'cut' }] }))
  const { models } = kept(makeModels({ providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', address: server.url, hasKey: false }] }))
  const ollama = await models.resolve({ providerId: 'ollama', model: 'm' })
  if (ollama === null) throw new Error('no model')
  expect((await hear(ollama)).last).toMatchObject({ type: 'error', error: { code: 'model-call', retryable: true, message } })
})

test('what a provider says of an error is one line of a bounded length, with nothing in it that a terminal obeys', async () => {
  const said = `no\u001b[2J room\r\n\u202efor it\u0007 ${'x'.repeat(5000)}`
  const { models } = await withOllama({ models: ['m'], chat: [{ refuse: { status: 400, error: said } }] })
  const { model } = await withOpenAi([{ refuse: { status: 400, error: { message: said } } }])
  for (const each of [await models.resolve({ providerId: 'own', model: 'm' }), model]) {
    if (each === null) throw new Error('no model')
    const { last } = await hear(each)
    const message = last?.type === 'error' ? last.error.message : ''
    expect(message).toMatch(/no \[2J room for it x+…$/)
    expect(message.length).toBeLessThan(600)
  }
})
