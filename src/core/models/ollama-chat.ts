import { counted } from '../../contract/counted.ts'
import { failure, SikuError, toSikuError } from '../../contract/errors.ts'
import type { Model, Usage } from '../../contract/models.ts'
import { contextCounts, toOllamaError, type Line, type OllamaClient } from '../ollama/ollama.ts'
import { createChat, type ToolsMemory } from './adapter.ts'
import type { ChatModel, ChatRequest, ModelEvent } from './chat-model.ts'
import { chooseContext, plannedWindow, type ContextKnown } from './context-size.ts'
import { ollamaMessages, ollamaTools } from './ollama-request.ts'
import { withSchemaText } from './request-text.ts'
import { withRetries } from './retry.ts'
import {
  estimate,
  estimateRequest,
  isPlausible,
  isTelling,
  overheadTokens,
  requestUnits,
  wasCut,
  type TokenRates,
} from './token-estimate.ts'
import { toolCall } from './tool-calls.ts'
import { offeredTools } from './tool-choice.ts'

export interface OllamaChatOptions {
  client: OllamaClient
  info: Model
  rates: TokenRates
  /** What earlier requests to this model taught; shared by its chat models. */
  memory: OllamaMemory
  isOffline: () => boolean
}

export interface OllamaMemory extends ToolsMemory {
  /** The window that the server really gave, when it was smaller than asked for. */
  limit: number | null
  asked: number | null
  /** Tokens that were counted of the last prompt that seemed cut. */
  lastCut: number | null
  /** Servers before 0.5 know no schema, only that the answer is JSON. */
  hasSchemas: boolean
}

/** Of a small window, planned for while nothing is known of how the model counts. */
const unknownRateShare = 0.85

/** A server leaves at least half of its smallest window. Less is what it had not kept from the prompt before. */
const leastCounted = 500
/** Two counts of a cut prompt this near to each other tell of one window. */
const sameWindow = 0.12

/** Windows are set in steps of 1,024 tokens, and a cut prompt fills them. */
function looksLikeWindow(tokens: number): boolean {
  return Math.abs(tokens - Math.round(tokens / 1024) * 1024) <= 8
}

/** Listings beside a chat must not hold it up. */
const lookMs = 3000

