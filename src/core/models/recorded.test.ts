import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import { startOllama, type OllamaServer } from '../../../test/fakes/ollama-server.ts'
import { recording, type Recording } from '../../../test/fakes/recordings.ts'
import type { ChatModel, ToolSpec } from './models.ts'

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'ollama')
const chats = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => recording(entry.name))
  .filter(({ method, path }) => method === 'POST' && path === '/api/chat')

let server: OllamaServer
let models: ReturnType<typeof makeModels>
let model: ChatModel
beforeAll(async () => {
  server = await startOllama()
  models = makeModels({ providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', address: server.url, hasKey: false }] })
  const resolved = await models.models.resolve()
  if (resolved === null) throw new Error('no model')
  model = resolved
})
afterAll(async () => {
  await models.close()
  await server.close()
})

/** The tools that the recorded request offered. */
function toolsOf({ requestBody }: Recording): ToolSpec[] {
  return ((requestBody as { tools?: { function: ToolSpec }[] } | undefined)?.tools ?? []).map((tool) => tool.function)
}

/** Unsupported tools lead to a second request: tried by itself below. */
const withTools = chats.filter((chat) => toolsOf(chat).length > 0 && chat.status === 200)
const awkward = [[1], [2, 1, 3, 5, 7, 11], [61, 1, 1, 1]]

interface Said {
  content: string
  thinking: string
  calls: { name: string; arguments: unknown }[]
  done: boolean
}

/** What the recording says, read at once instead of as it comes. */
function said({ body }: Recording): Said {
  const all: Said = { content: '', thinking: '', calls: [], done: false }
  for (const line of body
    .toString('utf8')
    .split('\n')
    .filter((each) => each.trim() !== '')) {
    const { message, done } = JSON.parse(line) as {
      message?: { content?: string; thinking?: string; tool_calls?: { function: { name: string; arguments: unknown } }[] }
      done?: boolean
    }
    all.content += message?.content ?? ''
    all.thinking += message?.thinking ?? ''
    for (const { function: call } of message?.tool_calls ?? []) all.calls.push({ name: call.name, arguments: call.arguments })
    all.done ||= done === true
  }
  return all
}

test('there are recordings of every kind of chat', () => {
  expect(chats.length).toBeGreaterThan(60)
})

test.each(chats.map((chat) => [chat.name, chat] as const))('%s is read to its end, nothing lost and nothing thrown', async (name, chat) => {
  // A server that is busy is asked twice more.
  for (let time = 0; time < (chat.status === 503 ? 3 : 1); time += 1) server.replay(name, { kind: 'pieces', sizes: [1, 13, 200] })
  const heard = await hear(model)
  if (chat.status >= 400) {
    expect(heard.events).toMatchObject([{ type: 'error', error: { status: chat.status, message: expect.stringMatching(/./) as string } }])
    return
  }
  const { content, thinking, calls, done } = said(chat)
  const plain = (text: string): string => text.replace(/<\/?think>|\s/g, '')
  expect(plain(heard.thinking + heard.text)).toBe(plain(thinking + content))
  expect(heard.events.filter((event) => event.type === 'tool-call').length).toBe(calls.length)
  expect(heard.last?.type).toBe('end')
  expect(heard.events.some((event) => event.type === 'warning' && event.code === 'no-done')).toBe(!done)
})

test.each(withTools.flatMap((chat) => awkward.map((sizes) => [chat.name, sizes, chat] as const)))(
  '%s, with its tools offered and cut into pieces of %j: each call arrives once, whole, with an id of its own',
  async (name, sizes, chat) => {
    server.replay(name, { kind: 'pieces', sizes })
    const heard = await hear(model, 'hello', undefined, { tools: toolsOf(chat) })
    const heardCalls = heard.events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(heardCalls.map((call) => ({ name: call.name, arguments: call.arguments }))).toMatchObject(said(chat).calls)
    expect(new Set(heardCalls.map(({ id }) => id)).size).toBe(heardCalls.length)
    expect(heard.text).not.toMatch(/<\/?think>/)
    expect(heard.last?.type).toBe('end')
  },
)

test('there are recordings with tools', () => {
  expect(withTools.length).toBeGreaterThan(9)
})

test('the recorded refusal of tools leads to the text protocol within the same answer', async () => {
  const old = await startOllama({ chat: [{ text: 'fine' }] })
  const made = makeModels({ providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', address: old.url, hasKey: false }] })
  const other = await made.models.resolve({ providerId: 'ollama', model: 'qwen-fake:4b' })
  if (other === null) throw new Error('no model')
  old.replay('chat_tools_unsupported', { kind: 'bytes' })
  const tools = [{ name: 'get_time', description: 'The time', parameters: { type: 'object' } }]
  const heard = await hear(other, 'hello', undefined, { tools })
  expect(heard.events[0]).toMatchObject({ type: 'warning', code: 'text-protocol' })
  expect(heard.last?.type).toBe('end')
  expect(old.chats().map((body) => body.tools === undefined)).toEqual([false, true])
  await made.close()
  await old.close()
})
