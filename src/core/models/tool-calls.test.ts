import { afterEach, expect, test } from 'vitest'
import { hear } from '../../../test/fakes/models.ts'
import { servedModels } from '../../../test/fakes/served-models.ts'
import type { Message } from '../../contract/message.ts'
import type { ChatModel, ChatRequest, ToolSpec } from './models.ts'

const served = servedModels()
const { withOllama, withOpenAi } = served
afterEach(() => served.close())

const weather: ToolSpec = { name: 'get_weather', description: 'The weather of a city', parameters: { type: 'object' } }
const clock: ToolSpec = { name: 'get_time', description: 'The time', parameters: { type: 'object' } }
const tools = [weather, clock]

function ask(model: ChatModel, more: Partial<ChatRequest> = {}) {
  return hear(model, 'What is the weather in Nanjing?', undefined, { tools, ...more })
}

const call = { id: 'a', name: 'get_weather', arguments: { city: '南京' } }

const piece = (index: number | undefined, id: string | undefined, name: string | undefined, given: unknown) => ({
  tool_calls: [{ ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: { name, arguments: given } }],
})
const two = [
  { name: 'get_weather', arguments: { city: 'Nanjing' } },
  { name: 'get_weather', arguments: { city: 'Chengdu' } },
]

test.each([
  [
    'by index, in turns',
    [
      piece(0, 'a', 'get_weather', '{"city":'),
      piece(1, 'b', 'get_weather', '{"ci'),
      piece(0, undefined, undefined, '"Nanjing"}'),
      piece(1, undefined, undefined, 'ty":"Chengdu"}'),
    ],
  ],
  ['all with index 0 and ids', [piece(0, 'a', 'get_weather', '{"city":"Nanjing"}'), piece(0, 'b', 'get_weather', '{"city":"Chengdu"}')]],
  [
    'all with index 0 and no ids',
    [piece(0, '', 'get_weather', '{"city":"Nanjing"}'), piece(0, '', 'get_weather', '{"city":'), piece(0, '', undefined, '"Chengdu"}')],
  ],
  [
    'without index',
    [
      piece(undefined, 'a', 'get_weather', '{"city":"Nan'),
      piece(undefined, 'a', undefined, 'jing"}'),
      piece(undefined, 'b', 'get_weather', '{"city":"Chengdu"}'),
    ],
  ],
  [
    'without anything',
    [piece(undefined, undefined, 'get_weather', '{"city":"Nanjing"}'), piece(undefined, undefined, 'get_weather', '{"city":"Chengdu"}')],
  ],
  [
    'with the name in each piece',
    [
      piece(0, 'a', 'get_weather', '{"city":'),
      piece(0, 'a', 'get_weather', '"Nanjing"}'),
      piece(1, 'b', 'get_weather', '{"city":"Chengdu"}'),
    ],
  ],
  ['as objects', [piece(0, 'a', 'get_weather', { city: 'Nanjing' }), piece(0, 'b', 'get_weather', { city: 'Chengdu' })]],
  [
    'with null for what is not there',
    [
      { tool_calls: [{ index: 0, id: null, function: { name: 'get_weather', arguments: null } }] },
      piece(0, undefined, undefined, '{"city":"Nanjing"}'),
      piece(1, 'b', 'get_weather', '{"city":"Chengdu"}'),
    ],
  ],
])('two calls of an OpenAI-compatible server are joined, sent %s', async (_how, deltas) => {
  const { model } = await withOpenAi({ chat: [{ deltas, finish: 'tool_calls' }] })
  const { events } = await ask(model)
  expect(
    events.flatMap((event) => (event.type === 'tool-call' ? [{ name: event.call.name, arguments: event.call.arguments }] : [])),
  ).toEqual(two)
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
})

test('a call cut by the limit is broken, never a call with half of its arguments', async () => {
  const { model } = await withOpenAi({
    chat: [
      { deltas: [piece(0, 'a', 'get_weather', '{"city":"Nan')], finish: 'length' },
      { deltas: [piece(0, 'a', 'get_weather', '')], finish: 'length' },
    ],
  })
  for (let time = 0; time < 2; time += 1) {
    const { events } = await ask(model)
    expect(events.map(({ type }) => type)).toEqual(['broken-call', 'end'])
  }
})

test.each([
  [500, `error parsing tool call: raw='{"city":"Nanjing"}]', err=invalid character ']' after top-level value`, '{"city":"Nanjing"}]'],
  [500, 'failed to parse JSON: unexpected end of JSON input', ''],
  [500, `error parsing tool call: raw='${'{"text":"long '.repeat(80)}', err=unexpected end of JSON input`, '{"text":"long '],
])('a call that Ollama itself cannot read (%i %s) is a broken call, not the end of the turn', async (status, error, text) => {
  const { server, model } = await withOllama({ chat: () => ({ refuse: { status, error } }) })
  const { events } = await ask(model)
  expect(events.map(({ type }) => type)).toEqual(['broken-call', 'end'])
  expect(events[0]).toMatchObject({
    name: null,
    text: expect.stringContaining(text) as string,
    problem: expect.stringMatching(/./) as string,
  })
  // Without tools it stays what it is.
  expect((await hear(model)).last).toMatchObject({ type: 'error', error: { code: 'model-call' } })
  expect(server.chats().length).toBe(2)
})

