import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { openTestCore } from '../../../test/fakes/core.ts'
import { startOllama } from '../../../test/fakes/ollama-server.ts'
import { scriptedModel } from '../../../test/fakes/scripted-model.ts'
import type { TurnEvent } from '../../contract/answer.ts'
import { createClient, defineTool } from '../core.ts'
import { eventsOfTurn } from '../turns/stored-turn.ts'

const opened: { end(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.end()
})

async function open(options: OpenAgentOptions): Promise<TestAgent> {
  const agent = await openAgent(options)
  opened.push(agent)
  return agent
}

const call = (name: string, args: unknown) => ({ name, arguments: args })

test('the example of addTool works as it stands', async () => {
  const ollama = await startOllama({
    chat: [{ toolCalls: [{ name: 'count_sheep', arguments: { field: 'the north field' } }] }, { text: 'There are 42 sheep.' }],
  })
  const { core, end } = await openTestCore({ env: { OLLAMA_HOST: ollama.address } })
  opened.push({
    end: async () => {
      await end()
      await ollama.close()
    },
  })
  let said = ''

  core.addTool(
    defineTool({
      name: 'count_sheep',
      description: 'Says how many sheep are in a field.',
      schema: z.object({ field: z.string().describe('the name of the field') }),
      access: 'read',
      run: ({ field }) => `There are 42 sheep in ${field}.`,
    }),
  )
  const client = createClient(core)
  const { turnId } = await client.chats.ask({ question: 'How many sheep are in the north field?', mode: 'agent' })
  for await (const event of await client.turns.watch({ turnId })) {
    if (event.type === 'approval-request') await client.turns.approve({ turnId, ...event.approval, decision: 'refuse' })
    if (event.type === 'text-delta') said += event.text
  }

  expect(said).toBe('There are 42 sheep.')
  const [first, second] = ollama.chats() as unknown as {
    tools?: { function: { name: string } }[]
    messages: { role: string; content: string }[]
  }[]
  expect(first?.tools?.map((tool) => tool.function.name)).toContain('count_sheep')
  expect(second?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('There are 42 sheep in the north field.'),
  })
  expect(() =>
    core.addTool(defineTool({ name: 'count_sheep', description: '', schema: z.object({}), access: 'read', run: () => '' })),
  ).toThrow(/already/)
  expect(() =>
    core.addTool(defineTool({ name: 'count sheep', description: '', schema: z.object({}), access: 'read', run: () => '' })),
  ).toThrow(/no name/)
})

test('stop closes the socket of the model', async () => {
  const ollama = await startOllama({ chat: [{ text: 'one two three', ends: 'stall' }] })
  const { core, end } = await openTestCore({ env: { OLLAMA_HOST: ollama.address } })
  opened.push({
    end: async () => {
      await end()
      await ollama.close()
    },
  })
  const client = createClient(core)
  const { turnId } = await client.chats.ask({ question: 'count', mode: 'agent' })
  let last: TurnEvent | undefined
  for await (const event of await client.turns.watch({ turnId })) {
    if (event.type === 'text-delta') void client.turns.stop({ turnId })
    last = event
  }
  expect(last).toMatchObject({ type: 'turn-end', outcome: 'stopped' })
  await expect.poll(() => ollama.abortedRequests).toBe(1)
})

describe('a stored turn', () => {
  test('watched again gives the same picture, and its Markdown shows the calls and no thoughts', async () => {
    const [look, write] = [recordedTool('look'), recordedTool('write', undefined, { access: 'write' })]
    const agent = await open({
      tools: [look.tool, write.tool],
      decide: () => 'once',
      script: [
        {
          thinking: 'secret thought',
          calls: [call('update_plan', { items: ['a', 'b'] }), call('look', { text: 'x' }), call('write', { text: 'y' })],
        },
        { text: 'Done.' },
      ],
    })
    const { turn, chatId, events } = await agent.run('do')
    const replayed = eventsOfTurn(turn)
    const of = (list: TurnEvent[], ...types: TurnEvent['type'][]) =>
      list.filter((event) => types.includes(event.type)).map((event) => ({ ...event, seq: 0, approvalId: '' }))
    for (const type of ['plan', 'call-start', 'call-end', 'turn-end', 'answer-checked', 'approval-end'] as const)
      expect(of(replayed, type)).toEqual(of(events, type))
    const { markdown } = await agent.client.chats.exportMarkdown({ chatId })
    expect(markdown).toMatch(/- look\(text: “x”\) \(ok, 0\.\d s\)\n- write/)
    expect(markdown).not.toContain('secret thought')
  })

  test('a library that is open for reading only is worked with all the same', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'siku-agent-'))
    const first = await openTestCore({ dataDir })
    await first.core.close()
    const { core } = await openTestCore({ dataDir, readOnly: true })
    opened.push({
      end: async () => {
        await core.close()
        rmSync(dataDir, { recursive: true, force: true })
      },
    })
    const look = recordedTool('look')
    core.addTool(look.tool)
    const model = scriptedModel([{ calls: [call('look', { text: 'x' })] }, { text: 'Done.' }])
    core.context.models.resolve = () => Promise.resolve(model)
    const client = createClient(core)
    const { turnId } = await client.chats.ask({ question: 'look', mode: 'agent' })
    let last: TurnEvent | undefined
    for await (const event of await client.turns.watch({ turnId })) last = event
    expect(last).toMatchObject({ type: 'turn-end', outcome: 'answered' })
    expect(look.calls).toEqual(['x'])
  })
})

