import { expect, test } from 'vitest'
import type { ChatRequest, ModelEvent } from './chat-model.ts'
import { endsInRepeats, withoutRepeats } from './repeats.ts'

const request: ChatRequest = { messages: [], temperature: 0, maxTokens: 10, promptTokens: 1 }

test.each([
  ['a line', 'The answer is:\n\n'.repeat(100)],
  ['one sign', 'Well ' + '哈'.repeat(1300)],
  ['a paragraph', `Once. ${'The lease ends in May, and the rent is due on the first of each month, as is said above.\n'.repeat(20)}`],
])('%s, over and over', (_what, text) => {
  expect(endsInRepeats(text)).toBe(true)
})

test.each([
  ['a table', Array.from({ length: 200 }, (_, row) => `| ${row} | 0 | 0 | 0 | 0 |\n`).join('')],
  ['a line of a table', '-'.repeat(300)],
  ['a list', Array.from({ length: 300 }, (_, at) => `- item ${at * 7}\n`).join('')],
  ['what ended long ago', `${'ha '.repeat(300)}and then they all went home.`],
  [
    'a verse with a refrain',
    Array.from({ length: 11 }, () => `${'la '.repeat(60)}\n`)
      .join('')
      .slice(0, 1100),
  ],
  ['nothing', ''],
])('%s is none', (_what, text) => {
  expect(endsInRepeats(text)).toBe(false)
})

test.each(['text-delta', 'thinking-delta'] as const)('a %s that goes round in circles is closed, and said', async (type) => {
  let sent = 0
  let isAborted = false
  async function* circles(_request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.addEventListener('abort', () => (isAborted = true))
    for (; sent < 5000; sent += 1) yield { type, text: 'The answer is:\n\n' }
  }
  const events: ModelEvent[] = []
  for await (const event of withoutRepeats(circles, request, new AbortController().signal)) events.push(event)
  expect(events.slice(-2)).toMatchObject([
    { type: 'warning', code: 'repeats' },
    { type: 'end', reason: 'unknown' },
  ])
  expect(isAborted).toBe(true)
  expect(sent).toBeLessThan(200)
})
