import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { startOllama } from '../../../test/fakes/ollama-server.ts'
import { needsNoteFolder } from '../../contract/call-text.ts'
import { SikuError } from '../../contract/errors.ts'
import type { Tool } from './tool.ts'

const opened: TestAgent[] = []
afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.end()
})

async function open(options: OpenAgentOptions): Promise<TestAgent> {
  const agent = await openAgent(options)
  opened.push(agent)
  return agent
}

const call = (name: string, text: string) => ({ name, arguments: { text } })

test('whatever a tool gives or throws becomes a result, the calls beside it end, and none stays running', async () => {
  const odd = (name: string, run: () => unknown, changes: Partial<Tool> = {}): Tool =>
    ({ ...recordedTool(name, undefined, changes).tool, run }) as Tool
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  const tools: Record<string, [Tool, string, RegExp]> = {
    nothing: [odd('nothing', () => undefined), 'error', /without a result/],
    none: [odd('none', () => null), 'error', /without a result/],
    number: [odd('number', () => 42), 'ok', /\n42\n/],
    object: [odd('object', () => ({ celsius: 21 })), 'ok', /\{"celsius":21\}/],
    half: [odd('half', () => ({ text: 7 })), 'ok', /\{"text":7\}/],
    cyclic: [odd('cyclic', () => cyclic), 'error', /failed/],
    big: [odd('big', () => 7n), 'error', /failed/],
    thrown: [odd('thrown', () => Promise.reject(undefined as unknown as Error)), 'error', /failed/],
    async: [odd('async', () => 'x', { schema: z.object({ text: z.string().superRefine(async () => undefined) }) }), 'error', /failed/],
    adapts: [
      odd('adapts', () => 'x', {
        adapt: () => {
          throw new Error('no adapter')
        },
      }),
      'error',
      /no adapter/,
    ],
    frozen: [odd('frozen', () => 'x', { schema: z.object({ text: z.string().transform(() => 7n) }) }), 'error', /failed/],
    site: [
      odd('site', () => 'x', {
        access: 'write',
        site: () => {
          throw new Error('no site')
        },
      }),
      'bad-arguments',
      /no site/,
    ],
    fine: [recordedTool('fine').tool, 'ok', /fine of x/],
  }
  const names = Object.keys(tools)
  const agent = await open({
    tools: Object.values(tools).map(([tool]) => tool),
    script: [{ calls: names.map((name) => call(name, 'x')) }, { text: 'Most did not work.' }],
  })
  const { turn, messages } = await agent.run('all of them')
  expect(turn.outcome).toBe('answered')
  expect(turn.calls.map(({ tool, status }) => [tool, status])).toEqual(names.map((name) => [name, tools[name]![1]]))
  for (const message of messages.filter(({ role }) => role === 'tool')) expect(message.content).toMatch(tools[message.name!]![2])
})

test('a tool has no more time than its turn has left', async () => {
  const sleeper = recordedTool('sleeper', () => new Promise<string>(() => undefined))
  const agent = await open({
    tools: [sleeper.tool],
    settings: { agentMaxMs: 1000 },
    script: (request) => (request.tools === undefined ? { text: 'It took too long.' } : { calls: [call('sleeper', 'x')] }),
  })
  const { turn } = await agent.run('sleep')
  expect(turn).toMatchObject({ outcome: 'incomplete', calls: [{ status: 'timeout' }] })
})

