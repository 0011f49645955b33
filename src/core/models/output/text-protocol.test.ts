import { expect, test } from 'vitest'
import {
  collect,
  outputCases,
  outputEvents,
  outputTools,
  readingOf,
  type OutputPiece,
} from '../../../../test/fixtures/model-outputs/corpus.ts'
import { bareModel } from '../providers.ts'
import type { ChatModel, ChatRequest, ModelEvent } from '../chat-model.ts'
import { withTextProtocol } from './output.ts'

/** A model that says what it is told to say, and remembers what it was asked. */
function scripted(pieces: OutputPiece[], reason: 'stop' | 'length' = 'stop') {
  const asked: ChatRequest[] = []
  const state = { sent: 0, aborted: false }
  const model: ChatModel = {
    info: bareModel({ providerId: 'test', model: 'small' }, false),
    window: () => Promise.resolve(4096),
    estimateTokens: (text) => Math.ceil(text.length / 4),
    async *stream(request, { signal }) {
      asked.push(request)
      signal.addEventListener('abort', () => (state.aborted = true))
      for await (const event of outputEvents(pieces, reason)) {
        state.sent += 1
        yield event
      }
    },
  }
  return { model: withTextProtocol(model), asked, state }
}

const base: ChatRequest = {
  messages: [{ role: 'user', content: 'Weather in Oslo?' }],
  temperature: 0,
  maxTokens: 100,
  promptTokens: 50,
  tools: outputTools,
}

function ask(model: ChatModel, change: Partial<ChatRequest> = {}): Promise<ModelEvent[]> {
  return collect(model.stream({ ...base, ...change }, { signal: new AbortController().signal }))
}

const cases = outputCases('text-protocol')

test('the corpus of the text protocol is as large as promised', () => {
  expect(cases.length).toBeGreaterThanOrEqual(25)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
})

test.each(cases)('$id', async ({ pieces, tools, end, reading, why }) => {
  expect(readingOf(await ask(scripted(pieces, end).model, { tools })), why).toEqual(reading)
})

test.each([1, 2, 3, 7])('pieces of %i characters are read like the whole', async (size) => {
  for (const { id, pieces, tools, end, reading } of cases) {
    const text = pieces.join('')
    const cut = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
    expect({ id, ...readingOf(await ask(scripted(cut, end).model, { tools })) }).toEqual({ id, ...reading })
  }
})

test('the model is told of tools and format in the system message, and gets no tools', async () => {
  const { model, asked } = scripted(['Final Answer: ok'])
  await ask(model, { messages: [{ role: 'system', content: 'Be short.' }, ...base.messages] })
  expect(asked[0]).not.toHaveProperty('tools')
  expect(asked[0]).not.toHaveProperty('toolChoice')
  expect(asked[0]?.messages).toHaveLength(2)
  const system = asked[0]?.messages[0]?.content as string
  expect(
    system.startsWith(
      'Be short.\n\nYou have these tools:\n\nget_weather: The weather of a city.\n  "city" (string, required)\n  "unit" (string, may be left out)',
    ),
  ).toBe(true)
  expect(system).toContain('Action Input: its arguments as one JSON object')
  expect(asked[0]?.promptTokens).toBeGreaterThanOrEqual(50)
})

