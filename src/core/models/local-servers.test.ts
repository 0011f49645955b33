import { afterEach, expect, test } from 'vitest'
import { hear, makeModels } from '../../../test/fakes/models.ts'
import { startOpenAi } from '../../../test/fakes/openai-server.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

/** As a llama.cpp server answered with SmolLM2, whose template has no place for tools. */
const smol = {
  default_generation_settings: { params: { seed: 4294967295 }, n_ctx: 2048 },
  total_slots: 1,
  modalities: { vision: false, video: false, audio: false },
  chat_template_caps: { supports_system_role: true, supports_tool_calls: false, supports_tools: false },
}
const able = { ...smol, modalities: { vision: true, audio: false }, chat_template_caps: { supports_tools: true } }

async function withServer(options: Parameters<typeof startOpenAi>[0]) {
  const server = await startOpenAi(options)
  const made = makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.base, hasKey: false }] })
  open.push(server, made)
  return { server, ...made }
}

test('a llama.cpp server that would drop tools without a word is given them as text', async () => {
  const { server, models } = await withServer({
    models: ['smol'],
    owner: 'llamacpp',
    beside: { '/props': smol },
    chat: [{ text: 'Four.' }],
  })
  const model = await models.resolve({ providerId: 'own', model: 'smol' })
  if (model === null) throw new Error('no model')
  expect(model.info).toMatchObject({ contextLength: 2048, capabilities: ['completion'] })
  const tools = [{ name: 'get_time', description: 'The time', parameters: {} }]
  expect((await hear(model, 'x', undefined, { tools })).events[0]).toMatchObject({ type: 'warning', code: 'text-protocol' })
  expect(server.chats()[0]).not.toHaveProperty('tools')
})

test.each([
  [
    'its template takes tools and pictures',
    ['one'],
    { '/props': able },
    { contextLength: 2048, capabilities: ['completion', 'tools', 'vision'] },
  ],
  [
    'an older one says nothing of its template',
    ['one'],
    { '/props': { default_generation_settings: { n_ctx: 4096 } } },
    { contextLength: 4096, capabilities: [] },
  ],
  ['its properties are no properties', ['one'], { '/props': 'no' }, { contextLength: null, capabilities: [] }],
  ['it leads to several models', ['one', 'two'], { '/props': able }, { contextLength: null, capabilities: [] }],
])('a llama.cpp server: %s', async (_case, names, beside, expected) => {
  const { models } = await withServer({ models: names, owner: 'llamacpp', beside })
  expect((await models.state()).providers[0]?.models[0]).toMatchObject(expected)
})

test('nobody else is asked for properties', async () => {
  const { server, models } = await withServer({ models: ['gpt'], owner: 'openai', beside: { '/props': able } })
  expect((await models.state()).providers[0]?.models[0]?.capabilities).toEqual([])
  expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models'])
})

test('LM Studio: the window a model is loaded with counts, not the one it could have', async () => {
  const told = { id: 'loaded', state: 'loaded', max_context_length: 131072, loaded_context_length: 4096 }
  const { models } = await withServer({
    models: ['cold', 'loaded'],
    owner: 'organization_owner',
    beside: { '/api/v0/models': { data: [told, { id: 'cold', max_context_length: 32768 }] } },
  })
  const found = (await models.state()).providers[0]?.models.map(({ ref, contextLength }) => [ref.model, contextLength])
  expect(found).toEqual([
    ['cold', null],
    ['loaded', 4096],
  ])
})
