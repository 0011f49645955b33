import { toSikuError, type SikuError } from '../../contract/errors.ts'
import type { Model, Usage } from '../../contract/models.ts'
import { providerEntries } from '../../contract/provider-entries.ts'
import { contextLimit, type ChatChunk, type OpenAiClient } from '../openai/openai.ts'
import { createChat, type ToolsMemory } from './adapter.ts'
import { noUsage, type ChatModel, type ChatRequest, type ModelEvent } from './chat-model.ts'
import { openAiBody, type Quirk } from './openai-request.ts'
import { withRetries } from './retry.ts'
import { refusesMedia } from './server-refusals.ts'
import { estimate, estimateRequest, isPlausible, isTelling, overheadTokens, requestUnits, type TokenRates } from './token-estimate.ts'
import { createCallJoiner, type CallPiece } from './tool-calls.ts'

export interface OpenAiChatOptions {
  client: OpenAiClient
  info: Model
  rates: TokenRates
  memory: OpenAiMemory
}

/** What a provider taught: asked for once, then left out. */
export interface OpenAiMemory extends ToolsMemory {
  refused: Set<Quirk>
  limit: number | null
}

/** Windows are not told by this protocol. A server on this machine may well have been started with a small one. */
const localWindow = 8192
const remoteWindow = 32_768

export function createOpenAiChat({ client, info, rates, memory }: OpenAiChatOptions): ChatModel {
  const rateKey = `openai:${client.address}:${info.ref.model}`
  const window = (): number => Math.min(memory.limit ?? Infinity, info.contextLength ?? (info.remote ? remoteWindow : localWindow))

  const noThinking = noThinkingOf(client.address, info.remote)

  async function* run(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const chunks = await withRetries(() => open(request, signal), signal)
    const calls = createCallJoiner()
    let usage: Usage = noUsage
    let finish: string | null = null
    for await (const chunk of chunks) {
      if (chunk.usage !== null) usage = { ...noUsage, ...chunk.usage }
      finish = chunk.finish ?? finish
      if (chunk.thinking !== '') yield { type: 'thinking-delta', text: chunk.thinking }
      if (chunk.text !== '') yield { type: 'text-delta', text: chunk.text }
      for (const piece of chunk.calls as CallPiece[]) calls.push(piece)
    }
    yield* calls.finish(finish === 'length' || finish === null)
    if (finish === null)
      yield { type: 'warning', code: 'no-done', message: 'The server ended its answer without saying that it is complete.' }
    // OpenAI’s word for it, and Zhipu’s.
    if (finish === 'content_filter' || finish === 'sensitive')
      yield { type: 'warning', code: 'filtered', message: 'A filter of the provider held back the answer, or a part of it.' }
    if (usage.promptTokens !== null) learn(request, usage.promptTokens)
    yield {
      type: 'end',
      reason: finish === null ? 'unknown' : finish === 'length' ? 'length' : 'stop',
      usage,
      contextTokens: info.contextLength === null ? null : window(),
    }
  }

  /** A parameter that the provider does not know is left out, or said in another way; each only once. */
  async function open(request: ChatRequest, signal: AbortSignal): Promise<AsyncIterable<ChatChunk>> {
    for (;;) {
      try {
        return await client.chat(openAiBody(info, request, memory.refused, noThinking), { signal })
      } catch (error) {
        const problem = toSikuError(error)
        const quirk = quirkOf(problem, memory.refused)
        if (quirk !== null) {
          memory.refused.add(quirk)
          continue
        }
        if (problem.code === 'context-exceeded') {
          const limit = contextLimit(problem.message) ?? Math.floor(estimateRequest(request, rates.read(rateKey)) * 0.7)
          memory.limit = Math.min(window(), limit)
        }
        throw problem
      }
    }
  }

  function learn(request: ChatRequest, counted: number): void {
    const units = requestUnits(request)
    const tokens = counted - overheadTokens(request)
    if (isTelling(request) && isPlausible(units, tokens)) void rates.learn(rateKey, units, tokens).catch(() => undefined)
  }

  const adapter = {
    info,
    window: async () => window(),
    estimateTokens: (text: string) => estimate(text, rates.read(rateKey)),
    run,
    hasTools: info.capabilities.length === 0 ? null : info.capabilities.includes('tools'),
    leavesThoughts: alwaysThinks(info.ref.model),
  }
  return createChat(adapter, memory)
}

/** By the ready entry of the address; every server of this machine is taken for one that fills a model's own template. */
function noThinkingOf(address: string, isRemote: boolean): Record<string, unknown> {
  const { host } = new URL(address)
  const entry = providerEntries.find((each) => (isRemote ? new URL(each.address).host === host : each.keysAt === null))
  return entry?.noThinking ?? {}
}

/** Models whose templates open the thoughts themselves, so that a server without a reader for them sends the closing tag alone. */
function alwaysThinks(name: string): boolean {
  return /(^|[-/_:.])(r1|qwq)([-/_:.]|$)|thinking/i.test(name)
}

/** What a refusal speaks of and what was not left out before. */
function quirkOf({ message, status }: SikuError, refused: ReadonlySet<Quirk>): Quirk | null {
  if (status !== undefined && refusesMedia(message)) return refused.has('media') ? null : 'media'
  if (status !== 400 && status !== 422) return null
  const found: [RegExp, Quirk][] = [
    [/stream_options|include_usage/, 'stream_options'],
    [/max_completion_tokens|max_tokens/, 'max_tokens'],
    [/temperature/, 'temperature'],
    [/tool_choice/, 'tool_choice'],
    [/json_schema|response_format|response format|schema conversion|grammar/i, 'json_schema'],
    [/json_object|response_format|response format/i, 'response_format'],
    [/reasoning_content/, 'reasoning_content'],
    [/thinking|chat_template_kwargs|reasoning/i, 'no_thinking'],
  ]
  return found.find(([words, quirk]) => words.test(message) && !refused.has(quirk))?.[1] ?? null
}