test('a tool that is not whole is refused when it is added, not found out in a turn', async () => {
  const agent = await open({ script: [] })
  const good = recordedTool('good').tool
  const bad: [string, Partial<Record<keyof Tool, unknown>>, string][] = [
    ['a blank', { name: 'go od' }, 'bad-input'],
    ['a built-in name in another case', { name: 'Calculate' }, 'conflict'],
    ['no name', { name: '' }, 'bad-input'],
    ['a name of every object', { name: 'constructor' }, 'bad-input'],
    ['the name of the prototype', { name: '__proto__' }, 'bad-input'],
    ['no text as a name', { name: 7 }, 'bad-input'],
    ['a built-in name', { name: 'calculate' }, 'conflict'],
    ['the name of a tool of the turn', { name: 'delegate' }, 'conflict'],
    ['the name of another as its alias', { aliases: ['calculate'] }, 'conflict'],
    ['an alias of another as its alias', { aliases: ['count_words'] }, 'conflict'],
    ['no access', { access: undefined }, 'bad-input'],
    ['an access that is none', { access: 'admin' }, 'bad-input'],
    ['no description', { description: undefined }, 'bad-input'],
    ['no schema', { schema: undefined, parameters: undefined }, 'bad-input'],
    ['a schema that is no object', { schema: z.string(), parameters: undefined }, 'bad-input'],
    ['JSON in place of a schema', { schema: { type: 'object' } }, 'bad-input'],
    ['a check that waits', { schema: z.object({ text: z.string().refine(async () => true) }) }, 'bad-input'],
    ['a transform that waits', { schema: z.object({ text: z.string().transform(async (text) => text) }) }, 'bad-input'],
    ['nothing to run', { run: undefined }, 'bad-input'],
  ]
  for (const [what, change, code] of bad) {
    let error: unknown = null
    try {
      agent.core.addTool({ ...good, ...change } as Tool)
    } catch (thrown) {
      error = thrown
    }
    expect(error, what).toBeInstanceOf(SikuError)
    expect(error, what).toMatchObject({ code })
  }
  agent.core.addTool(good)
  agent.core.addTool({ ...good, name: 'count_words' })
  expect(() => agent.core.addTool(good)).toThrow(/already/)
})

test('a call of a tool that cannot be used hears why, and the folder for notes is one that is there', async () => {
  const agent = await open({
    settings: { disabledTools: ['convert_units'] },
    script: [
      {
        calls: [
          { name: 'write_note', arguments: { title: 'a', text: 'b' } },
          { name: 'convert_units', arguments: {} },
        ],
      },
      { text: 'No.' },
    ],
  })
  const { turn } = await agent.run('Write a note')
  expect(turn.calls.map(({ status }) => status)).toEqual(['error', 'error'])
  expect(turn.calls[0]?.result).toMatch(/write_note cannot be used now[\s\S]*No folder/)
  expect(turn.calls.map(needsNoteFolder)).toEqual([true, false])
  expect(turn.calls[1]?.result).toMatch(/switched off/)
  for (const noteFolder of ['notes', '/none/such/folder', import.meta.filename])
    await expect(agent.client.settings.patch({ noteFolder })).rejects.toMatchObject({ code: 'bad-input' })
  expect((await agent.client.settings.patch({ noteFolder: '' })).noteFolder).toBeNull()
  expect((await agent.client.settings.patch({ noteFolder: import.meta.dirname })).noteFolder).toBe(import.meta.dirname)
})

test('a call whose arguments are nested beyond all use has a result, and the turn goes on', async () => {
  const deep = (depth: number) => `{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const ollama = await startOllama({
    models: [{ name: 'deep-fake:4b', capabilities: ['completion', 'tools'] }],
    chat: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'I could not call it.' }
        : {
            toolCalls: [
              { name: 'echo', arguments: JSON.parse(deep(3_000)) as unknown },
              { name: 'echo', arguments: deep(20_000) },
              { name: 'echo', arguments: { text: deep(20_000) } },
            ],
          },
  })
  try {
    const echo = recordedTool('echo')
    const agent = await open({ tools: [echo.tool], deps: { env: { OLLAMA_HOST: ollama.address } } })
    const { turn } = await agent.run('echo it')
    expect(turn).toMatchObject({ outcome: 'answered', answer: 'I could not call it.', error: null })
    expect(turn.calls.map(({ status, result }) => [status, /nested more than \d+ levels/.test(result)])).toEqual([
      ['bad-arguments', true],
      ['bad-arguments', true],
      ['ok', false],
    ])
  } finally {
    await ollama.close()
  }
})