export function createOllamaChat({ client, info, rates, memory, isOffline }: OllamaChatOptions): ChatModel {
  const name = info.ref.model
  const rateKey = `ollama:${name}`
  let maximum: number | null | undefined = info.contextLength ?? undefined

  let seen: ContextKnown | null = null

  async function known(signal?: AbortSignal): Promise<ContextKnown> {
    const options = { timeoutMs: lookMs, ...(signal === undefined ? {} : { signal }) }
    const [loaded] = await Promise.all([loadedContext(client, name, options), readMaximum(options)])
    if (loaded !== null && memory.asked !== null && loaded < memory.asked) memory.limit = loaded
    const limits = [maximum, memory.limit].filter((limit): limit is number => limit !== null && limit !== undefined)
    seen = { loaded, maximum: limits.length === 0 ? null : Math.min(...limits) }
    return seen
  }

  /** What a request will be sent with, by what was seen last. */
  async function given(request: ChatRequest, signal?: AbortSignal): Promise<number> {
    const context = seen ?? (await known(signal))
    return chooseContext(promptTokensOf(request), request.maxTokens, context, request.followedByTokens) ?? plannedWindow(context)
  }

  function promptTokensOf(request: ChatRequest): number {
    return Math.max(request.promptTokens, estimateRequest(sentOf(request), rates.read(rateKey)))
  }

  async function readMaximum(options: { timeoutMs: number }): Promise<void> {
    if (maximum !== undefined) return
    try {
      maximum = contextLengthOf((await client.show(name, options)).model_info)
    } catch (error) {
      // Not known now; asked again next time.
      if (toSikuError(error).code === 'cancelled') throw error
    }
  }

  async function* run(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    if (info.remote && isOffline()) {
      throw failure('remote-offline', { model: name })
    }
    const promptTokens = promptTokensOf(request)
    const { lines, contextTokens } = await withRetries(async () => open(request, promptTokens, await known(signal), signal), signal)
    seen = { maximum: seen?.maximum ?? null, loaded: contextTokens }
    yield* read(lines, request, promptTokens, contextTokens)
  }

  /** Sends the request; a refusal that says how long the prompt really is leads to one more try in a larger window. */
  async function open(request: ChatRequest, promptTokens: number, context: ContextKnown, signal: AbortSignal) {
    const contextTokens = chooseContext(promptTokens, request.maxTokens, context, request.followedByTokens)
    if (contextTokens === null) throw tooLong(promptTokens, context.maximum)
    memory.asked = contextTokens
    try {
      return { lines: await client.chat(body(request, contextTokens), { signal }), contextTokens }
    } catch (error) {
      const problem = toSikuError(error)
      const refusal = request.responseSchema !== undefined && memory.hasSchemas ? schemaRefusal(problem.message) : null
      if (refusal !== null) {
        // An old server knows no schema at all; a newer one may only not know this one.
        memory.hasSchemas = refusal === 'this one'
        return { lines: await client.chat(body(request, contextTokens, true), { signal }), contextTokens }
      }
      if (problem.code !== 'context-exceeded') throw problem
      const counts = contextCounts(problem.message)
      if (counts === null || counts.promptTokens <= promptTokens) {
        memory.limit = Math.min(memory.limit ?? Infinity, counts?.contextTokens ?? contextTokens)
        throw problem
      }
      learn(request, counts.promptTokens)
      const larger = chooseContext(counts.promptTokens, request.maxTokens, { maximum: context.maximum, loaded: contextTokens })
      if (larger === null || larger <= contextTokens) throw problem
      memory.asked = larger
      return { lines: await client.chat(body(request, larger), { signal }), contextTokens: larger }
    }
  }

  function body(request: ChatRequest, contextTokens: number, schemaInWords = !memory.hasSchemas): Record<string, unknown> {
    const { messages, responseSchema } = request
    const tools = offeredTools(request)
    const isSaid = responseSchema !== undefined && schemaInWords
    return {
      model: name,
      messages: ollamaMessages(isSaid ? withSchemaText(messages, responseSchema) : messages, info),
      ...(tools.length === 0 ? {} : { tools: ollamaTools(tools) }),
      ...(responseSchema === undefined ? {} : { format: isSaid ? 'json' : responseSchema }),
      stream: true,
      keep_alive: '1h',
      truncate: false,
      shift: false,
      ...(request.think === false && info.capabilities.includes('thinking') ? { think: false } : {}),
      options: { num_ctx: contextTokens, temperature: request.temperature, num_predict: request.maxTokens },
    }
  }

  function learn(request: ChatRequest, counted: number): void {
    const sent = sentOf(request)
    const tokens = counted - overheadTokens(sent)
    const units = requestUnits(sent)
    if (!isTelling(sent) || !isPlausible(units, tokens)) return
    void rates.learn(rateKey, units, tokens).catch(() => undefined)
  }

  async function* read(
    lines: AsyncIterable<Line>,
    request: ChatRequest,
    promptTokens: number,
    contextTokens: number,
  ): AsyncGenerator<ModelEvent, void> {
    let broken = 0
    let last: Record<string, unknown> | null = null
    for await (const line of lines) {
      if (line.kind === 'broken') {
        broken += 1
        continue
      }
      if (line.value['error'] !== undefined) throw toOllamaError(200, JSON.stringify(line.value), { model: name })
      yield* eventsOf(line.value)
      if (line.value['done'] === true) {
        last = line.value
        break
      }
    }
    if (broken > 0)
      yield { type: 'warning', code: 'bad-lines', message: `${counted(broken, 'line')} of the answer could not be read.`, count: broken }
    if (last === null)
      yield { type: 'warning', code: 'no-done', message: 'The server ended its answer without saying that it is complete.' }
    const usage = usageOf(last)
    const cut = checkPrompt(request, promptTokens, contextTokens, usage.promptTokens)
    if (cut !== null) yield cut
    yield { type: 'end', reason: reasonOf(last), usage, contextTokens }
  }

  /** Old servers cut a long prompt without a word: only their count of it shows. */
  function checkPrompt(request: ChatRequest, promptTokens: number, contextTokens: number, counted: number | null): ModelEvent | null {
    if (counted === null || counted < leastCounted) return null
    const rate = rates.read(rateKey)
    const estimated = estimateRequest(sentOf(request), rate)
    if (!isTelling(request) || !wasCut(counted, estimated, rate !== null)) {
      learn(request, counted)
      return null
    }
    // Servers that keep a prompt's beginning may count the rest alone: a window is believed in when it looks like one, or is met twice.
    const before = memory.lastCut ?? 0
    memory.lastCut = counted
    const isMetAgain = Math.abs(before - counted) <= Math.max(before, counted) * sameWindow
    const window = isMetAgain ? Math.max(before, counted) : counted
    if (rate !== null && (isMetAgain || looksLikeWindow(counted))) memory.limit = Math.min(memory.limit ?? Infinity, Math.max(2048, window))
    const message = `The model read ${counted} tokens of a prompt of about ${Math.max(promptTokens, estimated)}, in a window of ${contextTokens}: its server cut the rest.`
    return { type: 'warning', code: 'prompt-cut', message, count: counted }
  }

  const adapter = {
    info,
    window: async (signal?: AbortSignal, request?: ChatRequest) => {
      if (request !== undefined) return given(request, signal)
      const window = plannedWindow(await known(signal))
      // What a small window holds is close to what is planned: until the model's own rate is known, estimates get more room.
      return rates.read(rateKey) === null && window <= 8192 ? Math.floor(window * unknownRateShare) : window
    },
    estimateTokens: (text: string) => estimate(text, rates.read(rateKey)),
    run,
    hasTools: info.capabilities.length === 0 ? null : info.capabilities.includes('tools'),
  }
  return createChat(adapter, memory)
}

