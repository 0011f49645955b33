import { afterEach, expect, test } from 'vitest'
import { hear } from '../../../test/fakes/models.ts'
import { servedModels } from '../../../test/fakes/served-models.ts'
import type { Message } from '../../contract/message.ts'
import { complete, type ChatModel, type ChatRequest, type ToolSpec } from './models.ts'

const served = servedModels()
const { withOllama, withOpenAi, resolved } = served
afterEach(() => served.close())

const weather: ToolSpec = { name: 'get_weather', description: 'The weather of a city', parameters: { type: 'object' } }
const clock: ToolSpec = { name: 'get_time', description: 'The time', parameters: { type: 'object' } }
const tools = [weather, clock]

function ask(model: ChatModel, more: Partial<ChatRequest> = {}) {
  return hear(model, 'What is the weather in Nanjing?', undefined, { tools, ...more })
}

const call = { id: 'a', name: 'get_weather', arguments: { city: '南京' } }
const conversation: Message[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image', mediaType: 'image/png', data: 'aGk=', name: 'map.png' },
      { type: 'document', name: 'note\n.md', text: 'before\n```\ncode\n```\nafter' },
    ],
  },
  { role: 'assistant', content: '', thinking: 'I need the weather', toolCalls: [call] },
  { role: 'tool', content: '12 °C', name: 'get_weather', toolCallId: 'a' },
]
const fencedNote = 'Document “note .md”:\n````\nbefore\n```\ncode\n```\nafter\n````'

test('Ollama is sent every role, calls with their results, pictures and fenced documents', async () => {
  const { server, model } = await withOllama({
    models: [{ name: 'qwen-fake:4b', capabilities: ['completion', 'tools', 'vision', 'thinking'] }],
    chat: [{ text: 'fine' }],
  })
  await ask(model, { messages: conversation })
  expect(server.chats()[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: `Look:\n\n${fencedNote}`, images: ['aGk='] },
    {
      role: 'assistant',
      content: '',
      thinking: 'I need the weather',
      tool_calls: [{ id: 'a', function: { name: 'get_weather', arguments: { city: '南京' } } }],
    },
    { role: 'tool', content: '12 °C', tool_name: 'get_weather', tool_call_id: 'a' },
  ])
  expect(server.chats()[0]?.tools).toEqual(tools.map((tool) => ({ type: 'function', function: tool })))
})

test('OpenAI-compatible servers are sent the same in their own form, and no thoughts', async () => {
  const { server, model } = await withOpenAi({ chat: [{ text: 'fine' }] })
  const heard: Message = { role: 'user', content: [{ type: 'audio', mediaType: 'audio/mpeg', data: 'aGk=' }] }
  await ask(model, { messages: [...conversation, { role: 'assistant', content: 'Cold.', thinking: 'brr' }, heard] })
  expect(server.chats()[0]?.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        { type: 'text', text: fencedNote },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"南京"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '12 °C' },
    { role: 'assistant', content: 'Cold.' },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } }] },
  ])
})

test('a thought of an earlier turn is never said again, nor arguments that are no object sent to Ollama', async () => {
  const { server, model } = await withOllama({ chat: () => ({ text: 'fine' }) })
  const odd: Message = { role: 'assistant', content: '', thinking: 'SECRET', toolCalls: [{ id: 'a', name: 'x', arguments: 'text' }] }
  await ask(model, { messages: [odd, { role: 'user', content: 'and now?' }] })
  expect(JSON.stringify(server.chats()[0])).not.toContain('SECRET')
  expect(server.chats()[0]?.messages[0]?.tool_calls?.[0]?.function.arguments).toEqual({ value: 'text' })
})

test('a model that cannot see is not sent a picture: now it is said, in older turns a note stands for it', async () => {
  const { server, model } = await withOllama({ chat: () => ({ text: 'fine' }) })
  const now = await hear(model, '', undefined, { messages: conversation.slice(0, 2) })
  expect(now.events).toMatchObject([
    { type: 'error', error: { code: 'model-config', hint: expect.stringContaining('pictures') as string } },
  ])
  await hear(model, '', undefined, { messages: [...conversation.slice(0, 2), { role: 'user', content: 'go on' }] })
  expect(server.chats().length).toBe(1)
  expect(server.chats()[0]?.messages[1]).toEqual({
    role: 'user',
    content: `Look:\n\n${fencedNote}\n\n[a picture: map.png, not shown to this model]`,
  })
})

