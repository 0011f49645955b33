import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { recordedTool } from '../../../test/fakes/agent-tools.ts'
import { openAgent, type OpenAgentOptions, type TestAgent } from '../../../test/fakes/agent.ts'
import { startOllama, type ChatBody, type ChatScript, type OllamaServer } from '../../../test/fakes/ollama-server.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end()
})

interface Small {
  agent: TestAgent
  ollama: OllamaServer
}

/** A server that cuts a long prompt without a word, and counts that; tokens are counted in its own way. */
async function open(contextLength: number, chat: (body: ChatBody) => ChatScript, options: OpenAgentOptions = {}): Promise<Small> {
  const ollama = await startOllama({
    old: true,
    models: [{ name: 'small:2b', contextLength, capabilities: ['completion', 'tools'] }],
    chat,
  })
  opened.push(() => ollama.close())
  const agent = await openAgent({ ...options, deps: { env: { OLLAMA_HOST: ollama.address } } })
  opened.push(() => agent.end())
  return { agent, ollama }
}

const isSummary = ({ messages }: ChatBody): boolean => messages[0]?.content.startsWith('Summarise this conversation') === true
const wholeText = ({ messages }: ChatBody): string => messages.map(({ content }) => content).join('\n')
/** The number of the turn before, wherever in the prompt it stands. */
const found = (body: ChatBody, code: string): boolean => wholeText(body).includes(code)

const fillers = {
  english: 'The weather was fine and we spoke of many things. ',
  chinese: '我们谈了很多别的事情，天气也很好。',
  code: 'x = y + 1; // so\n',
  signs: '😀 ',
}
/** A kind of text and how long it is: small to print when a case fails. */
const filler = fc.tuple(fc.constantFrom('english', 'chinese', 'code', 'signs'), fc.integer({ min: 0, max: 60 }))
const textOf = ([kind, times]: [keyof typeof fillers, number], more = 1): string => fillers[kind].repeat(times * more)

/** One turn of a chat: what is said beside the fact, what the model says back, and what it calls first. */
const turn = fc.record({ said: filler, back: filler, calls: fc.integer({ min: 0, max: 2 }), result: filler }, { noNullPrototype: true })

describe.each([2048, 4096])('a window of %i tokens', (contextLength) => {
  test.each(['the model', 'extraction'])(
    'twenty turns, earlier ones summarised by %s: nothing is cut by the server, and each answer knows the turn before',
    { timeout: 300_000 },
    async (by) => {
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { minLength: 20, maxLength: 20 }), async (turns) => {
          const code = (index: number): string => `QX-${4000 + index * 37}`
          let at = 0
          let rounds = 0
          const missing: number[] = []
          const look = recordedTool('look', () => textOf(turns[at]!.result, 8) || 'nothing')
          const { agent, ollama } = await open(
            contextLength,
            (body) => {
              if (isSummary(body)) {
                if (by === 'extraction') return { refuse: { status: 500, error: 'no' } }
                const codes = wholeText(body).match(/QX-\d+/g) ?? []
                return { text: `The user’s numbers: ${[...new Set(codes)].slice(-3).join(', ')}.` }
              }
              rounds += 1
              const { calls, back } = turns[at]!
              if (rounds <= calls) return { toolCalls: [{ name: 'look', arguments: { text: `${at} ${rounds}` } }] }
              if (at > 0 && !found(body, code(at - 1))) missing.push(at)
              return { text: `Your number is noted. ${textOf(back)}` }
            },
            { tools: [look.tool] },
          )
          let chatId: string | undefined
          for (at = 0; at < turns.length; at++) {
            rounds = 0
            const asked = await agent.run(
              `What was my number before? My new number is ${code(at)}. ${textOf(turns[at]!.said)}`,
              chatId === undefined ? {} : { chatId },
            )
            chatId = asked.chatId
            expect(asked.turn.outcome).toBe('answered')
            expect(asked.turn.notes.map(({ code: note }) => note)).not.toContain('history-cut')
            expect(asked.turn.notes.map(({ code: note }) => note)).not.toContain('prompt-cut')
          }
          expect(ollama.cuts).toEqual([])
          expect(missing).toEqual([])
          for (const end of opened.splice(0).reverse()) await end()
        }),
        { numRuns: 1, endOnFailure: true, seed: contextLength },
      )
    },
  )
})

