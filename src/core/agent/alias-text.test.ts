import { afterEach, expect, test } from 'vitest'
import { openAgent, type TestAgent } from '../../../test/fakes/agent.ts'
import { messageText } from '../../contract/message.ts'

let agent: TestAgent | null = null
afterEach(async () => {
  await agent?.end()
  agent = null
})

test.each([
  ['{"name": "add", "arguments": {"a": 17, "b": 25}}', '42'],
  ['<tool_call>{"name": "compare", "arguments": {"a": 9.11, "b": 9.9}}</tool_call>', '9.11 is less than 9.9'],
  ['```json\n{"name": "multiply", "parameters": {"numbers": [6, 7]}}\n```', '42'],
])('a call by an alias that stands in the text is made: %s', async (raw, result) => {
  agent = await openAgent({ script: [{ raw }, { text: 'There it is.' }] })
  const { turn } = await agent.run('How much is it?')
  expect(turn.calls).toMatchObject([{ tool: 'calculate', status: 'ok' }])
  expect(messageText(agent.model.requests[1]!.messages.at(-1)!)).toContain(result)
})
