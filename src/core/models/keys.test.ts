import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openTestCore } from '../../../test/fakes/core.ts'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import { startHttpFake } from '../../../test/fakes/http-fake.ts'
import { startOpenAi } from '../../../test/fakes/openai-server.ts'
import { createClient } from '../core.ts'
import { providerEntries } from '../../contract/provider-entries.ts'
import type { Provider } from '../../contract/models.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** Looks like no key of anybody, so that only knowing it takes it out. */
const key = 'zq7.VERYSECRET_0123456789'

function own(address: string): Provider {
  return { id: 'own', kind: 'openai', name: 'Own', address, hasKey: true }
}

function everyFile(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n')
}

/** Errors with everything that hangs on them, as a careless log would write them. */
function deep(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  const all = Object.getOwnPropertyNames(error).map((name) =>
    name === 'cause' ? '' : String((error as unknown as Record<string, unknown>)[name]),
  )
  return [...all, JSON.stringify(error), error.cause === undefined ? '' : deep(error.cause)].join('\n')
}

test('a key comes out nowhere: not in errors that repeat it, the turn, its export, the log, the lists or the files', async () => {
  const echo = (status: number) => ({ refuse: { status, error: { message: `Bad request of Bearer ${key} (${key})`, code: key } } })
  const statuses = [400, 401, 403, 404, 422, 500]
  const server = await startOpenAi({ models: ['gpt-fake'], chat: (_body, index) => echo(statuses[index % statuses.length] ?? 400) })
  open.push(() => server.close())
  const logged: string[] = []
  const { core, dataDir, end } = await openTestCore({ log: (...line) => logged.push(JSON.stringify(line)) })
  open.push(end)
  const client = createClient(core)
  const folder = mkdtempSync(join(tmpdir(), 'siku-keys-'))
  open.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
  writeFileSync(join(folder, 'lease.md'), '# Notice\n\nThe notice period is three months to the end of a quarter.\n')
  await client.folders.add({ paths: [folder] })
  for await (const progress of await client.library.progress()) if (progress.phase === 'idle') break
  const seen: unknown[] = []
  seen.push(await client.providers.save({ provider: own(server.base), key }))
  await client.models.choose({ ref: { providerId: 'own', model: 'gpt-fake' } })
  let chatId: string | undefined
  for (const mode of statuses.flatMap(() => ['answer', 'agent'] as const)) {
    const asked = await client.chats.ask({ question: 'What is the notice period?', mode, ...(chatId === undefined ? {} : { chatId }) })
    chatId = asked.chatId
    for await (const event of await client.turns.watch({ turnId: asked.turnId })) seen.push(event)
  }
  if (chatId === undefined) throw new Error('no chat')
  seen.push(await client.chats.get({ chatId }), await client.chats.exportMarkdown({ chatId }), await client.chats.exportJson({ chatId }))
  seen.push(
    await client.models.state({ refresh: true }),
    await client.settings.get(),
    await client.network.ledger(),
    await client.doctor.run(),
  )
  expect(server.requests.some((request) => request.headers.authorization === `Bearer ${key}`)).toBe(true)
  expect(server.chats().length).toBeGreaterThan(0)
  await core.close()
  expect(JSON.stringify(seen)).not.toContain('VERYSECRET')
  expect(logged.join('\n')).not.toContain('VERYSECRET')
  expect(everyFile(dataDir)).not.toContain('VERYSECRET')
}, 120_000)

test('an error of the client carries no key, however deep it is looked into', async () => {
  const server = await startHttpFake('echoing', {}, (request, response) => {
    const body = JSON.stringify({ error: { message: `wrong key ${String(request.headers.authorization)}`, key } })
    response.writeHead(Number(request.path.split('/')[1]), { 'content-type': 'application/json', 'x-key': key })
    response.end(body)
    return true
  })
  open.push(() => server.close())
  for (const status of [400, 401, 404, 500]) {
    const made = makeModels({ providers: [own(`${server.url}/${status}`)], transcription: { providerId: 'own', model: 'w' } })
    open.push(() => made.close())
    made.keys.set('provider:own', key)
    const recording = { data: new Uint8Array([1]), mediaType: 'audio/wav', name: 'a.wav' }
    const problem: unknown = await made.models.transcribe(recording).catch((error: unknown) => error)
    expect(problem).toMatchObject({ name: 'SikuError', status })
    expect(deep(problem)).not.toContain('VERYSECRET')
  }
})

