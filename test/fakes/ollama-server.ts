import type { ServerResponse } from 'node:http'
import { json, pause, startHttpFake, words, type HttpFake, type SeenRequest } from './http-fake.ts'
import { createReplays, type Delivery, type Recording } from './recordings.ts'

export { refusedAddress } from './http-fake.ts'
export type { Delivery } from './recordings.ts'

export interface FakeModel {
  name: string
  contextLength?: number
  capabilities?: string[]
  parameters?: string
  sizeBytes?: number
  family?: string
  remoteHost?: string
  /** Whatever its listing says. */
  refusesTools?: boolean
  /** Loaded from the start, with this window. */
  loadedContext?: number
}

/** What one chat answers. Text is sent word by word; pieces go as they are. */
export interface ChatScript {
  text?: string | string[]
  thinking?: string | string[]
  toolCalls?: { name: string; arguments: unknown; id?: string }[]
  /** Before the first line, and between two lines. */
  firstDelayMs?: number
  delayMs?: number
  /** How it ends; `error` is a last line with an error, `cut` a broken connection. */
  ends?: 'done' | 'no-done' | 'error' | 'cut' | 'stall'
  doneReason?: string
  /** What it says that it read; else the prompt, as long as the window is. */
  counts?: number
  /** Instead of all that: a refusal before the first line. */
  refuse?: { status: number; error: string }
}

export interface ChatBody {
  model: string
  messages: {
    role: string
    content: string
    images?: string[]
    thinking?: string
    tool_name?: string
    tool_call_id?: string
    tool_calls?: { id?: string; function: { name: string; arguments: Record<string, unknown> } }[]
  }[]
  tools?: { type: string; function: { name: string; description: string; parameters: Record<string, unknown> } }[]
  format?: unknown
  stream?: boolean
  truncate?: boolean
  shift?: boolean
  keep_alive?: string | number
  think?: unknown
  options?: { num_ctx?: number; num_predict?: number; temperature?: number }
}

export interface OllamaServerOptions {
  port?: number
  host?: string
  /** A name alone is a model of common size that answers. */
  models?: (FakeModel | string)[]
  /** Scripts in order, or a function of the request. What is not scripted fails loudly. */
  chat?: ChatScript[] | ((body: ChatBody, index: number) => ChatScript)
  /** Instead of scripts: every chat answers with so many words, one each so many milliseconds. */
  words?: { count: number; delayMs: number }
  /** The vectors of texts; without it, /api/embed is unscripted. */
  embed?: (texts: string[], model: string) => number[][]
  /** What pulls fetch: bytes in all, in so many steps, with a pause after each. Parts that came are kept, as Ollama keeps them. */
  pulls?: { totalBytes: number; stepBytes: number; delayMs: number }
  /** An old server knows neither `truncate` nor the window in /api/ps, and cuts a long prompt without a word. */
  old?: boolean
  /** The largest window that the server gives, whatever is asked for. */
  contextLimit?: number
}

export interface OllamaServer extends HttpFake {
  /** As OLLAMA_HOST has it. */
  readonly address: string
  /** How many sockets the client closed before their answers were complete. */
  readonly abortedRequests: number

  /** The next request of the recording's method and path is answered with it. */
  replay(name: string, delivery?: Delivery): Recording
  chats(): ChatBody[]
  /** Prompts that were cut without a word, each with what it had and what was left. */
  readonly cuts: { promptTokens: number; contextTokens: number }[]
  /** How often a model had to be loaded, for the first time or with another window. */
  readonly loads: { model: string; contextTokens: number }[]
}

export type FakeOllama = OllamaServer

const defaultModel: FakeModel = { name: 'qwen-fake:4b' }

