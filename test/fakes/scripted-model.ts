import type { Model } from '../../src/contract/models.ts'
import { readOutput } from '../../src/core/models/output/output.ts'
import type { ChatModel, ChatRequest, ModelEvent } from '../../src/core/models/models.ts'

/** What one request is answered with. Parts come in this order: thinking, text, raw, calls, broken; then `error`, or the end. */
export interface ModelScript {
  thinking?: string
  /** A list goes piece by piece. */
  text?: string | string[]
  /** Text as a model writes it, calls included: read as the product reads it (`readOutput`). A list goes piece by piece. */
  raw?: string | string[]
  calls?: { name: string; arguments: unknown; id?: string }[]
  broken?: { name: string | null; text: string; problem: string }[]
  error?: Extract<ModelEvent, { type: 'error' }>['error']
  warning?: Extract<ModelEvent, { type: 'warning' }>
  /** Before the first event, and between two. */
  delayMs?: number
  /** Never ends by itself: only an abort ends it, or the request's time limit. */
  hangs?: boolean
  /** Why it ends; `stop` when left out. */
  reason?: Extract<ModelEvent, { type: 'end' }>['reason']
  promptTokens?: number
  completionTokens?: number
}

export type Scripting = ModelScript[] | ((request: ChatRequest, index: number) => ModelScript | Promise<ModelScript>)

export interface ScriptedModel extends ChatModel {
  /** All that was asked, in order; the messages as they were then. */
  readonly requests: ChatRequest[]
  /** How many streams were ended by their signal. */
  readonly aborted: number
}

export interface ScriptedModelOptions {
  info?: Partial<Model>
  windowTokens?: number
}

/** A ChatModel that follows a script. What is not scripted fails loudly. */
export function scriptedModel(script: Scripting, { info, windowTokens = 32_768 }: ScriptedModelOptions = {}): ScriptedModel {
  const requests: ChatRequest[] = []
  let aborted = 0
  let calls = 0

  async function* play(request: ChatRequest, index: number, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const wait = (ms: number): Promise<void> => pause(ms, signal)
    const answer = typeof script === 'function' ? await script(request, index) : script[index]
    if (answer === undefined) throw new Error(`request ${index} is not scripted`)
    const events = [...eventsOf(answer)]
    const source = answer.raw === undefined ? steady(events) : readOutput(steady(rawEvents(answer.raw)), { tools: request.tools ?? [] })
    for await (const event of source) {
      if (answer.delayMs !== undefined) await wait(answer.delayMs)
      if (signal.aborted) break
      yield event
    }
    if (answer.raw !== undefined) for (const event of events) yield event
    if (answer.hangs === true) await wait(request.timeoutMs ?? 2 ** 30)
    if (signal.aborted) {
      aborted += 1
      yield { type: 'error', error: { code: 'cancelled', message: 'cancelled', retryable: false } }
      return
    }
    if (answer.hangs === true) {
      yield { type: 'error', error: { code: 'timeout', message: 'too slow', retryable: true } }
      return
    }
    if (answer.error !== undefined) {
      yield { type: 'error', error: answer.error }
      return
    }
    const { promptTokens = 100, completionTokens = 10 } = answer
    const usage = { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, loadMs: 0, promptMs: 1, completionMs: 1 }
    yield { type: 'end', reason: answer.reason ?? 'stop', usage, contextTokens: null }
  }

  function* eventsOf(answer: ModelScript): Generator<ModelEvent> {
    if (answer.warning !== undefined) yield answer.warning
    if (answer.thinking !== undefined) yield { type: 'thinking-delta', text: answer.thinking }
    for (const text of listOf(answer.text)) yield { type: 'text-delta', text }
    for (const call of answer.calls ?? []) {
      calls += 1
      yield { type: 'tool-call', call: { id: call.id ?? `call_${calls}`, name: call.name, arguments: call.arguments as never } }
    }
    for (const broken of answer.broken ?? []) yield { type: 'broken-call', ...broken }
  }

  return {
    info: {
      ref: { providerId: 'scripted', model: 'scripted:4b' },
      sizeBytes: null,
      family: null,
      parameters: '4B',
      quantisation: null,
      contextLength: windowTokens,
      capabilities: ['completion', 'tools'],
      loaded: true,
      loadedBytes: null,
      remote: false,
      ...info,
    },
    window: () => Promise.resolve(windowTokens),
    estimateTokens: (text) => Math.ceil(text.length / 3),
    stream(request, { signal }) {
      requests.push({ ...request, messages: [...request.messages] })
      return play(request, requests.length - 1, signal)
    },
    requests,
    get aborted() {
      return aborted
    },
  }
}

function* rawEvents(raw: string | string[]): Generator<ModelEvent> {
  for (const text of listOf(raw)) yield { type: 'text-delta', text }
}

function listOf(text: string | string[] | undefined): string[] {
  return text === undefined ? [] : typeof text === 'string' ? [text] : text
}

async function* steady(events: Iterable<ModelEvent>): AsyncGenerator<ModelEvent, void> {
  await Promise.resolve()
  yield* events
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, 2 ** 30))
    signal.addEventListener('abort', end, { once: true })
  })
}
