import { afterEach, expect, test } from 'vitest'
import { recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent } from '../../../test/fakes/agent.ts'
import { startOllama, type ChatScript } from '../../../test/fakes/ollama-server.ts'
import type { TurnEvent } from '../../contract/answer.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end()
})

/** The windows that the meter measured against, in order, and those that the server was asked for. */
async function played(chat: ChatScript[]): Promise<{ shown: number[]; sent: unknown[]; events: TurnEvent[]; rounds: number }> {
  const ollama = await startOllama({
    models: [{ name: 'large:4b', contextLength: 32_768, capabilities: ['completion', 'tools'] }],
    chat,
  })
  opened.push(() => ollama.close())
  const look = recordedTool('look', () => 'The rent is 3250.')
  const agent = await openAgent({ tools: [look.tool], deps: { env: { OLLAMA_HOST: ollama.address } } })
  opened.push(() => agent.end())
  const { events } = await agent.run('What is the rent?')
  return {
    events,
    shown: events.flatMap((event) => (event.type === 'context-use' ? [event.use.windowTokens] : [])),
    sent: ollama.chats().map(({ options }) => options?.['num_ctx']),
    rounds: ollama.chats().length,
  }
}

const look = (text: string): ChatScript => ({ toolCalls: [{ name: 'look', arguments: { text } }] })

test('the meter measures against the window that each call is really sent with, and no other', async () => {
  const { shown, sent, rounds } = await played([look('a'), look('b'), { text: 'It is 3250.' }])
  expect(rounds).toBe(3)
  expect(shown).toEqual(sent)
  for (const window of shown) expect(window).toBeLessThan(32_768)
})

test('a model that fails half-way leaves the meter at the same window', async () => {
  const { shown, sent, events } = await played([look('a'), { refuse: { status: 400, error: 'broken' } }])
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed' })
  expect(shown).toEqual(sent.slice(0, shown.length))
  expect(shown.length).toBe(2)
})

test('it grows when the prompt does', async () => {
  const { shown, sent } = await played([look('a'), look('x'.repeat(40_000)), { text: 'It is 3250.' }])
  expect(shown).toEqual(sent)
  expect(shown.at(-1)).toBeGreaterThan(shown[0] ?? 0)
})
