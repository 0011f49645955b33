import type { SikuError } from '../../contract/errors.ts'
import { failure, toSikuError } from '../../contract/errors.ts'
import type { Message, ToolCall } from '../../contract/message.ts'
import type { ToolSpec } from '../models/models.ts'
import type { AgentTurn } from './agent-turn.ts'
import type { Budget } from './budget.ts'
import { createFitter, type Fitter } from './fit.ts'
import { isEmptyRound, playRound, type RoundEnd, type Voice } from './round.ts'
import { createRepeats, runCalls, toolCallsOf } from './run-calls.ts'
import { toolSpec, type Tool } from './tool.ts'
import type { Transcript } from './transcript.ts'
import type { UsageSum } from './usage-sum.ts'

export interface LoopTools {
  /** What the model is told of; asked before each round, for a tool may come in during a turn. */
  told(): Tool[]
  /** There was no room to tell of them. A model that calls one by its name, as it did before, gets it. */
  leftOut: readonly Tool[]
}

export interface LoopInput {
  turn: AgentTurn
  tools: LoopTools
  system: string
  history: Message[]
  /** Holds the question; the loop adds what comes after it. */
  transcript: Transcript
  voice: Voice
  budget: Budget
  usage: UsageSum
  fitter?: Fitter
  /** Of a helper: the call that delegated to it. */
  parentCallId?: string
}

export type Limit = 'step-limit' | 'repeated-calls' | 'budget'

export type LoopEnd =
  | { kind: 'answered'; text: string; cut: boolean }
  /** `text` is what the model could say without going on; '' when nothing came. */
  | { kind: 'limit'; limit: Limit; text: string; cut: boolean }
  | { kind: 'failed'; error: SikuError }
  | { kind: 'stopped' }

export interface Loop {
  /** Rounds until the model answers without a call, or until a limit. Never rejects. */
  run(): Promise<LoopEnd>
  /** One more round without tools, after words of ours. The transcript keeps its answer, not those words. */
  once(words: string): Promise<RoundEnd>
}

/** The window turned out smaller than thought, or the prompt longer: once more, tighter. */
const tighter = 0.7

