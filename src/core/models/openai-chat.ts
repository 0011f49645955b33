import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { ToolCall } from '../../contract/message.ts'
import type { Model, Usage } from '../../contract/models.ts'
import { contextLimit, type ChatCompletionChunk, type ChatCompletionCreateParamsStreaming, type OpenAiClient } from '../openai/openai.ts'
import type { ChatModel, ChatRequest, ModelEvent } from './chat-model.ts'
import { createThinkSplitter, type Piece } from './think-tags.ts'
import { estimate, estimateRequest, isPlausible, overheadTokens, requestUnits, type TokenRates } from './token-estimate.ts'

export interface OpenAiChatOptions {
  client: OpenAiClient
  info: Model
  rates: TokenRates
  memory: OpenAiMemory
}

/** What a provider refused before: asked for once, then left out. */
export interface OpenAiMemory {
  refused: Set<Quirk>
  limit: number | null
}
type Quirk = 'stream_options' | 'max_tokens' | 'temperature'

/** Windows are not told by this protocol. A server on this machine may well have been started with a small one. */
const localWindow = 8192
const remoteWindow = 32_768
const longestWaitMs = 10_000

export function createOpenAiChat({ client, info, rates, memory }: OpenAiChatOptions): ChatModel {
  const rateKey = `openai:${client.address}:${info.ref.model}`
  const window = (): number => Math.min(memory.limit ?? Infinity, info.contextLength ?? (info.remote ? remoteWindow : localWindow))

  async function* run(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const chunks = await open(request, signal)
    const splitter = createThinkSplitter()
    const calls = new Map<number, { id: string | null; name: string; arguments: string }>()
    let usage: Usage = noUsage
    let finish: string | null = null
    for await (const chunk of chunks) {
      if (chunk.usage) usage = usageOf(chunk.usage)
      const choice = chunk.choices?.[0]
      if (choice === undefined) continue
      finish = choice.finish_reason ?? finish
      yield* eventsOf(choice.delta, splitter.push)
      for (const part of choice.delta?.tool_calls ?? []) {
        const call = calls.get(part.index ?? 0) ?? { id: null, name: '', arguments: '' }
        calls.set(part.index ?? 0, call)
        call.id = part.id ?? call.id
        call.name += part.function?.name ?? ''
        call.arguments += part.function?.arguments ?? ''
      }
    }
    yield* splitter.flush().map(toEvent)
    for (const call of calls.values()) yield { type: 'tool-call', call: finished(call) }
    if (finish === null)
      yield { type: 'warning', code: 'no-done', message: 'The server ended its answer without saying that it is complete.' }
    if (usage.promptTokens !== null) learn(request, usage.promptTokens)
    yield {
      type: 'end',
      reason: finish === null ? 'unknown' : finish === 'length' ? 'length' : 'stop',
      usage,
      contextTokens: info.contextLength,
    }
  }

  /** Retried once before any text, when the provider says that it may work later; a parameter it does not know is left out. */
  async function open(request: ChatRequest, signal: AbortSignal): Promise<AsyncIterable<ChatCompletionChunk>> {
    let waited = false
    for (;;) {
      try {
        return await client.chat(body(request), { signal })
      } catch (error) {
        const problem = toSikuError(error)
        const quirk = problem.status === 400 || problem.status === 422 ? quirkOf(problem.message) : null
        if (quirk !== null && !memory.refused.has(quirk)) {
          memory.refused.add(quirk)
          continue
        }
        if (problem.code === 'context-exceeded') {
          memory.limit = Math.min(
            window(),
            contextLimit(problem.message) ?? Math.floor(estimateRequest(request.messages, rates.read(rateKey)) * 0.7),
          )
        }
        const waitMs = problem.retryAfterMs ?? 500
        if (waited || problem.code !== 'model-call' || !problem.retryable || waitMs > longestWaitMs) throw problem
        waited = true
        await pause(waitMs, signal)
      }
    }
  }

  function body(request: ChatRequest): ChatCompletionCreateParamsStreaming {
    return {
      model: info.ref.model,
      messages: request.messages as ChatCompletionCreateParamsStreaming['messages'],
      stream: true,
      ...(memory.refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
      ...(memory.refused.has('temperature') ? {} : { temperature: request.temperature }),
      ...(memory.refused.has('max_tokens') ? { max_completion_tokens: request.maxTokens } : { max_tokens: request.maxTokens }),
    }
  }

  function learn(request: ChatRequest, counted: number): void {
    const units = requestUnits(request.messages)
    const tokens = counted - overheadTokens(request.messages.length)
    if (isPlausible(units, tokens)) void rates.learn(rateKey, units, tokens).catch(() => undefined)
  }

  return {
    info,
    window: async () => window(),
    estimateTokens: (text) => estimate(text, rates.read(rateKey)),
    async *stream(request, { signal }) {
      try {
        yield* run(request, signal)
      } catch (error) {
        const problem = toSikuError(error)
        const broken =
          problem.code === 'network' ? new SikuError('model-call', problem.message, { cause: error, retryable: true }) : problem
        yield { type: 'error', error: broken.toValue() }
      }
    },
  }
}

function quirkOf(message: string): Quirk | null {
  if (/stream_options|include_usage/.test(message)) return 'stream_options'
  if (/max_completion_tokens|max_tokens/.test(message)) return 'max_tokens'
  if (/temperature/.test(message)) return 'temperature'
  return null
}

function* eventsOf(delta: ChatCompletionChunk.Choice.Delta | undefined, push: (text: string) => Piece[]): Generator<ModelEvent> {
  // Not part of the protocol: DeepSeek, Qwen, llama.cpp and vLLM say `reasoning_content`, others `reasoning`.
  const { reasoning_content: content, reasoning } = (delta ?? {}) as { reasoning_content?: unknown; reasoning?: unknown }
  const thinking = typeof content === 'string' ? content : typeof reasoning === 'string' ? reasoning : ''
  if (thinking !== '') yield { type: 'thinking-delta', text: thinking }
  if (typeof delta?.content === 'string' && delta.content !== '') yield* push(delta.content).map(toEvent)
}

function toEvent(piece: Piece): ModelEvent {
  return { type: piece.kind === 'text' ? 'text-delta' : 'thinking-delta', text: piece.text }
}

/** Arguments that are no JSON stay text: the caller's schema refuses them, with words for the model. */
function finished(call: { id: string | null; name: string; arguments: string }): ToolCall {
  try {
    return { ...call, id: call.id ?? 'call', arguments: JSON.parse(call.arguments === '' ? '{}' : call.arguments) as ToolCall['arguments'] }
  } catch {
    return { ...call, id: call.id ?? 'call' }
  }
}

const noUsage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null, loadMs: null, promptMs: null, completionMs: null }

function usageOf(usage: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number }): Usage {
  return {
    ...noUsage,
    promptTokens: usage.prompt_tokens ?? null,
    completionTokens: usage.completion_tokens ?? null,
    totalTokens: usage.total_tokens ?? null,
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(new SikuError('cancelled', 'cancelled'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
