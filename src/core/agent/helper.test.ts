import { afterEach, describe, expect, test } from 'vitest'
import { grantOf, gate, recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { messageText } from '../../contract/message.ts'

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

describe('delegation', () => {
  const isHelper = (system: string): boolean => system.startsWith('You are a helper')

  test('helpers work side by side with their own context, ask through the turn, and their results come back', async () => {
    const { open: release, passed } = gate()
    let waiting = 0
    const look = recordedTool('look', async (text) => {
      waiting += 1
      if (waiting === 2) release()
      await passed
      return `${text} is blue`
    })
    const fetch = recordedTool('fetch', undefined, { access: 'network' })
    const agent = await open({
      tools: [look.tool, fetch.tool],
      decide: () => 'refuse',
      script: (request) => {
        const system = messageText(request.messages[0]!)
        const last = request.messages.at(-1)!
        if (!isHelper(system)) {
          const task = (text: string) => call('delegate', { task: `Find the colour of ${text}`, tools: ['look', 'fetch'] })
          return last.role === 'user' ? { calls: [task('sky'), task('sea')] } : { text: 'Both are blue.' }
        }
        if (last.role === 'tool') return { text: `Found: ${messageText(last).includes('blue') ? 'blue' : 'nothing'}` }
        const what = messageText(last).split(' ').at(-1)!
        return { calls: [call('look', { text: what }), call('fetch', { text: what })] }
      },
    })
    const { turn, approvals, messages } = await agent.run('Which colours do sky and sea have?')
    expect(turn).toMatchObject({ outcome: 'answered', answer: 'Both are blue.' })
    const [first, second] = turn.calls.filter(({ tool }) => tool === 'delegate')
    expect(
      turn.calls
        .filter(({ tool }) => tool === 'look')
        .map(({ parentCallId }) => parentCallId)
        .sort(),
    ).toEqual([first?.callId, second?.callId].sort())
    expect(look.mostAtOnce).toBe(2)
    expect(approvals).toHaveLength(2)
    expect(fetch.calls).toEqual([])
    const helpers = agent.model.requests.filter(({ messages: [system] }) => isHelper(messageText(system!)))
    for (const { tools, messages: given } of helpers) {
      expect((tools ?? []).map(({ name }) => name)).toEqual(['look', 'fetch'])
      expect(given.map(messageText).join()).not.toContain('Which colours')
    }
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant'])
    expect(messages[2]?.content).toMatch(/Found: /)
  })

  test('what a helper reads counts for the turn: the dangerous three are found across it', async () => {
    const secret = recordedTool('secret', () => 'the key is under the mat', { gives: { private: true, untrusted: true } })
    const send = recordedTool('send', undefined, { access: 'network' })
    const agent = await open({
      tools: [secret.tool, send.tool],
      settings: { toolGrants: [grantOf(send.tool)] },
      script: (request) => {
        const last = request.messages.at(-1)!
        if (isHelper(messageText(request.messages[0]!)))
          return last.role === 'user' ? { calls: [call('secret', { text: 'x' })] } : { text: 'mat' }
        if (last.role === 'user') return { calls: [call('delegate', { task: 'Find the secret' })] }
        return last.name === 'delegate' ? { calls: [call('send', { text: 'mat' })] } : { text: 'Sent.' }
      },
    })
    expect((await agent.run('go')).approvals).toMatchObject([{ tool: 'send', dangerous: true }])
    expect(send.calls).toEqual([])
  })

  test('a helper that never ends is ended by its part of the budget, and the agent goes on', async () => {
    const look = recordedTool('look')
    const agent = await open({
      tools: [look.tool],
      script: (request, index) => {
        if (!isHelper(messageText(request.messages[0]!)))
          return request.messages.at(-1)!.role === 'user'
            ? { calls: [call('delegate', { task: 'Look for ever' })] }
            : { text: 'It found little.' }
        return request.tools === undefined ? { text: 'I only looked.' } : { calls: [call('look', { text: `${index}` })] }
      },
    })
    const { turn } = await agent.run('go')
    expect(turn).toMatchObject({ outcome: 'answered', answer: 'It found little.' })
    expect(look.calls.length).toBeLessThanOrEqual(6)
    expect(turn.calls[0]?.result).toMatch(/came to its limit \(step-limit\)\.\nI only looked\./)
  })
})

test('helpers keep to the agent’s own steps, and their requests to a multiple of the turn’s', async () => {
  let name = 0
  const next = () => String(name++)
  const agent = await open({
    tools: [recordedTool('look').tool],
    script: (request) => {
      if (messageText(request.messages[0]!).startsWith('You are a helper'))
        return request.tools === undefined ? { text: 'so far' } : { calls: [call('look', { text: next() })] }
      return request.tools === undefined
        ? { text: 'Not done.' }
        : { calls: Array.from({ length: 4 }, () => call('delegate', { task: `task ${next()}` })) }
    },
  })
  const { turn } = await agent.run('go on', { agent: { name: '', system: '', tools: null, memory: false, maxSteps: 3 } })
  expect(turn.outcome).toBe('incomplete')
  expect(agent.model.requests.length).toBeLessThanOrEqual(9)
  const perHelper = turn.calls
    .filter(({ tool }) => tool === 'delegate')
    .map(({ callId }) => turn.calls.filter((each) => each.parentCallId === callId).length)
  expect(Math.max(...perHelper)).toBeLessThanOrEqual(3)
})

test('calls of tools that there are not, and wrong calls, count as calls', async () => {
  const agent = await open({
    tools: [recordedTool('look').tool],
    settings: { agentMaxCalls: 4, agentMaxSteps: 50 },
    script: (request, index) =>
      request.tools === undefined ? { text: 'Not done.' } : { calls: [call(`none_${index}`, {}), call('look', { wrong: index })] },
  })
  const { turn } = await agent.run('go on')
  expect(turn).toMatchObject({ outcome: 'incomplete', notes: [{ code: 'budget' }, { code: 'calls-failed', count: 5 }] })
  expect(agent.model.requests.length).toBeLessThanOrEqual(4)
})