test('at 2048 tokens all of a turn fits: the tools that it needs, the turn before, and what they give', async () => {
  const { agent, ollama } = await open(2048, (body) => {
    const last = body.messages.at(-1)!
    if (last.role === 'user' && last.content.includes('17%'))
      return { toolCalls: [{ name: 'calculate', arguments: { expression: '17% of 2340' } }] }
    return { text: 'It is 397.8.' }
  })
  const first = await agent.run('What is 17% of 2,340?')
  expect(first.turn).toMatchObject({ outcome: 'answered', calls: [{ tool: 'calculate', status: 'ok' }] })
  expect(first.turn.notes).toMatchObject([
    { code: 'tools-left-out', count: expect.any(Number) as number, of: expect.any(Number) as number },
  ])
  await agent.run('And half of that?', { chatId: first.chatId })
  const last = ollama.chats().at(-1)!
  expect(wholeText(last)).toContain('It is 397.8.')
  expect(last.tools?.map(({ function: each }) => each.name)).toContain('calculate')
  expect(ollama.cuts).toEqual([])
})

test.each(['你好', 'Hello!', '谢谢'])('to “%s” nothing is said of tools that had no room', async (question) => {
  const { agent } = await open(2048, () => ({ text: 'Hello.' }))
  const { turn: asked } = await agent.run(question)
  expect(asked).toMatchObject({ outcome: 'answered', notes: [] })
})

test('a tool that had no room runs all the same when the model calls it by its name', async () => {
  const { agent, ollama } = await open(2048, (body) =>
    body.messages.at(-1)!.role === 'tool'
      ? { text: 'Three.' }
      : { toolCalls: [{ name: 'count_letters', arguments: { text: 'strawberry', letter: 'r' } }] },
  )
  const { turn: asked } = await agent.run('What is the capital of Mongolia?')
  expect(ollama.chats()[0]?.tools?.map(({ function: each }) => each.name)).not.toContain('count_letters')
  expect(asked.calls).toMatchObject([{ tool: 'count_letters', status: 'ok' }])
})

test('what is given along is cut to the window, with a note, and can be read on', async () => {
  const text = Array.from({ length: 900 }, (_each, index) => `Line ${index} of the contract says something of its own.`).join('\n')
  const { agent, ollama } = await open(2048, (body) => {
    const calls = body.messages.filter(({ role }) => role === 'tool').length
    if (calls > 0) return { text: 'Read.' }
    const note = /read_result with (\{.*?\})/.exec(wholeText(body))?.[1]
    return note === undefined
      ? { text: 'Nothing to read on.' }
      : { toolCalls: [{ name: 'read_result', arguments: JSON.parse(note) as unknown }] }
  })
  const attachments = [{ name: 'contract.txt', mediaType: 'text/plain', data: Buffer.from(text).toString('base64') }]
  const { turn: asked, messages } = await agent.run('What does it say?', { attachments })
  expect(asked).toMatchObject({ outcome: 'answered', answer: 'Read.', calls: [{ tool: 'read_result', status: 'ok' }] })
  const beginning = JSON.stringify(messages[0]!.content)
  const seen = [...beginning.matchAll(/Line (\d+) of the contract/g)].map((match) => Number(match[1]))
  const next = /Line (\d+) of/.exec(JSON.stringify(messages.find(({ role }) => role === 'tool')!.content))?.[1]
  expect(Number(next)).toBeLessThanOrEqual(seen.at(-1)! + 2)
  expect(ollama.cuts).toEqual([])
})

test('many files, a question of pages and an agent of many words: cut and said, never refused', async () => {
  const { agent, ollama } = await open(2048, () => ({ text: 'I have seen what fits.' }))
  const attachments = Array.from({ length: 6 }, (_each, index) => ({
    name: `${index}.txt`,
    mediaType: 'text/plain',
    data: Buffer.from('很长的文件。'.repeat(2000)).toString('base64'),
  }))
  const profile = { name: 'Scholar', system: 'Answer as a scholar would. '.repeat(600), tools: null, memory: true }
  const { turn: asked } = await agent.run(`Compare them. ${'It is a long story. '.repeat(500)}`, { attachments, agent: profile })
  expect(asked).toMatchObject({ outcome: 'answered', answer: 'I have seen what fits.' })
  const codes = asked.notes.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['instructions-shortened', 'question-shortened', 'tools-left-out']))
  expect(wholeText(ollama.chats()[0]!)).toContain('Compare them.')
  expect(ollama.cuts).toEqual([])
})

test('a model that thinks at length between its calls: its older thoughts make room', async () => {
  let rounds = 0
  const look = recordedTool('look', () => 'a result')
  const { agent, ollama } = await open(
    2048,
    () => {
      rounds += 1
      const thinking = Array.from({ length: 60 }, (_, side) => `I look at it from side ${side}. `).join('')
      return rounds <= 5 ? { thinking, toolCalls: [{ name: 'look', arguments: { text: `${rounds}` } }] } : { text: 'Found.' }
    },
    { tools: [look.tool] },
  )
  const { turn: asked } = await agent.run('Look at it five times.')
  expect(asked).toMatchObject({ outcome: 'answered', answer: 'Found.' })
  expect(asked.calls).toHaveLength(5)
  expect(ollama.cuts).toEqual([])
})