test('Ollama has no choice of tools: a named one is sent alone, none sends none, and a call that had to come is missed', async () => {
  const { server, model } = await withOllama({
    chat: (body) => (body.messages[0]?.content === 'call' ? { toolCalls: [call] } : { text: 'no call' }),
  })
  const named = await ask(model, { toolChoice: { tool: 'get_time' } })
  const wrong = await hear(model, 'call', undefined, { tools, toolChoice: { tool: 'get_time' } })
  const required = await ask(model, { toolChoice: 'required' })
  const right = await hear(model, 'call', undefined, { tools, toolChoice: 'required' })
  const none = await hear(model, 'call', undefined, { tools, toolChoice: 'none' })
  expect(server.chats().map((body) => body.tools?.map((tool) => tool.function.name))).toEqual([
    ['get_time'],
    ['get_time'],
    ['get_weather', 'get_time'],
    ['get_weather', 'get_time'],
    undefined,
  ])
  for (const missed of [named, wrong, required]) expect(missed.last).toMatchObject({ type: 'error', error: { code: 'model-call' } })
  expect(right.events.map(({ type }) => type)).toEqual(['tool-call', 'end'])
  expect(none.events.map(({ type }) => type)).toEqual(['end'])
})

test('OpenAI-compatible servers are told the choice; one that knows none is sent fewer tools instead', async () => {
  const { server, model } = await withOpenAi({
    chat: (body) => {
      if (body.tool_choice === 'required') return { refuse: { status: 400, error: { message: 'tool_choice is not a known field' } } }
      return { toolCalls: [{ name: 'get_time', arguments: '{}' }] }
    },
  })
  const choices: ChatRequest['toolChoice'][] = ['none', { tool: 'get_time' }, 'required', { tool: 'get_time' }]
  for (const toolChoice of choices) await ask(model, { toolChoice })
  expect(server.chats().map((body) => [body.tool_choice, body.tools?.length])).toEqual([
    ['none', 2],
    [{ type: 'function', function: { name: 'get_time' } }, 2],
    ['required', 2],
    [undefined, 2],
    [undefined, 1],
  ])
})

test('calls have ids of their own, whatever the server gives', async () => {
  const { model } = await withOllama({
    chat: [{ toolCalls: [call, call, { ...call, id: '' }, { ...call, arguments: '{"city":"成都"}' }] }],
  })
  const calls = (await ask(model)).events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4)
  expect(calls.every(({ id }) => id !== '')).toBe(true)
  expect(calls.map((each) => each.arguments)).toEqual([...Array.from({ length: 3 }, () => ({ city: '南京' })), { city: '成都' }])
})

test('a model without tools is given them as text, said once, and its server is not asked for tools again', async () => {
  const { server, model, made } = await withOllama({
    models: [{ name: 'qwen-fake:4b', refusesTools: true }],
    chat: () => ({ text: 'No tool is needed.' }),
  })
  for (const each of [model, model, await resolved(made, 'qwen-fake:4b')]) {
    const { events, last } = await ask(each)
    expect(events.filter((event) => event.type === 'warning').map((event) => event.code)).toEqual(['text-protocol'])
    expect(last?.type).toBe('end')
  }
  expect(server.chats().map((body) => body.tools !== undefined)).toEqual([true, false, false, false])
})

test('a model whose capabilities name no tools is never sent any, also when only /api/show says so', async () => {
  const { server, model } = await withOllama({
    models: [{ name: 'qwen-fake:4b', capabilities: ['completion'] }],
    chat: () => ({ text: 'hm' }),
  })
  expect((await ask(model)).events[0]).toMatchObject({ type: 'warning', code: 'text-protocol' })
  expect(server.chats()[0]?.tools).toBeUndefined()
})

test.each([
  [400, 'registry.ollama.ai/library/gemma3:270m does not support tools'],
  [500, 'tools param requires --jinja flag'],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [404, 'No endpoints found that support tool use.'],
  [400, 'Function call is not supported for this model.'],
])('a refusal of tools (%i %s) leads to the text protocol', async (status, message) => {
  const { server, model } = await withOpenAi({
    chat: (body) => (body.tools === undefined ? { text: 'fine' } : { refuse: { status, error: { message } } }),
  })
  expect((await ask(model)).events[0]).toMatchObject({ type: 'warning', code: 'text-protocol' })
  const before = server.chats().filter((body) => body.tools !== undefined).length
  await ask(model)
  expect(server.chats().filter((body) => body.tools !== undefined).length).toBe(before)
})