test('an error within a stream carries no key', async () => {
  const server = await startHttpFake('echoing', {}, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\ndata: {"error":{"message":"the key ${key} ran out"}}\n\n`)
    return true
  })
  open.push(() => server.close())
  const made = makeModels({ providers: [own(server.url)] })
  open.push(() => made.close())
  made.keys.set('provider:own', key)
  const model = await made.models.resolve({ providerId: 'own', model: 'm' })
  if (model === null) throw new Error('no model')
  const heard = await hear(model)
  expect(heard).toMatchObject({ text: 'half', last: { type: 'error', error: { code: 'model-call' } } })
  expect(JSON.stringify(heard)).not.toContain('VERYSECRET')
})

test('a key that a provider repeats in its answer is masked there, however the stream cuts it', async () => {
  const said = `your key is ${key}, zq7 and ${key.slice(0, 9)}`
  const server = await startOpenAi({
    chat: [
      { text: [...said] },
      { text: [said] },
      {
        reasoning: ['hm ', key.slice(0, 5), key.slice(5), key.slice(0, 3)],
        text: [key.slice(0, 4), 'end'],
        toolCalls: [{ name: 'save', arguments: JSON.stringify({ texts: [`key ${key}`] }) }],
      },
    ],
  })
  open.push(() => server.close())
  const made = makeModels({ providers: [own(server.base)] })
  open.push(() => made.close())
  made.keys.set('provider:own', key)
  const model = await made.models.resolve({ providerId: 'own', model: 'm' })
  if (model === null) throw new Error('no model')
  for (const _way of ['by characters', 'whole']) {
    const heard = await hear(model)
    expect(heard).toMatchObject({ text: `your key is •••, zq7 and ${key.slice(0, 9)}`, last: { type: 'end' } })
    expect(JSON.stringify(heard)).not.toContain('VERYSECRET')
  }
  const tools = [{ name: 'save', description: 'Saves.', parameters: { type: 'object', properties: { texts: { type: 'array' } } } }]
  const heard = await hear(model, 'hello', undefined, { tools })
  expect(heard).toMatchObject({ thinking: `hm •••${key.slice(0, 3)}`, text: `${key.slice(0, 4)}end` })
  expect(heard.events).toContainEqual(
    expect.objectContaining({ type: 'tool-call', call: expect.objectContaining({ arguments: { texts: ['key •••'] } }) }),
  )
})

test('a key that no header can carry is refused without repeating it', async () => {
  const made = makeModels({ providers: [own('http://127.0.0.1:9/v1')] })
  open.push(() => made.close())
  const state = await made.models.test(own('http://127.0.0.1:9/v1'), `VERYSECRET\u4e2d\n文`)
  expect(state).toMatchObject({ reachable: false, error: { code: 'model-config' } })
  expect(JSON.stringify(state)).not.toContain('VERYSECRET')
})

test.each([
  'ftp://host/v1',
  'https://me:VERYSECRET@host/v1',
  'https://host/v1?key=sk-VERYSECRET1',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'sk-VERYSECRET0123 and more',
  '',
])('the address “%s” is refused when it is tried and when it is saved, and no key in it is said again', async (address) => {
  const made = makeModels({ providers: [] })
  open.push(() => made.close())
  const state = await made.models.test(own(address), 'k')
  const saved: unknown = await made.models.saveProvider(own(address), 'k').catch((error: unknown) => error)
  expect(state).toMatchObject({ reachable: false, error: { code: 'model-config' } })
  expect(saved).toMatchObject({ code: 'model-config' })
  expect(JSON.stringify(state.error) + deep(saved)).not.toContain('VERYSECRET')
  expect(made.settings().providers).toEqual([])
  expect(made.keys.size).toBe(0)
})

test('each key of the environment makes its provider appear; it is neither saved nor asked before somebody wants it', async () => {
  const env = {
    OPENAI_API_KEY: 'o',
    OPENAI_BASE_URL: 'https://proxy.example/v1',
    DASHSCOPE_API_KEY: 'd',
    ZHIPUAI_API_KEY: ' z ',
    MOONSHOT_API_KEY: '',
  }
  const made = makeModels({ providers: [] }, env)
  open.push(() => made.close())
  const { providers } = await made.models.state()
  expect(providers.map(({ provider }) => [provider.id, provider.address, provider.hasKey])).toEqual([
    ['openai-environment', 'https://proxy.example/v1', true],
    ['dashscope-environment', 'https://dashscope.aliyuncs.com/compatible-mode/v1', true],
    ['zhipu-environment', 'https://open.bigmodel.cn/api/paas/v4', true],
  ])
  expect(made.contacts).toEqual([])
  expect(made.settings().providers).toEqual([])
  await expect(made.models.saveProvider({ ...own('https://x.example'), id: 'zhipu-environment' })).rejects.toMatchObject({
    code: 'bad-input',
  })
})

test('a key of the environment is sent to its own provider', async () => {
  const server = await startOpenAi({ key: 'from-env', chat: [{ text: 'fine' }] })
  open.push(() => server.close())
  const made = makeModels({ providers: [] }, { DEEPSEEK_API_KEY: 'from-env', DEEPSEEK_BASE_URL: server.base })
  open.push(() => made.close())
  const model = await made.models.resolve({ providerId: 'deepseek-environment', model: 'deepseek-chat' })
  if (model === null) throw new Error('no model')
  expect((await hear(model)).text).toBe('fine')
})

test('every ready entry can be saved as it is, has its own name, and says where its keys are made', async () => {
  const made = makeModels({ providers: [] })
  open.push(() => made.close())
  for (const entry of providerEntries) {
    const saved = await made.models.saveProvider({ id: entry.id, kind: 'openai', name: entry.name, address: entry.address, hasKey: false })
    const isLocal = made.net.isLoopback(saved.address)
    expect([entry.id, entry.keysAt === null]).toEqual([entry.id, isLocal])
    if (!isLocal) expect(new URL(entry.keysAt ?? '').protocol + new URL(entry.address).protocol).toBe('https:https:')
  }
  expect(new Set(providerEntries.map(({ id }) => id)).size).toBe(providerEntries.length)
  const variables = providerEntries.flatMap(({ env }) => env.keys)
  expect(new Set(variables).size).toBe(variables.length)
})
