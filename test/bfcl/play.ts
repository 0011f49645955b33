import { isDeepStrictEqual } from 'node:util'
import type { ModelRef } from '../../src/contract/models.ts'
import type { SettingsPatch } from '../../src/contract/settings.ts'
import { openAgent } from '../fakes/agent.ts'
import { startOllama } from '../fakes/ollama-server.ts'
import { startOpenAi } from '../fakes/openai-server.ts'
import { toolsOf, type Call, type FunctionQuestion } from './questions.ts'
import { reactRound, textStyles } from './styles.ts'

/** How the scripted model is served and how it writes its calls. */
export interface Way {
  name: string
  server: 'ollama' | 'openai'
  /** `native`: as the server's own tool calls; `react`: a model without tools; else a style of text. */
  writes: 'native' | 'react' | (string & {})
}

export const ways: Way[] = [
  { name: 'Ollama, native calls', server: 'ollama', writes: 'native' },
  { name: 'OpenAI, native calls', server: 'openai', writes: 'native' },
  { name: 'Ollama, text protocol', server: 'ollama', writes: 'react' },
  ...Object.keys(textStyles).map((style): Way => ({ name: `Ollama, ${style}`, server: 'ollama', writes: style })),
  ...Object.keys(textStyles).map((style): Way => ({ name: `OpenAI, ${style}`, server: 'openai', writes: style })),
]

export interface Played {
  id: string
  way: string
  /** What reached the tools, in order. */
  reached: Call[]
  outcome: string
  /** Exactly the right calls reached the tools, and the turn was answered with the model's last words. */
  right: boolean
}

const model = 'scripted:4b'

interface Scripted {
  text?: string | string[]
  calls?: Call[]
}

/** Asks questions through whole cores, over real sockets, and compares what reached the tools with what was right. */
export async function playQuestions(questions: FunctionQuestion[], way: Way): Promise<Played[]> {
  const played: Played[] = []
  for (const bin of withoutSharedNames(questions)) played.push(...(await playBin(bin, way)))
  return played
}

async function playBin(questions: FunctionQuestion[], way: Way): Promise<Played[]> {
  let current: FunctionQuestion | null = null
  let round = 0
  const reached: Call[] = []
  const next = (): Scripted => {
    if (current === null) throw new Error('nobody asked')
    round += 1
    return scripted(current, way, round - 1)
  }
  const served = await serve(way, next)
  const agent = await openAgent({
    deps: { env: { OLLAMA_HOST: served.ollamaAddress } },
    settings: { ...served.settings, agentMaxSteps: 30 },
  })
  try {
    for (const question of questions) for (const tool of toolsOf(question, (call) => reached.push(call))) agent.core.addTool(tool)
    const played: Played[] = []
    for (const question of questions) {
      current = question
      round = 0
      reached.length = 0
      const { turn } = await agent.run(question.text, {
        model: served.model,
        agent: { tools: question.functions.map(({ name }) => name), memory: false },
      })
      // Tools that only read are begun in their order.
      const got = JSON.parse(JSON.stringify(reached)) as Call[]
      const answered = turn.outcome === 'answered' && turn.answer === wordsFor(question)
      const outcome = answered ? 'answered' : `${turn.outcome}: ${turn.error?.message ?? turn.answer}`
      played.push({ id: question.id, way: way.name, reached: got, outcome, right: answered && isDeepStrictEqual(got, question.calls) })
    }
    return played
  } finally {
    await agent.end()
    await served.close()
  }
}

function scripted(question: FunctionQuestion, { writes }: Way, round: number): Scripted {
  const { calls } = question
  if (writes === 'react') return { text: reactRound(calls, round, wordsFor(question)) }
  if (calls.length === 0 || round > 0) return { text: wordsFor(question) }
  return writes === 'native' ? { calls } : { text: textStyles[writes]!(calls) }
}

/** The answer. Where no call is right it speaks of the functions, as models do, and calls none. */
function wordsFor({ calls, functions }: FunctionQuestion): string {
  if (calls.length > 0) return 'It is done.'
  const names = functions.map(({ name }) => `\`${name}\``).join(', ')
  return `I cannot do this with the functions given (${names}); they need other arguments.`
}

interface Served {
  ollamaAddress: string
  settings: SettingsPatch
  model: ModelRef
  close(): Promise<unknown>
}

async function serve({ server, writes }: Way, next: () => Scripted): Promise<Served> {
  if (server === 'openai') {
    const openai = await startOpenAi({
      models: [model],
      chat: () => {
        const { text, calls = [] } = next()
        const toolCalls = calls.map(({ name, arguments: args }) => ({ name, arguments: JSON.stringify(args) }))
        return { ...(text === undefined ? {} : { text }), toolCalls, ...(calls.length > 0 ? { finish: 'tool_calls' } : {}) }
      },
    })
    const providers = [{ id: 'own', kind: 'openai' as const, name: 'Own', address: openai.base, hasKey: false }]
    return { ollamaAddress: '127.0.0.1:1', settings: { providers }, model: { providerId: 'own', model }, close: () => openai.close() }
  }
  const capabilities = writes === 'react' ? ['completion'] : ['completion', 'tools']
  const ollama = await startOllama({
    models: [{ name: model, capabilities, contextLength: 32_768 }],
    chat: () => {
      const { text, calls = [] } = next()
      return { ...(text === undefined ? {} : { text }), toolCalls: calls }
    },
  })
  return { ollamaAddress: ollama.address, settings: {}, model: { providerId: 'ollama', model }, close: () => ollama.close() }
}

/** Questions in groups in which no two functions have the same name, for one core's tools each. */
export function withoutSharedNames(questions: FunctionQuestion[]): FunctionQuestion[][] {
  const bins: { names: Set<string>; questions: FunctionQuestion[] }[] = []
  for (const question of questions) {
    // As tools are told apart: by letters and digits.
    const names = question.functions.map(({ name }) => name.replaceAll('_', ''))
    let bin = bins.find((each) => names.every((name) => !each.names.has(name)))
    if (bin === undefined) bins.push((bin = { names: new Set(), questions: [] }))
    for (const name of names) bin.names.add(name)
    bin.questions.push(question)
  }
  return bins.map((bin) => bin.questions)
}
