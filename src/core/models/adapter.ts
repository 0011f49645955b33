import { failure, SikuError, toSikuError } from '../../contract/errors.ts'
import { noUsage, type ChatModel, type ChatRequest, type ModelEvent } from './chat-model.ts'
import { readOutput, withTextProtocol } from './output/output.ts'
import { withoutRepeats } from './repeats.ts'
import { refusedCall, refusesMedia, refusesTools } from './server-refusals.ts'
import { withCallIds } from './tool-calls.ts'
import { keepChoice, offeredTools } from './tool-choice.ts'
import { cleanEvent, cleanRequest } from './unseen.ts'
import { plainUsage } from './usage.ts'

/** What differs between providers. Everything that is the same for all of them is `createChat`'s. */
export interface ChatAdapter extends Pick<ChatModel, 'info' | 'window' | 'estimateTokens'> {
  /** Events as the server means them: tags of thoughts left in the text, ids of calls as given. Throws what goes wrong. */
  run(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void>
  /** Whether the model has tools of its own; null where nobody says. */
  hasTools: boolean | null
  /** Its thoughts may come as text with nothing but a closing tag: the text before it is held until that is known. */
  leavesThoughts?: boolean
}

/** Shared by a model's chats. */
export interface ToolsMemory {
  /** Set once its server refused them. */
  refusesTools: boolean
}

export function createChat(adapter: ChatAdapter, memory: ToolsMemory): ChatModel {
  const { info } = adapter
  const common = { info, window: adapter.window, estimateTokens: adapter.estimateTokens }
  const expectThinking = adapter.leavesThoughts === true
  const plain = (request: ChatRequest, signal: AbortSignal) => readOutput(safe(adapter, request, signal), { tools: [], expectThinking })
  const byText = withTextProtocol({ ...common, stream: (request, { signal }) => plain(withoutTools(request), signal) })
  const hasNone = (): boolean => adapter.hasTools === false || memory.refusesTools

  async function* throughText(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    yield { type: 'warning', code: 'text-protocol', message: `${info.ref.model} has no tools of its own: it is given them as text.` }
    for await (const event of byText.stream(request, { signal }))
      if (event.type !== 'warning' || event.code !== 'text-protocol') yield event
  }

  async function* withTools(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    if (hasNone()) return yield* throughText(request, signal)
    let isFirst = true
    for await (const event of readOutput(withBrokenCalls(safe(adapter, request, signal)), {
      tools: offeredTools(request),
      expectThinking,
    })) {
      if (isFirst && event.type === 'error' && refusesTools(event.error.message)) {
        memory.refusesTools = true
        return yield* throughText(request, signal)
      }
      isFirst = false
      yield event
    }
  }

  async function* whole(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const tools = offeredTools(request)
    const choice = request.toolChoice ?? 'auto'
    if (choice !== 'auto' && choice !== 'none' && tools.length === 0) {
      const name = typeof choice === 'string' ? choice : choice.tool
      const error = new SikuError('bad-input', `The request wants a call (${name}) and offers no tool for it.`)
      yield { type: 'error', error: error.toValue() }
      return
    }
    const hasHistory = request.messages.some(({ role, toolCalls = [] }) => role === 'tool' || toolCalls.length > 0)
    if (tools.length > 0) yield* keepChoice(withCallIds(withTools(request, signal)), request)
    else if (hasHistory && hasNone()) yield* byText.stream(withoutTools(request), { signal })
    else yield* keepChoice(plain(request, signal), request)
  }

  return { ...common, stream: (request, { signal }) => inTime((asked, stop) => withoutRepeats(whole, asked, stop), request, signal) }
}

function withoutTools({ tools: _tools, toolChoice: _choice, ...request }: ChatRequest): ChatRequest {
  return request
}

/** What was thrown becomes the last event. Nothing unseen goes either way. */
async function* safe(adapter: ChatAdapter, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  try {
    for await (const event of adapter.run(cleanRequest(request), signal))
      yield event.type === 'end' ? { ...event, usage: plainUsage(event.usage) } : cleanEvent(event)
  } catch (error) {
    yield { type: 'error', error: streamError(error).toValue() }
  }
}

/** A connection that breaks while the answer comes is the call's failure; one that never stood is `model-unreachable` already. */
function streamError(error: unknown): SikuError {
  const problem = toSikuError(error)
  if (problem.code === 'model-call' && refusesMedia(problem.message)) {
    const { status } = problem
    return failure('media-unfit', { message: problem.message }, { cause: error, ...(status === undefined ? {} : { status }) })
  }
  if (problem.code !== 'network') return problem
  return failure('answer-broke-off', {}, { cause: error, retryable: true })
}

/** A call that the server itself could not read ends the answer as any broken call does. */
async function* withBrokenCalls(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void> {
  for await (const event of events) {
    const broken = event.type === 'error' ? refusedCall(event.error.message) : null
    if (broken === null) yield event
    else yield* [broken, { type: 'end' as const, reason: 'unknown' as const, usage: noUsage, contextTokens: null }]
  }
}

/** Ends a stream that takes longer than its request allows, its socket with it. */
async function* inTime(
  stream: (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const { timeoutMs } = request
  if (timeoutMs === undefined) return yield* stream(request, signal)
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  try {
    for await (const event of stream(request, controller.signal)) {
      if (event.type === 'error' && event.error.code === 'cancelled' && isLate && !signal.aborted) {
        yield { type: 'error', error: late(timeoutMs).toValue() }
        return
      }
      yield event
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function late(timeoutMs: number): SikuError {
  return failure('answer-late', { seconds: Math.round(timeoutMs / 1000) }, { retryable: true })
}