test.each(['chat_images_nonvision', 'chat_images_nonvision_native'])(
  '%s: a server that cannot show a picture to its model says so',
  async (name) => {
    const { server, model } = await withOllama()
    server.replay(name)
    expect((await ask(model, { tools: [] })).last).toMatchObject({ error: { code: 'model-config', retryable: false } })
  },
)

test('Ollama is given sound as WAV beside the text, and no other sound', async () => {
  const { server, model } = await withOllama({
    models: [{ name: 'qwen-fake:4b', capabilities: ['completion', 'tools', 'audio'] }],
    chat: () => ({ text: 'I hear you.' }),
  })
  const said = (mediaType: string): Message => ({ role: 'user', content: [{ type: 'audio', mediaType, data: 'aGk=' }] })
  await ask(model, { messages: [said('audio/x-wav')] })
  expect(server.chats()[0]?.messages).toEqual([{ role: 'user', content: '', images: ['aGk='] }])
  expect((await ask(model, { messages: [said('audio/mpeg')] })).last).toMatchObject({
    error: { code: 'model-config', message: expect.stringContaining('WAV') as string },
  })
})

test('arguments that are nearly JSON are repaired, others are a broken call: text never passes for arguments', async () => {
  const { model } = await withOpenAi({
    chat: [
      { deltas: [piece(0, 'a', 'get_weather', '{"city":"Nanjing",}')], finish: 'tool_calls' },
      { deltas: [piece(0, 'a', 'get_weather', 'the city of Nanjing, please')], finish: 'tool_calls' },
    ],
  })
  expect((await ask(model)).events[0]).toMatchObject({ type: 'tool-call', call: { name: 'get_weather', arguments: { city: 'Nanjing' } } })
  expect((await ask(model)).events[0]).toMatchObject({
    type: 'broken-call',
    name: 'get_weather',
    text: expect.stringContaining('Nanjing') as string,
  })
})

test.each([3000, 100_000])(
  'arguments nested %i levels deep are a broken call, from either kind of server, as a value or as text',
  async (depth) => {
    const text = `{"city":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const { model: compatible } = await withOpenAi({ chat: [{ deltas: [piece(0, 'a', 'get_weather', text)], finish: 'tool_calls' }] })
    const { model: ollama } = await withOllama({ chat: () => ({ toolCalls: [{ name: 'get_weather', arguments: text }] }) })
    for (const model of [compatible, ollama]) {
      const { events } = await ask(model)
      expect(events.map(({ type }) => type)).toEqual(['broken-call', 'end'])
      expect(events[0]).toMatchObject({ name: 'get_weather', problem: expect.stringMatching(/deep/) as string })
    }
  },
)

test('a call in the text of a model with tools is a call, with an id that clashes with no native one', async () => {
  const text = '<tool_call>{"name":"get_time","arguments":{}}</tool_call>'
  const { model } = await withOllama({ chat: [{ text: [text.slice(0, 9), text.slice(9)], toolCalls: [{ ...call, id: 'call_1' }] }] })
  const { events, ...heard } = await ask(model)
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(calls.map(({ name }) => name).sort()).toEqual(['get_time', 'get_weather'])
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  expect(heard.text.trim()).toBe('')
})

test('a model that always thinks and whose server leaves only the closing tag does not think aloud', async () => {
  const { model } = await withOpenAi({ chat: [{ text: ['I should', ' greet.</thi', 'nk>Hello.'] }] }, 'deepseek-r1-distill-qwen-7b')
  const heard = await hear(model)
  expect([heard.thinking.trim(), heard.text]).toEqual(['I should greet.', 'Hello.'])
})

test('a model without tools calls by text through the same events, and is told of calls and results as text', async () => {
  const { server, model } = await withOllama({
    models: [{ name: 'qwen-fake:4b', capabilities: ['completion'] }],
    chat: [
      { text: 'Thought: I need the weather.\nAction: get_weather\nAction Input: {"city":"Nanjing"}\n' },
      { text: 'Final Answer: Cold.' },
    ],
  })
  const first = await ask(model)
  const [made] = first.events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(made).toMatchObject({ name: 'get_weather', arguments: { city: 'Nanjing' } })
  expect(first.text).not.toContain('Action')
  const messages: Message[] = [
    { role: 'user', content: 'What is the weather in Nanjing?' },
    { role: 'assistant', content: '', toolCalls: made === undefined ? [] : [made] },
    { role: 'tool', content: '2 °C, UNIQUE', name: 'get_weather', toolCallId: made?.id ?? '' },
  ]
  expect((await ask(model, { messages })).text.trim()).toBe('Cold.')
  const [, second] = server.chats()
  expect(second?.tools).toBeUndefined()
  expect(second?.messages.map(({ role }) => role)).not.toContain('tool')
  expect(second?.messages.some((message) => message.tool_calls !== undefined)).toBe(false)
  expect(JSON.stringify(second?.messages)).toContain('UNIQUE')
})
