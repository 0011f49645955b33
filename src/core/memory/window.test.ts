import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageText, type Message } from '../../contract/message.ts'
import { SikuError } from '../../contract/errors.ts'
import { roughTokens } from '../models/models.ts'
import { fitWindow, type WindowInput } from './window.ts'

const system: Message = { role: 'system', content: 'You are Siku.' }
const tool = { name: 'search_library', description: 'Searches.', parameters: { type: 'object' } }

function round(id: string, result: string, text = ''): Message[] {
  return [
    { role: 'assistant', content: text, toolCalls: [{ id, name: 'search_library', arguments: { query: id } }] },
    { role: 'tool', content: result, name: 'search_library', toolCallId: id },
  ]
}

function input(changes: Partial<WindowInput>): WindowInput {
  return {
    system,
    history: [],
    current: [{ role: 'user', content: 'What does the lease say?' }],
    tools: [tool],
    windowTokens: 4096,
    maxAnswerTokens: 1024,
    estimateTokens: roughTokens,
    summary: null,
    summarise: null,
    ...changes,
  }
}

/** As a strict server checks it: each call is answered right after it, each result has its call. */
function expectValid(messages: Message[]): void {
  let waiting = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      expect(waiting.delete(message.toolCallId ?? '')).toBe(true)
      continue
    }
    expect(waiting.size).toBe(0)
    waiting = new Set(message.toolCalls?.map((call) => call.id))
  }
  expect(waiting.size).toBe(0)
}

const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc
    .tuple(fc.constantFrom('Ms Chen pays 3,200 yuan in May. ', '合同于2026年5月1日到期。', '😀 '), fc.nat(2000))
    .map(([piece, times]) => piece.repeat(times)),
)
const step: fc.Arbitrary<Message[]> = fc.oneof(
  text.map((content): Message[] => [{ role: 'user', content }]),
  text.map((content): Message[] => [{ role: 'assistant', content }]),
  fc.tuple(fc.uuid(), text, text, fc.nat(3)).map(([id, content, result, calls]): Message[] => {
    const ids = Array.from({ length: calls + 1 }, (_each, index) => `${id}-${index}`)
    return [
      {
        role: 'assistant',
        content,
        toolCalls: ids.map((each) => ({ id: each, name: 'read', arguments: { text: content.slice(0, 400) } })),
      },
      ...ids.map((each): Message => ({ role: 'tool', content: result, toolCallId: each, name: 'read' })),
    ]
  }),
)
/** Also what a stopped turn or a damaged file may hold. */
const broken: fc.Arbitrary<Message[]> = fc.oneof(
  { weight: 6, arbitrary: step },
  { weight: 1, arbitrary: step.map((messages) => messages.slice(0, 1)) },
  { weight: 1, arbitrary: step.map((messages) => messages.slice(1)) },
)
const transcript = fc.array(broken, { maxLength: 12 }).map((steps) => steps.flat())

test('whatever was said and however small the window: it fits, is valid, and keeps system text and question', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        history: transcript,
        rounds: transcript,
        question: fc.string({ maxLength: 300 }),
        windowTokens: fc.integer({ min: 600, max: 20_000 }),
        summary: fc.option(fc.record({ text: text.map((each) => each.slice(0, 2000)), upTo: fc.nat(30) })),
        model: fc.constantFrom('none', 'good', 'endless', 'silent', 'failing'),
      }),
      async ({ history, rounds, question, windowTokens, summary, model }) => {
        const current: Message[] = [{ role: 'user', content: `Q ${question}` }, ...rounds.filter((each) => each.role !== 'user')]
        const summarise = {
          none: null,
          good: () => Promise.resolve('They spoke of a lease.'),
          endless: () => Promise.resolve('and so on '.repeat(20_000)),
          silent: () => Promise.resolve(' '),
          failing: () => Promise.reject(new SikuError('model-call', 'no')),
        }[model]
        const given = structuredClone({ history, current })
        const fitted = await fitWindow(input({ history, current, windowTokens, summary, summarise }))
        expect({ history, current }).toEqual(given)
        const counted = fitted.messages.reduce((sum, message) => sum + roughTokens(messageText(message)), 0)
        expect(counted).toBeLessThanOrEqual(fitted.promptTokens)
        expect(fitted.promptTokens + fitted.maxTokens).toBeLessThanOrEqual(windowTokens)
        const { system: systemTokens, history: past, question: asked, tools, passages } = fitted.use
        expect(systemTokens + past + asked + tools + passages).toBe(fitted.promptTokens)
        expectValid(fitted.messages)
        expect(fitted.messages[0]).toBe(system)
        expect(fitted.messages).toContain(current[0])
      },
    ),
    { numRuns: 120 },
  )
})

test('what fits is sent as it is', async () => {
  const history: Message[] = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello!' },
  ]
  const current: Message[] = [{ role: 'user', content: 'And now?' }, ...round('a', 'found')]
  const fitted = await fitWindow(input({ history, current }))
  expect(fitted.messages).toEqual([system, ...history, ...current])
  expect(fitted).toMatchObject({ summarised: 0, shortenedResults: 0, dropped: 0, summary: null })
})