export async function startOllama(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const models = (options.models ?? [defaultModel]).map((model) => (typeof model === 'string' ? { name: model } : model))
  const replays = createReplays()
  const cuts: OllamaServer['cuts'] = []
  const loads: OllamaServer['loads'] = []
  const fetched = new Map<string, number>()
  const loaded = new Map(models.flatMap((model) => (model.loadedContext === undefined ? [] : [[model.name, model.loadedContext] as const])))
  let chatCount = 0

  async function handle(request: SeenRequest, response: ServerResponse): Promise<boolean> {
    if (await replays.answer(request, response)) return true
    const body = (request.body ?? {}) as Record<string, unknown>
    switch (`${request.method} ${request.path}`) {
      case 'GET /api/version':
        return json(response, 200, { version: options.old === true ? '0.3.0' : '0.33.0' })
      case 'GET /api/tags':
        return json(response, 200, { models: models.map((model) => tagOf(model, options.old === true)) })
      case 'GET /api/ps':
        return json(response, 200, {
          models: [...loaded].map(([name, contextTokens]) => ({
            name,
            model: name,
            size: 3_000_000_000,
            size_vram: 1_000_000_000,
            ...(options.old === true ? {} : { context_length: contextTokens }),
          })),
        })
      case 'POST /api/show': {
        const model = find(String(body['model']))
        if (model === undefined) return json(response, 404, { error: `model '${String(body['model'])}' not found` })
        return json(response, 200, showOf(model, options.old === true))
      }
      case 'POST /api/copy': {
        const { source, destination } = body as { source?: string; destination?: string }
        const model = find(String(source))
        if (model === undefined) return json(response, 404, { error: `model '${String(source)}' not found` })
        models.push({ ...model, name: String(destination) })
        response.writeHead(200)
        response.end()
        return true
      }
      case 'POST /api/pull':
        return pull(response, String(body['model']))
      case 'POST /api/embed':
        return embed(response, body)
      case 'POST /api/chat':
        return chat(response, body as unknown as ChatBody)
      default:
        return false
    }
  }

  function find(name: string): FakeModel | undefined {
    return models.find((model) => model.name === name || model.name === `${name}:latest`)
  }

  function embed(response: ServerResponse, body: Record<string, unknown>): boolean {
    if (options.embed === undefined) return false
    const texts = Array.isArray(body['input']) ? (body['input'] as string[]) : [String(body['input'])]
    return json(response, 200, { model: body['model'], embeddings: options.embed(texts, String(body['model'])) })
  }

  async function pull(response: ServerResponse, name: string): Promise<boolean> {
    if (options.pulls === undefined) return false
    const { totalBytes, stepBytes, delayMs } = options.pulls
    const line = (value: Record<string, unknown>): boolean => response.write(`${JSON.stringify(value)}\n`)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    line({ status: 'pulling manifest' })
    while ((fetched.get(name) ?? 0) < totalBytes) {
      if (response.destroyed) return true
      const completed = Math.min(totalBytes, (fetched.get(name) ?? 0) + stepBytes)
      fetched.set(name, completed)
      line({ status: 'pulling abc', digest: 'sha256:abc', total: totalBytes, completed })
      await pause(delayMs)
    }
    models.push({ name })
    line({ status: 'success' })
    response.end()
    return true
  }

  async function chat(response: ServerResponse, body: ChatBody): Promise<boolean> {
    const model = find(body.model)
    if (model === undefined) return json(response, 404, { error: `model '${body.model}' not found` })
    if (body.messages.length === 0 && body.keep_alive === 0) {
      loaded.delete(model.name)
      return json(response, 200, { model: body.model, message: { role: 'assistant', content: '' }, done: true, done_reason: 'unload' })
    }
    if (body.tools !== undefined && model.refusesTools === true)
      return json(response, 400, { error: `registry.ollama.ai/library/${model.name} does not support tools` })
    const window = Math.min(body.options?.num_ctx ?? 4096, model.contextLength ?? 32_768, options.contextLimit ?? Infinity)
    if (loaded.get(model.name) !== window) {
      loaded.set(model.name, window)
      loads.push({ model: model.name, contextTokens: window })
    }
    const promptTokens = countPrompt(body)
    if (promptTokens > window) {
      if (options.old !== true && (body.truncate === false || body.shift === false))
        return json(response, 400, { error: exceeded(promptTokens, window) })
      cuts.push({ promptTokens, contextTokens: window })
    }
    const script =
      typeof options.chat === 'function' ? options.chat(body, chatCount) : (options.chat?.[chatCount] ?? manyWords(options.words))
    chatCount += 1
    if (script === undefined) return false
    await play(response, body, script, script.counts ?? Math.min(promptTokens, window))
    return true
  }

  const fake = await startHttpFake('Ollama', options, handle)
  return {
    ...fake,
    address: fake.url,
    get abortedRequests() {
      return fake.requests.filter((request) => request.abortedAt !== null).length
    },
    cuts,
    loads,
    replay: replays.add,
    chats: () => fake.requests.filter((request) => request.path === '/api/chat').map((request) => request.body as ChatBody),
  }
}

