import { expect, test } from 'vitest'
import type { Message } from '../../contract/message.ts'
import { fitWindow } from '../memory/memory.ts'
import { grown, type Planned } from './fit-grown.ts'

const estimateTokens = (text: string): number => Math.ceil(text.length / 3)
const limits = { windowTokens: 4096, maxAnswerTokens: 512, share: 1 }

function rounds(count: number): Message[] {
  return Array.from({ length: count }, (_value, index): Message[] => [
    { role: 'assistant', content: '', toolCalls: [{ id: `c${index}`, name: 'look', arguments: { text: `${index}` } }] },
    { role: 'tool', name: 'look', toolCallId: `c${index}`, content: 'some words '.repeat(20) },
  ]).flat()
}

async function planned(current: Message[], tools = []): Promise<Planned> {
  const history: Message[] = []
  const fitted = await fitWindow({
    system: { role: 'system', content: 'You are Siku.' },
    ...{ history, current, tools, estimateTokens, summary: null, summarise: null },
    windowTokens: limits.windowTokens,
    maxAnswerTokens: limits.maxAnswerTokens,
  })
  return { ...limits, system: 'You are Siku.', history, current, tools, counted: current.length, fitted }
}

test('a plan that grows is the plan that would be made anew, as long as all goes in', async () => {
  const current: Message[] = [{ role: 'user', content: 'go' }]
  const last = await planned(current)
  current.push(...rounds(10))
  const more = grown(last, last, estimateTokens)
  const anew = (await planned(current)).fitted
  expect(more?.messages).toEqual(anew.messages)
  expect(more?.promptTokens).toBe(anew.promptTokens)
  expect(more?.use).toEqual(anew.use)
})

test('near the end of the window, or with other tools, all is planned anew', async () => {
  const current: Message[] = [{ role: 'user', content: 'go' }]
  const last = await planned(current)
  current.push(...rounds(60))
  expect(grown(last, last, estimateTokens)).toBeNull()
  const fresh = await planned([{ role: 'user', content: 'go' }])
  expect(grown(fresh, { ...fresh, tools: [] }, estimateTokens)).toBeNull()
  expect(grown(fresh, { ...fresh, current: [...fresh.current] }, estimateTokens)).toBeNull()
  expect(grown(fresh, fresh, estimateTokens)).not.toBeNull()
})

test('what was shortened and summarised stays as it is while there is room, and never more than the window holds', async () => {
  const current: Message[] = [{ role: 'user', content: 'go' }]
  let last = await planned(current)
  let anew = 0
  for (const [index, message] of rounds(300).entries()) {
    current.push(message)
    if (index % 2 === 0) continue
    const more = grown(last, last, estimateTokens)
    if (more === null) {
      anew += 1
      last = await planned(current)
    } else {
      expect(more.messages.slice(0, last.fitted.messages.length)).toEqual(last.fitted.messages)
      last = { ...last, counted: current.length, fitted: more }
    }
    expect(last.fitted.promptTokens + last.fitted.maxTokens).toBeLessThanOrEqual(limits.windowTokens)
    expect(last.fitted.messages.at(-1)).toBe(message)
  }
  expect(anew).toBeGreaterThan(0)
  expect(anew).toBeLessThan(100)
})
