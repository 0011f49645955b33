import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { defineTool } from './agent.ts'

const opened: TestAgent[] = []
afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.end()
})

async function open(options: OpenAgentOptions): Promise<TestAgent> {
  const agent = await openAgent(options)
  opened.push(agent)
  return agent
}

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  schema: z.object({ text: z.string().describe('what') }),
  access: 'read',
  run: ({ text }) => `echo of ${text}`,
})

test('a question without tools costs one request and nothing else', async () => {
  const agent = await open({ script: [{ text: ['Hello', ' there.'] }] })
  const { turn, messages, events } = await agent.run('hello')
  expect(turn).toMatchObject({ outcome: 'answered', answer: 'Hello there.', mode: 'agent', calls: [], notes: [], plan: [] })
  expect(agent.model.requests).toHaveLength(1)
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hello'],
    ['assistant', 'Hello there.'],
  ])
  expect(events.filter((event) => event.type === 'step-start').map((event) => event.kind)).toEqual(['round'])
})

test('a call runs, its fenced result goes back in a tool message, and the text before it is not the answer', async () => {
  const agent = await open({
    tools: [echo],
    script: [{ text: 'Let me look.', calls: [{ name: 'echo', arguments: { text: 'sea' } }] }, { text: 'It says echo of sea.' }],
  })
  const { turn, messages, events } = await agent.run('what does it say?')
  expect(turn.answer).toBe('It says echo of sea.')
  expect(events.some((event) => event.type === 'text-reset')).toBe(true)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(messages[1]).toMatchObject({ content: 'Let me look.', toolCalls: [{ name: 'echo', arguments: { text: 'sea' } }] })
  expect(messages[2]).toMatchObject({ name: 'echo', toolCallId: messages[1]?.toolCalls?.[0]?.id, metadata: { status: 'ok' } })
  expect(messages[2]?.content).toBe('<data tool="echo">\necho of sea\n</data>')
  expect(turn.calls).toMatchObject([{ tool: 'echo', status: 'ok', access: 'read', parentCallId: null, cutFrom: null }])
})
