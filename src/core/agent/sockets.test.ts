import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { startOllama, type OllamaServerOptions } from '../../../test/fakes/ollama-server.ts'
import { startWebFake, type WebFakeOptions } from '../../../test/fakes/web-server.ts'
import { defineTool } from './agent.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end()
})

async function open(ollamaOptions: OllamaServerOptions, webOptions: WebFakeOptions = {}, options: OpenAgentOptions = {}) {
  const [ollama, web] = await Promise.all([startOllama(ollamaOptions), startWebFake(webOptions)])
  opened.push(() => ollama.close())
  opened.push(() => web.close())
  const agent: TestAgent = await openAgent({ ...options, deps: { env: { OLLAMA_HOST: ollama.address }, outside: web.outside } })
  opened.push(() => agent.end())
  return { agent, ollama, web }
}

const weather = (city: string) => ({ name: 'get_weather', arguments: { cities: [city], days: 1 } })

test('the weather of two cities in one turn: two calls side by side, one answer that stands in the results', async () => {
  let waiting = 0
  let release: () => void = () => undefined
  const both = new Promise<void>((resolve) => (release = resolve))
  const { agent, ollama, web } = await open(
    { chat: [{ toolCalls: [weather('南京'), weather('成都')] }, { text: ['南京现在 24.3 °C，多云；', '成都现在 27.6 °C，阴。'] }] },
    {
      // Neither city is answered before both were asked for.
      beforeWeather: ({ path }) => {
        if (!path.startsWith('/v1/search')) return
        waiting += 1
        if (waiting === 2) release()
        return both
      },
    },
  )
  const { turn, approvals } = await agent.run('南京和成都现在的天气怎么样？', {}, () => 'once')
  expect(turn).toMatchObject({ outcome: 'answered', answer: '南京现在 24.3 °C，多云；成都现在 27.6 °C，阴。', notes: [] })
  expect(turn.sentences.every(({ supported }) => supported)).toBe(true)
  expect(approvals.map(({ site, dangerous }) => [site, dangerous])).toEqual(Array(2).fill(['open-meteo.com', false]))
  expect(turn.calls.map(({ tool, status }) => [tool, status])).toEqual(Array(2).fill(['get_weather', 'ok']))
  expect(new Set(web.connected)).toEqual(new Set(['geocoding-api.open-meteo.com', 'api.open-meteo.com']))
  const last = ollama.chats().at(-1)!
  expect(last.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
  expect(last.messages[3]?.content).toContain('南京')
  expect(last.messages[4]?.content).toContain('成都')
})

test('refused or offline, not one connection leaves this machine', async () => {
  const chat = [{ toolCalls: [weather('南京')] }, { text: '查不到。' }, { toolCalls: [weather('南京')] }, { text: '离线。' }]
  const { agent, web } = await open({ chat })
  expect((await agent.run('南京天气？', {}, () => 'refuse')).turn.calls).toMatchObject([{ status: 'refused' }])
  await agent.client.settings.patch({ offline: true })
  expect((await agent.run('南京天气？', {}, () => 'once')).turn.calls).toMatchObject([{ status: 'offline' }])
  expect(web.connected).toEqual([])
})

test('two calls as a real Ollama sent them reach their tools and come back in order', async () => {
  const seen: unknown[] = []
  const recorded = (name: string, schema: z.ZodType) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      schema,
      access: 'read',
      run: (args) => {
        seen.push([name, args])
        return `result of ${name}`
      },
    })
  const tools = [
    recorded('search_documents', z.object({ query: z.string(), top_k: z.int().optional() })),
    recorded('get_current_time', z.object({ timezone: z.string() })),
  ]
  const { agent, ollama } = await open({ chat: [{ text: 'It is noon, and there are panels.' }] }, {}, { tools })
  ollama.replay('chat_tools_two_native', { kind: 'bytes' })
  const { turn, messages } = await agent.run('What time is it in Madrid and find documents about solar panels.')
  expect(turn).toMatchObject({ outcome: 'answered', answer: 'It is noon, and there are panels.' })
  expect(seen).toEqual([
    ['get_current_time', { timezone: 'Europe/Madrid' }],
    ['search_documents', { query: 'solar panels' }],
  ])
  expect(messages.map(({ role, toolCallId, name }) => [role, toolCallId, name])).toEqual([
    ['user', undefined, undefined],
    ['assistant', undefined, undefined],
    ['tool', 'VlN6zwowprdvDsNB5PPPcUIcqV6oBNR2', 'get_current_time'],
    ['tool', 'AKrvPF1XTGYXqCCLsuu0gN5Du1Hb0iki', 'search_documents'],
    ['assistant', undefined, undefined],
  ])
  expect(messages[1]?.metadata).toMatchObject({ usage: { promptTokens: 575, completionTokens: 68, totalTokens: 643 } })
})

test('a model without tools of its own gets them by text, which is said once', async () => {
  const model = { name: 'plain:4b', capabilities: ['completion'] }
  const echo = defineTool({
    name: 'echo',
    description: 'Says it again.',
    schema: z.object({ text: z.string().describe('what') }),
    access: 'read',
    run: ({ text }) => `echo of ${text}`,
  })
  const { agent, ollama } = await open(
    {
      models: [model],
      chat: [
        { text: 'Thought: I need to hear it.\nAction: echo\nAction Input: {"text": "sea"}\n' },
        { text: 'Thought: I know it now.\nFinal Answer: It says: echo of sea.' },
      ],
    },
    {},
    { tools: [echo] },
  )
  const { turn } = await agent.run('What does the sea say?')
  expect(turn.calls).toMatchObject([{ tool: 'echo', arguments: { text: 'sea' }, status: 'ok' }])
  expect(turn.answer).toBe('It says: echo of sea.')
  expect(turn.notes).toMatchObject([{ code: 'text-protocol' }])
  expect(ollama.chats().every((body) => !('tools' in body))).toBe(true)
})
