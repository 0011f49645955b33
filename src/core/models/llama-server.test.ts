import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModels } from '../../../test/fakes/models.ts'
import { complete, type ChatModel, type ChatRequest, type ModelEvent } from './models.ts'

/**
 * A real llama.cpp server with a small model, where both are there: SIKU_LLAMA_SERVER names the program, SIKU_LLAMA_MODEL a
 * GGUF. What a small model says is not asserted, only that it comes, stops and keeps its form.
 */
const program = process.env['SIKU_LLAMA_SERVER'] ?? ''
const gguf = process.env['SIKU_LLAMA_MODEL'] ?? ''
const missing = [
  existsSync(program) ? '' : `SIKU_LLAMA_SERVER (${program || 'not set'}) is no llama.cpp server`,
  existsSync(gguf) ? '' : `SIKU_LLAMA_MODEL (${gguf || 'not set'}) is no GGUF`,
].filter((reason) => reason !== '')
const isThere = missing.length === 0
const why = isThere ? '' : ` (skipped: ${missing.join('; ')})`

let server: ChildProcess | null = null
let said = ''
let made: ReturnType<typeof makeModels> | null = null
let model: ChatModel

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

beforeAll(async () => {
  if (!isThere) return
  const port = await freePort()
  const options = ['--host', '127.0.0.1', '--port', String(port), '--model', gguf, '--ctx-size', '2048', '--threads', '1', '--jinja']
  server = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-3000)))
  const address = `http://127.0.0.1:${port}`
  for (let isReady = false; !isReady;) {
    if (server.exitCode !== null) throw new Error(`the llama.cpp server ended:\n${said}`)
    isReady = await fetch(`${address}/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const provider = { id: 'llama', kind: 'openai' as const, name: 'llama.cpp', address: `${address}/v1`, hasKey: false }
  made = makeModels({ providers: [provider], idleTimeoutMs: 120_000 })
  const state = await made.models.test(provider)
  const name = state.models[0]?.ref.model
  if (name === undefined) throw new Error(`the llama.cpp server lists no model:\n${said}`)
  const found = await made.models.resolve({ providerId: 'llama', model: name })
  if (found === null) throw new Error('no model')
  model = found
}, 120_000)

afterAll(async () => {
  await made?.close()
  const ended = server === null || server.exitCode !== null ? null : new Promise((resolve) => server?.once('exit', resolve))
  server?.kill()
  await ended
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

test.runIf(!isThere)(`a real llama.cpp server is tried where there is one${why}`, ({ skip }) => skip(missing.join('; ')))