export function createLoop(input: LoopInput): Loop {
  const { turn, transcript, voice, budget, usage } = input
  const { model, signal, recorder, deps } = turn
  const fitter = input.fitter ?? createFitter(turn)
  const repeats = createRepeats()
  const specs = new WeakMap<Tool[], ToolSpec[]>()

  /** The same objects as long as the tools are the same, so that they are counted once. */
  function specsOf(tools: Tool[]): ToolSpec[] {
    const known = specs.get(tools) ?? tools.map(toolSpec)
    specs.set(tools, known)
    return known
  }

  /** One round, its text in the transcript when it ends without calls. */
  async function round(extra: Message[], tools: Tool[], kind: 'round' | 'reflect'): Promise<RoundEnd> {
    if (input.parentCallId !== undefined && !budget.takeHelperRound()) return noRoundLeft
    const first = await attempt(extra, tools, kind, 1)
    if (first.error?.code !== 'context-exceeded' || first.text !== '' || signal.aborted) return first
    return attempt(extra, tools, kind, tighter)
  }

  async function attempt(extra: Message[], tools: Tool[], kind: 'round' | 'reflect', share: number): Promise<RoundEnd> {
    const offered = specsOf(tools)
    const fitted = await fitter.fit({
      system: input.system,
      history: input.history,
      current: extra.length === 0 ? transcript.messages : [...transcript.messages, ...extra],
      tools: offered,
      share,
    })
    const startedAt = deps.now()
    const request = {
      messages: fitted.messages,
      temperature: turn.settings().temperature,
      maxTokens: fitted.maxTokens,
      promptTokens: fitted.promptTokens,
      timeoutMs: roundMs(budget, tools.length === 0),
      ...(tools.length === 0 ? {} : { tools: offered, toolChoice: 'auto' as const }),
    }
    // The meter shows the agent's own rounds, not a helper's.
    if (input.parentCallId === undefined) recorder.contextUse({ ...fitted.use, windowTokens: await model.window(signal, request) })
    const end = await recorder.step(kind, async (step) => {
      if (input.parentCallId !== undefined) step.detail = input.parentCallId
      const ended = await playRound(model, request, signal, voice)
      if (tools.length === 0) ended.asked = []
      if (ended.asked.length > 0) step.count = ended.asked.length
      return ended
    })
    usage.add(end.usage)
    budget.tokens(end.usage?.totalTokens ?? fitted.promptTokens + model.estimateTokens(end.text))
    const metadata = { model: model.info.ref, elapsedMs: deps.now() - startedAt, ...(end.usage === null ? {} : { usage: end.usage }) }
    const said: Message = { role: 'assistant', content: end.text, metadata, ...(end.thinking === '' ? {} : { thinking: end.thinking }) }
    const mayCall = tools.length > 0 && end.error === null && !signal.aborted
    if (mayCall && end.asked.length > 0) {
      const calls = toolCallsOf(turn, end.asked)
      transcript.add({ ...said, toolCalls: calls })
      if (end.text !== '') voice.reset()
      for (const message of await made(end, tools, calls)) transcript.add(message)
    } else if (end.text !== '') {
      transcript.add(said)
    }
    return end
  }

  /** A message for each call, whatever happens. */
  async function made({ asked }: RoundEnd, tools: Tool[], calls: ToolCall[]): Promise<Message[]> {
    const { parentCallId = null } = input
    try {
      const others = input.tools.leftOut.filter(({ name }) => !tools.some((tool) => tool.name === name))
      return await runCalls({ turn, tools: [...tools, ...others], budget, repeats, parentCallId }, asked, calls)
    } catch (error) {
      const { code, message } = toSikuError(error)
      deps.log('error', 'the calls of a round failed', { code })
      return calls.map(({ id, name }) => ({
        role: 'tool',
        name,
        toolCallId: id,
        content: `${name} failed: ${message}`,
        metadata: { elapsedMs: 0, status: 'error' },
      }))
    }
  }

  /** The last words at a limit. */
  async function close(limit: Limit): Promise<LoopEnd> {
    const end = await round([userWords(limitWords[limit])], [], 'round')
    if (signal.aborted) return { kind: 'stopped' }
    return { kind: 'limit', limit, text: end.text, cut: end.cut }
  }

  async function run(): Promise<LoopEnd> {
    let wasEmpty = false
    for (;;) {
      if (signal.aborted) return { kind: 'stopped' }
      const limit = repeats.tooMany ? 'repeated-calls' : budget.over()
      if (limit !== null) return await close(limit)
      if (!wasEmpty) budget.step()
      const end = await round(wasEmpty ? [userWords(emptyWords)] : [], input.tools.told(), 'round')
      if (signal.aborted) return { kind: 'stopped' }
      if (end === noRoundLeft) return { kind: 'limit', limit: 'step-limit', text: '', cut: false }
      if (end.error?.code === 'timeout' && budget.over() === 'budget') {
        voice.reset()
        continue
      }
      if (end.error !== null) return { kind: 'failed', error: end.error }
      if (isEmptyRound(end)) {
        if (wasEmpty) return { kind: 'failed', error: failure('answer-empty', {}, { retryable: true }) }
        wasEmpty = true
        continue
      }
      wasEmpty = false
      if (end.asked.length === 0) return { kind: 'answered', text: end.text, cut: end.cut }
    }
  }

  return {
    async run() {
      try {
        return await run()
      } catch (thrown) {
        const error = toSikuError(thrown)
        return signal.aborted || error.code === 'cancelled' ? { kind: 'stopped' } : { kind: 'failed', error }
      }
    },
    once: (words) => round([userWords(words)], [], 'reflect'),
  }
}

/** Helpers have made all the requests that they may. */
const noRoundLeft: RoundEnd = { text: '', thinking: '', asked: [], usage: null, cut: false, error: null }

function roundMs(budget: Budget, isLast: boolean): number {
  return Math.min(2 ** 31 - 1, Math.ceil(isLast ? budget.lastWordsMs() : Math.max(1000, budget.remainingMs())))
}

function userWords(content: string): Message {
  return { role: 'user', content }
}

const emptyWords = '(Your last message was empty. Answer the question, or call a tool.)'

const limitWords: Record<Limit, string> = {
  'step-limit':
    '(You have used all your steps; no more tools can be called. Answer now with what the results above say, and say plainly what is still missing. Do not guess it.)',
  'repeated-calls':
    '(You keep making the same call; no more tools can be called. Answer now with what the results above say, and say plainly what is still missing. Do not guess it.)',
  budget:
    '(The limit of time, tokens or calls is reached; no more tools can be called. Answer now with what the results above say, and say plainly what is still missing. Do not guess it.)',
}