function manyWords(words: OllamaServerOptions['words']): ChatScript | undefined {
  if (words === undefined) return undefined
  return { text: Array.from({ length: words.count }, (_value, index) => `word${index + 1} `), delayMs: words.delayMs }
}

function exceeded(promptTokens: number, window: number): string {
  const message = `request (${promptTokens} tokens) exceeds the available context size (${window} tokens), try increasing it`
  return JSON.stringify({ error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: promptTokens, n_ctx: window } })
}

/** A tokenizer as good as any for this: words of up to four letters, Chinese by the character. */
export function countTokens(text: string): number {
  return text.match(/[\u2e80-\u9fff\uff00-\uffef]|[A-Za-z]{1,4}|\d|[^\sA-Za-z\d]/g)?.length ?? 0
}

/** Tools are a part of the prompt, as a server's template writes them there. */
function countPrompt({ messages, ...rest }: ChatBody): number {
  const tools = 'tools' in rest ? countTokens(JSON.stringify(rest.tools)) : 0
  return messages.reduce((sum, message) => sum + countTokens(message.content) + 5, 10 + tools)
}

async function play(response: ServerResponse, body: ChatBody, script: ChatScript, promptTokens: number): Promise<void> {
  if (script.refuse !== undefined) {
    json(response, script.refuse.status, { error: script.refuse.error })
    return
  }
  const lines: Record<string, unknown>[] = []
  const pieces = (text: string | string[] | undefined): string[] => (typeof text === 'string' ? words(text) : (text ?? []))
  for (const thinking of pieces(script.thinking)) lines.push({ content: '', thinking })
  const text = pieces(script.text)
  for (const content of text) lines.push({ content })
  for (const [index, call] of (script.toolCalls ?? []).entries())
    lines.push({
      content: '',
      tool_calls: [{ id: call.id ?? `call_${index}`, function: { index, name: call.name, arguments: call.arguments } }],
    })
  const line = (value: Record<string, unknown>): string =>
    `${JSON.stringify({ model: body.model, created_at: new Date().toISOString(), ...value })}\n`
  if (script.firstDelayMs !== undefined) await pause(script.firstDelayMs)
  if (response.destroyed) return
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const message of lines) {
    if (response.destroyed) return
    response.write(line({ message: { role: 'assistant', ...message }, done: false }))
    if (script.delayMs !== undefined) await pause(script.delayMs)
  }
  const ends = script.ends ?? 'done'
  if (ends === 'stall') return
  if (ends === 'cut') {
    await pause(5)
    response.socket?.destroy()
    return
  }
  if (ends === 'error') response.write(`${JSON.stringify({ error: 'llama runner process has terminated: exit status 2' })}\n`)
  if (ends === 'done') {
    const metrics = {
      total_duration: 1_000_000_000,
      load_duration: 1_000_000,
      prompt_eval_count: promptTokens,
      prompt_eval_duration: 400_000_000,
    }
    const done = { done: true, done_reason: script.doneReason ?? 'stop', ...metrics, eval_count: text.length, eval_duration: 500_000_000 }
    response.write(line({ message: { role: 'assistant', content: '' }, ...done }))
  }
  response.end()
}

function tagOf(model: FakeModel, old: boolean): Record<string, unknown> {
  return {
    name: model.name,
    model: model.name,
    modified_at: '2026-01-01T00:00:00Z',
    size: model.sizeBytes ?? 2_500_000_000,
    digest: 'f'.repeat(64),
    details: {
      family: model.family ?? 'qwen3',
      parameter_size: model.parameters ?? '4.0B',
      quantization_level: 'Q4_K_M',
      ...(old ? {} : { context_length: model.contextLength ?? 32_768 }),
    },
    ...(old ? {} : { capabilities: model.capabilities ?? ['completion', 'tools'] }),
    ...(model.remoteHost === undefined ? {} : { remote_host: model.remoteHost }),
  }
}

function showOf(model: FakeModel, old: boolean): Record<string, unknown> {
  const family = model.family ?? 'qwen3'
  return {
    details: { family, parameter_size: model.parameters ?? '4.0B', quantization_level: 'Q4_K_M' },
    model_info: { 'general.architecture': family, [`${family}.context_length`]: model.contextLength ?? 32_768 },
    ...(old ? {} : { capabilities: model.capabilities ?? ['completion', 'tools'] }),
  }
}