test('calls and results of before are actions and observations, thoughts of before are not sent', async () => {
  const { model, asked } = scripted(['Final Answer: ok'])
  await ask(model, {
    messages: [
      { role: 'user', content: 'Weather in Oslo and Bergen?' },
      {
        role: 'assistant',
        content: 'I will look.',
        thinking: 'secret',
        toolCalls: [
          { id: 'a', name: 'get_weather', arguments: { city: 'Oslo' } },
          { id: 'b', name: 'get_weather', arguments: { city: 'Bergen' } },
        ],
      },
      { role: 'tool', name: 'get_weather', toolCallId: 'a', content: '12' },
      { role: 'tool', name: 'get_weather', toolCallId: 'b', content: '9' },
      { role: 'assistant', content: 'Mild.' },
      { role: 'user', content: 'And the time?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'get_current_datetime', arguments: {} }] },
      { role: 'tool', name: 'get_current_datetime', toolCallId: 'c', content: 'noon' },
      { role: 'user', content: 'Quick, please.' },
    ],
  })
  expect(asked[0]?.messages.slice(1)).toEqual([
    { role: 'user', content: 'Weather in Oslo and Bergen?' },
    {
      role: 'assistant',
      content:
        'Thought: I will look.\nAction: get_weather\nAction Input: {"city":"Oslo"}\nAction: get_weather\nAction Input: {"city":"Bergen"}',
    },
    { role: 'user', content: 'Observation of get_weather: 12\nObservation of get_weather: 9' },
    { role: 'assistant', content: 'Final Answer: Mild.' },
    { role: 'user', content: 'And the time?' },
    { role: 'assistant', content: 'Action: get_current_datetime\nAction Input: {}' },
    { role: 'user', content: 'Observation: noon\n\nQuick, please.' },
  ])
})

test('an observation of its own closes the stream: the rest is never waited for', async () => {
  const made = ['Action: calculate\nAction Input: 1+1\n', 'Observation: ', ...Array.from({ length: 50 }, () => 'more '), 'Final Answer: 3']
  const { model, state } = scripted(made)
  const events = await ask(model)
  expect(readingOf(events)).toMatchObject({ text: '', calls: [{ name: 'calculate', arguments: { expression: '1+1' } }] })
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
  expect(state).toEqual({ sent: 2, aborted: true })
})

test('required: an answer without a call is a model-call error, a call is not', async () => {
  const without = await ask(scripted(['Final Answer: no need']).model, { toolChoice: 'required' })
  expect(without.at(-1)).toMatchObject({ type: 'error', error: { code: 'model-call' } })
  expect(without.some(({ type }) => type === 'end')).toBe(false)
  const called = await ask(scripted(['Action: calculate\nAction Input: 1']).model, { toolChoice: 'required' })
  expect(called.at(-1)?.type).toBe('end')
})

test('a named tool: only that one is told of, and only its call will do', async () => {
  const { model, asked } = scripted(['Action: get_weather\nAction Input: Oslo'])
  const events = await ask(model, { toolChoice: { tool: 'calculate' } })
  expect(asked[0]?.messages[0]?.content).toContain('Use the tool calculate now.')
  expect(asked[0]?.messages[0]?.content).not.toContain('get_weather')
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'model-call' } })
})

test('none: no tool is told of and nothing is a call', async () => {
  const { model, asked } = scripted(['Thought: hm\nAction: calculate\nAction Input: 1\nFinal Answer: two'])
  const history: ChatRequest['messages'] = [
    ...base.messages,
    { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'calculate', arguments: { expression: '1' } }] },
    { role: 'tool', name: 'calculate', toolCallId: 'a', content: '1' },
  ]
  const events = await ask(model, { toolChoice: 'none', messages: history })
  expect(asked[0]?.messages.some(({ role, toolCalls }) => role === 'tool' || role === 'system' || toolCalls !== undefined)).toBe(false)
  expect(readingOf(events)).toEqual({ text: 'two', thinking: 'hm', calls: [], broken: [] })
})

test('that tools are given as text is said once, and not at all where none are', async () => {
  const { model } = scripted(['Final Answer: ok'])
  const warnings = (events: ModelEvent[]) => events.filter((event) => event.type === 'warning').map(({ code }) => code)
  expect(warnings(await ask(model, { tools: [] }))).toEqual([])
  expect(warnings(await ask(model))).toEqual(['text-protocol'])
  expect(warnings(await ask(model))).toEqual([])
})

test('without tools in the request or before, request and events pass untouched', async () => {
  const { model, asked } = scripted(['Thought: this is the title of a song'])
  const { tools: _tools, ...request } = base
  const events = await collect(model.stream(request, { signal: new AbortController().signal }))
  expect(asked[0]).toEqual(request)
  expect(readingOf(events).text).toBe('Thought: this is the title of a song')
})

test('a call that has to be made is bound to the shape of the tools that are offered', async () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
  const tools = [
    {
      name: 'get_weather',
      description: 'Weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    { name: 'get_time', description: 'Time', parameters: {} },
  ]
  const any = scripted([call])
  expect((await ask(any.model, { tools, toolChoice: 'required' })).filter(({ type }) => type === 'tool-call')).toHaveLength(1)
  expect(any.asked[0]?.responseSchema).toMatchObject({
    anyOf: [
      { properties: { name: { enum: ['get_weather'] }, arguments: { required: ['city'] } } },
      { properties: { name: { enum: ['get_time'] } } },
    ],
  })
  const one = scripted([call])
  await ask(one.model, { tools, toolChoice: { tool: 'get_weather' } })
  expect(one.asked[0]?.responseSchema).toMatchObject({ type: 'object', properties: { name: { enum: ['get_weather'] } } })
  const free = scripted(['Final Answer: ok'])
  await ask(free.model, { tools })
  expect(free.asked[0]).not.toHaveProperty('responseSchema')
})