function schemaRefusal(message: string): 'any' | 'this one' | null {
  if (/unmarshal.*format|invalid format/i.test(message)) return 'any'
  return /schema conversion failed|parse grammar|grammar/i.test(message) ? 'this one' : null
}

function sentOf(request: ChatRequest) {
  return { messages: request.messages, tools: offeredTools(request) }
}

async function loadedContext(
  client: OllamaClient,
  name: string,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<number | null> {
  try {
    const loaded = (await client.ps(options)).filter((model) => sameModel(model.name, name))
    return loaded[0]?.context_length ?? null
  } catch (error) {
    const problem = toSikuError(error)
    if (problem.code === 'cancelled' || problem.code === 'model-unreachable' || problem.code === 'offline') throw problem
    return null
  }
}

/** A name without a tag means `latest`. */
export function sameModel(one: string, other: string): boolean {
  const full = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`)
  return full(one) === full(other)
}

export function contextLengthOf(modelInfo: Record<string, unknown> | undefined): number | null {
  const entry = Object.entries(modelInfo ?? {}).find(([key]) => key.endsWith('.context_length'))
  return typeof entry?.[1] === 'number' && entry[1] > 0 ? entry[1] : null
}

function tooLong(promptTokens: number, maximum: number | null): SikuError {
  return new SikuError(
    'context-exceeded',
    `The prompt (${promptTokens} tokens) does not fit the model’s window (${maximum ?? 4096} tokens).`,
    {
      hint: 'Ask a shorter question, start a new chat, or choose a model with a longer context.',
    },
  )
}

function* eventsOf(line: Record<string, unknown>): Generator<ModelEvent> {
  const message = line['message'] as { content?: unknown; thinking?: unknown; tool_calls?: unknown } | null | undefined
  if (typeof message?.thinking === 'string' && message.thinking !== '') yield { type: 'thinking-delta', text: message.thinking }
  if (typeof message?.content === 'string' && message.content !== '') yield { type: 'text-delta', text: message.content }
  if (!Array.isArray(message?.tool_calls)) return
  for (const call of message.tool_calls as ({ id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null)[]) {
    if (typeof call?.function?.name === 'string') yield toolCall(call.id, call.function.name, call.function.arguments)
  }
}

function reasonOf(last: Record<string, unknown> | null): 'stop' | 'length' | 'load' | 'unknown' {
  const reason = last?.['done_reason']
  if (reason === 'stop' || reason === 'length' || reason === 'load') return reason
  return last !== null && reason === undefined ? 'stop' : 'unknown'
}

function usageOf(last: Record<string, unknown> | null): Usage {
  const count = (key: string): number | null => (typeof last?.[key] === 'number' ? Math.round(last[key]) : null)
  /** The server counts nanoseconds. */
  const ms = (key: string): number | null => (typeof last?.[key] === 'number' ? last[key] / 1e6 : null)
  const promptTokens = count('prompt_eval_count')
  const completionTokens = count('eval_count')
  const totalTokens = promptTokens === null && completionTokens === null ? null : (promptTokens ?? 0) + (completionTokens ?? 0)
  return {
    promptTokens,
    completionTokens,
    totalTokens,
    loadMs: ms('load_duration'),
    promptMs: ms('prompt_eval_duration'),
    completionMs: ms('eval_duration'),
  }
}
