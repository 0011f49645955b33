import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import { startOllama, type OllamaServer } from '../../../test/fakes/ollama-server.ts'
import { recording, type Recording } from '../../../test/fakes/recordings.ts'
import type { ChatModel } from './models.ts'

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

interface Said {
  content: string
  thinking: string
  calls: number
  done: boolean
}

/** What the recording says, read at once instead of as it comes. */
function said({ body }: Recording): Said {
  const all: Said = { content: '', thinking: '', calls: 0, done: false }
  for (const line of body
    .toString('utf8')
    .split('\n')
    .filter((each) => each.trim() !== '')) {
    const { message, done } = JSON.parse(line) as {
      message?: { content?: string; thinking?: string; tool_calls?: unknown[] }
      done?: boolean
    }
    all.content += message?.content ?? ''
    all.thinking += message?.thinking ?? ''
    all.calls += message?.tool_calls?.length ?? 0
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
  expect(heard.events.filter((event) => event.type === 'tool-call').length).toBe(calls)
  expect(heard.last?.type).toBe('end')
  expect(heard.events.some((event) => event.type === 'warning' && event.code === 'no-done')).toBe(!done)
})