test('a schema goes as each server takes it, and as words where it takes none', async () => {
  const responseSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
  const ollama = await withOllama({
    chat: [
      { text: '{}' },
      { refuse: { status: 400, error: 'json: cannot unmarshal object into Go struct field ChatRequest.format of type string' } },
      { text: '{}' },
    ],
  })
  await hear(ollama.model, 'x', undefined, { responseSchema })
  await hear(ollama.model, 'x', undefined, { responseSchema })
  expect(ollama.server.chats().map(({ format }) => format)).toEqual([responseSchema, responseSchema, 'json'])
  expect(ollama.server.chats()[2]?.messages[0]?.content).toContain(JSON.stringify(responseSchema))

  // A schema that the server cannot make a grammar of says nothing about the next one.
  const modern = await withOllama({ chat: () => ({ text: '{}' }) })
  modern.server.replay('format_bad_schema')
  await hear(modern.model, 'x', undefined, { responseSchema: { type: 'nonsense' } })
  await hear(modern.model, 'x', undefined, { responseSchema })
  expect(modern.server.chats().map(({ format }) => format)).toEqual([{ type: 'nonsense' }, 'json', responseSchema])

  const openAi = await withOpenAi({
    chat: ({ response_format: format }) =>
      format === undefined
        ? { text: '{}' }
        : { refuse: { status: 400, error: { message: `response_format of type ${format.type} is not available` } } },
  })
  expect((await hear(openAi.model, 'x', undefined, { responseSchema })).text).toBe('{}')
  const sent = openAi.server.chats()
  expect(sent.map((body) => body.response_format?.type)).toEqual(['json_schema', 'json_object', undefined])
  expect(sent[0]?.response_format?.json_schema).toMatchObject({ schema: responseSchema, strict: true })
  expect(sent[2]?.messages[0]?.content).toContain('"city"')
})

test('an answer that takes longer than its request allows ends by time, its socket closed', async () => {
  const { server, model } = await withOllama({
    chat: [
      { text: 'one', ends: 'stall' },
      { text: 'one', ends: 'stall' },
    ],
  })
  const heard = await hear(model, 'x', undefined, { timeoutMs: 3000 })
  expect(heard.last).toMatchObject({ type: 'error', error: { code: 'timeout', retryable: true } })
  await server.waitForAborts(1)
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 30)
  expect((await hear(model, 'x', controller.signal, { timeoutMs: 60_000 })).last).toMatchObject({ error: { code: 'cancelled' } })
})

test('the whole answer at once is made from the stream and rejects with its error', async () => {
  const { model } = await withOllama({
    chat: [
      { thinking: 'hm', text: 'so', toolCalls: [call] },
      { text: 'half', ends: 'error' },
    ],
  })
  const request: ChatRequest = { messages: [{ role: 'user', content: 'x' }], temperature: 0, maxTokens: 50, promptTokens: 1, tools }
  const { signal } = new AbortController()
  expect(await complete(model, request, { signal })).toMatchObject({
    text: 'so',
    thinking: 'hm',
    toolCalls: [{ name: 'get_weather', arguments: { city: '南京' } }],
    brokenCalls: [],
    reason: 'stop',
  })
  await expect(complete(model, request, { signal })).rejects.toMatchObject({ name: 'SikuError', code: 'model-call' })
})

test('DeepSeek wants the thoughts before a call again: they are sent once it said so', async () => {
  const { server, model } = await withOpenAi({
    chat: (body) =>
      body.messages.some((message) => 'reasoning_content' in message)
        ? { text: 'fine' }
        : { refuse: { status: 400, error: { message: 'Missing `reasoning_content` field in the assistant message' } } },
  })
  expect((await ask(model, { messages: conversation })).text).toBe('fine')
  expect(server.chats()[1]?.messages[2]).toMatchObject({ reasoning_content: 'I need the weather' })
})

test('a server that takes text alone says so once: the picture just given is an error, older ones become notes', async () => {
  const { server, model } = await withOpenAi({
    chat: (body) =>
      JSON.stringify(body).includes('image_url')
        ? { refuse: { status: 400, error: { message: 'messages[1]: unknown variant `image_url`, expected `text`' } } }
        : { text: 'fine' },
  })
  const now = await hear(model, '', undefined, { messages: conversation.slice(0, 2) })
  expect(now.events).toMatchObject([
    { type: 'error', error: { code: 'model-config', hint: expect.stringContaining('pictures') as string } },
  ])
  const later = await hear(model, '', undefined, { messages: [...conversation.slice(0, 2), { role: 'user', content: 'go on' }] })
  expect(later.text).toBe('fine')
  expect(server.chats().length).toBe(2)
  expect(server.chats()[1]?.messages[1]?.content).toContain('[a picture: map.png, not shown to this model]')
})

test('a short call without thoughts is asked for in the server’s own way, and plainly where it knows none', async () => {
  const { server, model } = await withOpenAi({
    chat: (_body, index) =>
      index === 2
        ? { refuse: { status: 400, error: { message: 'Unrecognized request argument supplied: chat_template_kwargs' } } }
        : { text: 'ok' },
  })
  for (const think of [undefined, false, false] as const) await hear(model, 'x', undefined, think === undefined ? {} : { think })
  await hear(model, 'x', undefined, { think: false })
  const sent = server.chats().map((body) => (body as unknown as Record<string, unknown>)['chat_template_kwargs'])
  expect(sent).toEqual([undefined, { enable_thinking: false }, { enable_thinking: false }, undefined, undefined])
})
