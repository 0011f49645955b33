import { afterAll, beforeAll, expect, test } from 'vitest'
import { llamaIsMissing, startLlama, type LlamaServer } from '../../../test/fakes/llama-server.ts'
import { makeModels } from '../../../test/fakes/models.ts'
import { complete, type ChatModel, type ChatRequest, type ModelEvent } from './models.ts'

/** What a small model says is not asserted, only that it comes, stops and keeps its form. */
const isThere = llamaIsMissing === ''

let server: LlamaServer | null = null
let made: ReturnType<typeof makeModels> | null = null
let model: ChatModel

beforeAll(async () => {
  if (!isThere) return
  server = await startLlama()
  const provider = { id: 'llama', kind: 'openai' as const, name: 'llama.cpp', address: server.base, hasKey: false }
  made = makeModels({ providers: [provider], idleTimeoutMs: 120_000 })
  const state = await made.models.test(provider)
  const name = state.models[0]?.ref.model ?? 'none listed'
  const found = await made.models.resolve({ providerId: 'llama', model: name })
  if (found === null) throw new Error('no model')
  model = found
}, 120_000)

afterAll(async () => {
  await made?.close()
  await server?.close()
})

function request(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { messages: [{ role: 'user', content }], temperature: 0, maxTokens: 48, promptTokens: model.estimateTokens(content), ...more }
}

async function heard(asked: ChatRequest, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(asked, { signal })) events.push(event)
  return events
}

test.runIf(isThere)(
  'an answer comes in pieces, with its tokens counted',
  async () => {
    const events = await heard(request('Write one sentence about the sea.'))
    expect(events.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(3)
    expect(events.at(-1)).toMatchObject({ type: 'end', usage: { promptTokens: expect.any(Number) as number } })
  },
  120_000,
)

test.runIf(isThere)(
  'stopping closes the socket, and the server answers the next question at once',
  async () => {
    const controller = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of model.stream(request('Count from one to a thousand.', { maxTokens: 1500 }), { signal: controller.signal })) {
      events.push(event)
      if (event.type === 'text-delta') controller.abort()
    }
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } })
    // There is one slot: an answer that still ran would hold this one up to its end.
    const next = await complete(model, request('Say yes.', { maxTokens: 4 }), { signal: new AbortController().signal })
    expect(next.usage.completionTokens).toBeLessThanOrEqual(4)
  },
  120_000,
)

test.runIf(isThere)(
  'an answer bound to a schema is JSON of it',
  async () => {
    const responseSchema = {
      type: 'object',
      properties: { city: { type: 'string', enum: ['Nanjing', 'Chengdu'] }, warm: { type: 'boolean' } },
      required: ['city', 'warm'],
      additionalProperties: false,
    }
    const { text } = await complete(model, request('Which city is it, and is it warm?', { responseSchema }), {
      signal: new AbortController().signal,
    })
    expect(JSON.parse(text)).toEqual({ city: expect.stringMatching(/^(Nanjing|Chengdu)$/) as string, warm: expect.any(Boolean) as boolean })
  },
  120_000,
)

test.runIf(isThere)(
  'a tool that must be called is called, its arguments as its schema says',
  async () => {
    const tool = {
      name: 'get_weather',
      description: 'The weather of a city, now',
      parameters: { type: 'object', properties: { city: { type: 'string', enum: ['Nanjing', 'Chengdu'] } }, required: ['city'] },
    }
    const asked = request('What is the weather in Nanjing?', { tools: [tool], toolChoice: 'required', maxTokens: 200 })
    const calls = (await heard(asked)).flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(calls[0]).toMatchObject({ name: 'get_weather', arguments: { city: expect.stringMatching(/^(Nanjing|Chengdu)$/) as string } })
    expect(calls[0]?.id).not.toBe('')
  },
  120_000,
)

test.runIf(!isThere)(`a real llama.cpp server is not tried: ${llamaIsMissing}`, ({ skip }) => skip(llamaIsMissing))
