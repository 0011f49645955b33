import { z } from 'zod'
import { defineTool } from '../src/core/agent/agent.ts'
import { openAgent } from '../test/fakes/agent.ts'
import { startOllama } from '../test/fakes/ollama-server.ts'
import { scriptedModel } from '../test/fakes/scripted-model.ts'

export interface AgentBench {
  /** Of one round with one call: the loop, reading the model's text, and storing. The model and the tool cost nothing. Medians of the turns. */
  stepMs: { native: number; text: number }
  /** The same by the whole turn: from the question until everything is stored, by its rounds. */
  storedStepMs: { native: number; text: number }
  /** The worst of the turns. */
  worstStepMs: { native: number; text: number }
  /** A turn of 200 rounds: median of its first and its last twenty. */
  long: { steps: number; firstMs: number; lastMs: number; ratio: number }
  /** From the call of stop to the closed socket at the server: median and worst. */
  stopMs: { median: number; worst: number }
}

const roundsPerTurn = 20

/** What the agent itself takes: between the end of the model's stream and its next request, without model and tool. */
export async function benchAgent({ turns = 11, longSteps = 200, stops = 15 } = {}): Promise<AgentBench> {
  const native = await stepTimes(turns, roundsPerTurn, 'native')
  const text = await stepTimes(turns, roundsPerTurn, 'text')
  const [long] = await stepTimes(1, longSteps, 'native')
  const [firstMs, lastMs] = [median(long!.steps.slice(1, 21)), median(long!.steps.slice(-20))]
  const stopTimes = await benchStop(stops)
  const medians = (all: TurnTimes[]): number[] => all.slice(1).map(({ steps }) => median(steps))
  const stored = (all: TurnTimes[]): number => median(all.slice(1).map(({ wholeMs, steps }) => wholeMs / steps.length))
  return {
    stepMs: { native: median(medians(native)), text: median(medians(text)) },
    storedStepMs: { native: stored(native), text: stored(text) },
    worstStepMs: { native: Math.max(...medians(native)), text: Math.max(...medians(text)) },
    long: { steps: longSteps, firstMs, lastMs, ratio: lastMs / firstMs },
    stopMs: { median: median(stopTimes), worst: Math.max(...stopTimes) },
  }
}

interface TurnTimes {
  /** From one request to the next. */
  steps: number[]
  wholeMs: number
}

/** By turn, what its steps took. The script and the tool answer at once. */
async function stepTimes(turns: number, steps: number, writes: 'native' | 'text'): Promise<TurnTimes[]> {
  const result = 'The passage says something of note about the matter. '.repeat(12)
  const look = defineTool({
    name: 'look',
    description: 'Looks something up.',
    schema: z.object({ what: z.string().describe('what to look up'), page: z.int().describe('which page') }),
    access: 'read',
    run: () => result,
  })
  let asked: number[] = []
  const model = scriptedModel(
    (request) => {
      // Old turns are summarised on the way: that is a part of the step.
      if (request.tools === undefined) return { text: 'Pages were looked at.' }
      asked.push(performance.now())
      if (asked.length > steps) return { text: 'It is of note.' }
      const call = { name: 'look', arguments: { what: 'the matter', page: asked.length } }
      return writes === 'native' ? { calls: [call] } : { raw: [`I will look. <tool_call>${JSON.stringify(call)}`, '</tool_call>'] }
    },
    { windowTokens: 32_768 },
  )
  const agent = await openAgent({
    tools: [look],
    settings: { agentMaxSteps: 1000, agentMaxCalls: 10_000, agentMaxTokens: 1_000_000_000 },
  })
  agent.core.context.models.resolve = () => Promise.resolve(model)
  try {
    const all: TurnTimes[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      asked = []
      const from = performance.now()
      const { turn: ended } = await agent.run('What is of note?')
      const wholeMs = performance.now() - from
      if (asked.length !== steps + 1 || ended.calls.length !== steps) throw new Error(`${ended.calls.length} steps were made, not ${steps}`)
      all.push({ steps: asked.slice(1).map((at, index) => at - asked[index]!), wholeMs })
    }
    return all
  } finally {
    await agent.end()
  }
}

/** Stops turns whose answers come word by word, and times the server's loss of the socket. */
async function benchStop(count: number): Promise<number[]> {
  const ollama = await startOllama({ words: { count: 10_000, delayMs: 20 } })
  const agent = await openAgent({ deps: { env: { OLLAMA_HOST: ollama.address } } })
  try {
    const times: number[] = []
    for (let round = 0; round < count; round += 1) {
      const { turnId } = await agent.ask('Speak on and on.')
      let stoppedAt = 0
      await agent.events(turnId, async (event) => {
        if (event.type !== 'text-delta' || stoppedAt > 0) return
        stoppedAt = performance.now()
        await agent.client.turns.stop({ turnId })
      })
      const request = ollama.requests.findLast(({ path }) => path === '/api/chat')
      while (request?.abortedAt === null) await new Promise((resolve) => setTimeout(resolve, 1))
      times.push((request?.abortedAt ?? Infinity) - stoppedAt)
    }
    return times
  } finally {
    await agent.end()
    await ollama.close()
  }
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