test('older results are shortened before anything is summarised, the newest stays whole', async () => {
  const pages = Array.from({ length: 6 }, (_each, index) =>
    round(`r${index}`, `page ${index} begins. ${'words and more words. '.repeat(250)}page ${index} ends.`),
  )
  const current: Message[] = [{ role: 'user', content: 'Read it all.' }, ...pages.flat()]
  const fitted = await fitWindow(input({ current, windowTokens: 8192 }))
  const results = fitted.messages.filter((message) => message.role === 'tool').map(messageText)
  expect(results).toHaveLength(6)
  expect(results.at(-1)).toBe(messageText(pages.at(-1)![1]!))
  expect(results[0]).toMatch(/^page 0 begins\.[^]+\[… \d+ characters left out …\][^]+page 0 ends\.$/)
  expect(fitted.shortenedResults).toBeGreaterThan(0)
  expect(fitted.summarised).toBe(0)
})

test('a huge newest result leaves the earlier talk its room', async () => {
  const history: Message[] = [
    { role: 'user', content: 'I am Chen Wei.' },
    { role: 'assistant', content: 'Hello Chen Wei.' },
  ]
  const current: Message[] = [{ role: 'user', content: 'Read it.' }, ...round('a', '长'.repeat(100_000))]
  const fitted = await fitWindow(input({ history, current }))
  expect(fitted.messages).toContain(history[1])
  expect(messageText(fitted.messages.at(-1)!)).toContain('characters left out')
})

test('without a model a summary keeps names, numbers and dates, and is not made anew each round', async () => {
  const history = Array.from({ length: 40 }, (_each, index): Message[] => [
    { role: 'user', content: `Tell me of item ${index}.` },
    {
      role: 'assistant',
      content: `Well, it is so, as one says. The deposit of Ms Chen is ${1000 + index} yuan since 2026-05-0${index % 9}. ${'It goes on. '.repeat(20)}`,
    },
  ]).flat()
  const first = await fitWindow(input({ history }))
  expect(first.summarised).toBeGreaterThan(10)
  expect(first.summary?.text).toMatch(/Ms Chen is 10\d\d yuan/)
  expect(first.summary?.text).not.toContain('It goes on')
  const again = await fitWindow(
    input({ history, summary: first.summary, current: [{ role: 'user', content: 'What?' }, ...round('a', 'short')] }),
  )
  expect(again.summary).toBe(first.summary)
  expect(again.summarised).toBe(first.summarised)
})

test('a model that was stopped while summarising stops the turn, one that fails does not', async () => {
  const history: Message[] = Array.from({ length: 40 }, (_each, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: 'word '.repeat(300),
  }))
  await expect(fitWindow(input({ history, summarise: () => Promise.reject(new SikuError('cancelled', 'stop')) }))).rejects.toMatchObject({
    code: 'cancelled',
  })
  const fitted = await fitWindow(input({ history, summarise: () => Promise.reject(new SikuError('model-call', 'no')) }))
  expect(fitted.summary?.text).toContain('word')
})

test('a long turn: each text is counted once, however many rounds come after it, and summaries are few', async () => {
  let characters = 0
  const estimateTokens = (each: string): number => {
    characters += each.length
    return roughTokens(each)
  }
  let summaries = 0
  const summarise = (): Promise<string> => {
    summaries += 1
    return Promise.resolve(`Did ${summaries} things so far.`)
  }
  const current: Message[] = [{ role: 'user', content: 'Do much.' }]
  let summary: WindowInput['summary'] = null
  const costs: number[] = []
  for (let index = 0; index < 200; index++) {
    current.push(...round(`r${index}`, `result ${index}. `.repeat(100)))
    const before = characters
    const fitted = await fitWindow(input({ current, summary, windowTokens: 8192, estimateTokens, summarise }))
    summary = fitted.summary
    costs.push(characters - before)
    expectValid(fitted.messages)
  }
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean(costs.slice(150))).toBeLessThan(mean(costs.slice(0, 50)) * 1.5)
  expect(summaries).toBeLessThan(40)
})

test('however small the window and long the chat: the turn before is there, whole or in the summary', async () => {
  const filler = fc
    .tuple(fc.constantFrom('We spoke of the weather. ', '我们谈了很多别的事情。', 'x = y + 1;\n', '😀 '), fc.nat(80))
    .map(([piece, times]) => piece.repeat(times))
  const turns = fc.array(fc.record({ said: filler, back: filler, result: filler }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.integer({ min: 1500, max: 4096 }),
      filler,
      fc.array(filler, { maxLength: 3 }),
      async (past, windowTokens, asked, results) => {
        let summary: WindowInput['summary'] = null
        const history: Message[] = []
        for (const [index, { said, back, result }] of past.entries()) {
          history.push({ role: 'user', content: `My number is QX-${4000 + index}. ${said}` }, ...round(`h${index}`, result.repeat(4)))
          history.push({ role: 'assistant', content: `Noted. ${back}` })
          // The question is asked, then each result comes in.
          const current: Message[] = [{ role: 'user', content: `And now? ${asked}` }]
          for (const [at, more] of ['', ...results].entries()) {
            if (at > 0) current.push(...round(`r${index}-${at}`, more.repeat(10)))
            const fitted = await fitWindow(input({ history: [...history], current: [...current], windowTokens, summary }))
            expect(fitted.messages.map(messageText).join('\n')).toContain(`QX-${4000 + index}`)
            expect(fitted.promptTokens + fitted.maxTokens).toBeLessThanOrEqual(windowTokens)
            if (fitted.summary === null || fitted.summary.upTo <= history.length) summary = fitted.summary
          }
        }
      },
    ),
    { numRuns: 40 },
  )
})