describe('the list of tools', () => {
  test('names what there is, and what is switched off is not offered', async () => {
    const [red, blue] = [recordedTool('red'), recordedTool('blue', undefined, { unavailable: () => 'It has no paint.' })]
    const torn = recordedTool('torn', undefined, {
      unavailable: () => {
        throw new Error('It is torn.')
      },
    })
    const agent = await open({ tools: [red.tool, blue.tool, torn.tool], script: [{ text: 'a' }, { text: 'b' }] })
    const listed = await agent.client.tools.list()
    expect(listed.find(({ name }) => name === 'red')).toMatchObject({
      access: 'read',
      source: 'built-in',
      enabled: true,
      unavailable: null,
      schema: { type: 'object', required: ['text'] },
    })
    expect(listed.find(({ name }) => name === 'blue')?.unavailable).toBe('It has no paint.')
    expect(listed.find(({ name }) => name === 'torn')?.unavailable).toBe('It is torn.')
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['update_plan', 'delegate']))
    await agent.run('a')
    await agent.client.tools.setEnabled({ name: 'red', enabled: false })
    await agent.client.tools.setEnabled({ name: 'delegate', enabled: false })
    await agent.run('b')
    const names = (index: number) => (agent.model.requests[index]?.tools ?? []).map(({ name }) => name)
    expect(names(0)).toEqual(expect.arrayContaining(['red', 'delegate', 'update_plan']))
    expect(names(0)).not.toContain('blue')
    expect(names(0)).not.toContain('torn')
    expect(names(1)).not.toContain('red')
    expect(names(1)).not.toContain('delegate')
  })

  test('tools of MCP servers are the network’s, ask for their server, and what a program on this machine gives is dangerous', async () => {
    const transport = { kind: 'stdio' as const, command: 'x', args: [], secretNames: [] }
    const agent = await open({
      settings: { mcpServers: [{ id: 'my-notes', name: 'Notes', transport, enabled: true, pins: [] }] },
      script: (request, index) => {
        const name = (request.tools ?? []).find((tool) => tool.name.startsWith('my_notes__'))?.name ?? 'none'
        return index === 2 || index > 3 ? { text: 'Done.' } : { calls: [call(name, { q: `${index}` })] }
      },
      decide: ({ dangerous }) => (dangerous ? 'refuse' : 'chat'),
    })
    const called: unknown[] = []
    const schema = { type: 'object', properties: { q: { type: 'string', description: 'what' } }, required: ['q'] }
    const tool = (name: string) => ({
      ...{ serverId: 'my-notes', serverName: 'Notes', name, description: `${name} notes.`, schema },
      call: (args: unknown) => {
        called.push(args)
        return Promise.resolve({ text: 'a note', failed: false })
      },
    })
    agent.core.context.mcp.tools = () => Promise.resolve([tool('find'), tool('find-all'), tool('find.all')])
    const listed = (await agent.client.tools.list()).filter(({ source }) => source === 'my-notes')
    expect(listed.map(({ name, schema: shown, access }) => [name.replace(/[0-9a-f]{8}$/, '#'), shown, access])).toEqual([
      ['my_notes__find', schema, 'network'],
      ['my_notes__find_all_#', schema, 'network'],
      ['my_notes__find_all_#', schema, 'network'],
    ])
    expect(new Set(listed.map(({ name }) => name)).size).toBe(3)
    const { approvals, turn } = await agent.run('find')
    expect(approvals).toMatchObject([
      { tool: 'my_notes__find', site: 'my-notes', access: 'network', dangerous: false },
      { tool: 'my_notes__find', dangerous: true },
    ])
    expect(called).toEqual([{ q: '0' }])
    expect(turn.calls.map(({ status }) => status)).toEqual(['ok', 'refused'])
    await agent.client.settings.patch({ offline: true })
    const offline = await agent.run('find', {}, () => 'once')
    expect(offline.approvals).toEqual([])
  })
})
