import type { ServerResponse } from 'node:http'
import { json, pause, startHttpFake, words, type HttpFake, type SeenRequest } from './http-fake.ts'
import { createReplays, type Delivery, type Recording } from './recordings.ts'

/** What one chat answers. */
export interface CompletionScript {
  text?: string | string[]
  reasoning?: string | string[]
  toolCalls?: { name: string; arguments: string }[]
  /** After all that, as they are. */
  deltas?: Record<string, unknown>[]
  firstDelayMs?: number
  delayMs?: number
  ends?: 'done' | 'no-done' | 'error' | 'cut' | 'stall'
  finish?: string
  /** Instead of all that: a refusal before the first event. */
  refuse?: { status: number; error: { message: string; code?: string }; headers?: Record<string, string> }
  /** Instead of all that: this, of this type, with a good status unless another is given. */
  body?: { type: string; text: string; status?: number }
}

export interface CompletionBody {
  model: string
  messages: { role: string; content: string; [key: string]: unknown }[]
  tools?: { type: string; function: { name: string } }[]
  tool_choice?: unknown
  response_format?: { type: string; json_schema?: { name: string; schema: unknown; strict?: boolean } }
  stream?: boolean
  stream_options?: { include_usage?: boolean }
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
}

export interface OpenAiServerOptions {
  port?: number
  host?: string
  /** What stands before /chat/completions: /v1, or /v4 as some providers have it. */
  base?: string
  /** When set, another key or none is refused with 401. */
  key?: string
  models?: string[]
  /** Who owns the models, as its program says it. */
  owner?: string
  /** What is answered at paths beside the protocol's. */
  beside?: Record<string, unknown>
  chat?: CompletionScript[] | ((body: CompletionBody, index: number) => CompletionScript)
  embed?: (texts: string[], model: string) => number[][]
  /** Given the multipart body as text; answers with a status and a body. */
  transcribe?: (form: string, index: number) => { status: number; body: unknown }
}

export interface OpenAiServer extends HttpFake {
  /** The base URL, as a user writes it into the settings. */
  readonly base: string
  replay(name: string, delivery?: Delivery): Recording
  chats(): CompletionBody[]
}

export async function startOpenAi(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
  const base = options.base ?? '/v1'
  const replays = createReplays()
  let chatCount = 0
  let heardCount = 0

  async function handle(request: SeenRequest, response: ServerResponse): Promise<boolean> {
    if (await replays.answer(request, response)) return true
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      return json(response, 401, {
        error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' },
      })
    }
    if (request.path === `${base}/models`) {
      const entry = { object: 'model', ...(options.owner === undefined ? {} : { owned_by: options.owner }) }
      return json(response, 200, { object: 'list', data: (options.models ?? ['gpt-fake']).map((id) => ({ id, ...entry })) })
    }
    if (options.beside?.[request.path] !== undefined) return json(response, 200, options.beside[request.path])
    if (request.path === `${base}/embeddings` && options.embed !== undefined) {
      const { input, model } = request.body as { input: string[]; model: string }
      return json(response, 200, {
        object: 'list',
        model,
        data: options.embed(input, model).map((embedding, index) => ({ object: 'embedding', index, embedding })),
      })
    }
    if (request.path === `${base}/audio/transcriptions` && options.transcribe !== undefined) {
      const { status, body } = options.transcribe(String(request.body), heardCount)
      heardCount += 1
      return json(response, status, body)
    }
    if (request.path !== `${base}/chat/completions`) return false
    const body = request.body as CompletionBody
    const script = typeof options.chat === 'function' ? options.chat(body, chatCount) : options.chat?.[chatCount]
    chatCount += 1
    if (script === undefined) return false
    await play(response, body, script)
    return true
  }

  const fake = await startHttpFake('OpenAI-compatible', options, handle)
  return {
    ...fake,
    base: `${fake.url}${base}`,
    replay: replays.add,
    chats: () =>
      fake.requests.filter((request) => request.path.endsWith('/chat/completions')).map((request) => request.body as CompletionBody),
  }
}

async function play(response: ServerResponse, body: CompletionBody, script: CompletionScript): Promise<void> {
  if (script.refuse !== undefined) {
    for (const [name, value] of Object.entries(script.refuse.headers ?? {})) response.setHeader(name, value)
    json(response, script.refuse.status, { error: script.refuse.error })
    return
  }
  if (script.body !== undefined) {
    response.writeHead(script.body.status ?? 200, { 'content-type': script.body.type }).end(script.body.text)
    return
  }
  const pieces = (text: string | string[] | undefined): string[] => (typeof text === 'string' ? words(text) : (text ?? []))
  const text = pieces(script.text)
  const deltas: Record<string, unknown>[] = [
    ...pieces(script.reasoning).map((reasoning_content) => ({ reasoning_content })),
    ...text.map((content) => ({ content })),
    ...(script.toolCalls ?? []).map((call, index) => ({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: call }] })),
    ...(script.deltas ?? []),
  ]
  const send = (value: unknown): boolean => response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
  const chunk = (choices: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: body.model,
    choices,
    ...more,
  })
  if (script.firstDelayMs !== undefined) await pause(script.firstDelayMs)
  if (response.destroyed) return
  response.socket?.setNoDelay(true)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltas) {
    if (response.destroyed) return
    send(chunk([{ index: 0, delta, finish_reason: null }]))
    if (script.delayMs !== undefined) await pause(script.delayMs)
  }
  const ends = script.ends ?? 'done'
  if (ends === 'stall') return
  if (ends === 'cut') {
    await pause(5)
    response.socket?.destroy()
    return
  }
  if (ends === 'error') send({ error: { message: 'the model crashed', type: 'server_error' } })
  if (ends === 'done') {
    send(chunk([{ index: 0, delta: {}, finish_reason: script.finish ?? 'stop' }]))
    if (body.stream_options?.include_usage === true)
      send(chunk([], { usage: { prompt_tokens: 100, completion_tokens: text.length, total_tokens: 100 + text.length } }))
    send('[DONE]')
  }
  response.end()
}
