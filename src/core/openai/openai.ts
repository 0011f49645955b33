import type OpenAI from 'openai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { cancelled, SikuError } from '../../contract/errors.ts'
import { type Net } from '../net/net.ts'
import { readChunk, troubleOf, type ChatChunk } from './chunk.ts'
import { listedModels, listingSchema, type ListedModel } from './listing.ts'
import { toldBeside } from './local-servers.ts'
import { jsonOf, notAnAnswer, refusal, toOpenAiError, withoutKey } from './openai-errors.ts'
import { readTranscript, type Transcript } from './transcript.ts'
import { untilDone } from './until-done.ts'

export interface OpenAiOptions {
  net: Net
  /** With /v1, /v4 or whatever the provider's base ends in. */
  address: string
  /** Null for a server that wants none. Never logged, never in an error. */
  key: string | null
  timeouts: () => { connectTimeoutMs: number; idleTimeoutMs: number }
}

export interface CallOptions {
  signal?: AbortSignal
  /** For listings: a server that does not answer soon counts as absent. */
  timeoutMs?: number
}

export interface OpenAiClient {
  readonly address: string
  models(options?: CallOptions): Promise<ListedModel[]>
  /** One vector for each text, in order. Not normalised. */
  embed(request: { model: string; input: string[]; dimensions?: number }, options?: CallOptions): Promise<Float32Array[]>
  /** Resolves once the server answered with a good status. The stream throws a SikuError when it breaks. */
  chat(request: ChatCompletionCreateParamsStreaming, options?: CallOptions): Promise<AsyncGenerator<ChatChunk, void>>
  /** Speech to text. With times where the server tells them. */
  transcribe(request: TranscribeRequest, options?: CallOptions): Promise<Transcript>
}

export interface TranscribeRequest {
  model: string
  data: Uint8Array
  mediaType: string
  /** The file's name: servers take the format from its ending. */
  name: string
  /** As in ISO 639-1; left out, the server finds it out. */
  language?: string
}

export type { ChatChunk } from './chunk.ts'
export type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'

/** The name under which a provider's key lies in the secret store. */
export function providerKeyName(providerId: string): string {
  return `provider:${providerId}`
}

export type { ListedModel } from './listing.ts'
export { contextLimit } from './openai-errors.ts'
export type { Segment, Transcript } from './transcript.ts'

const wholeSchema = z.looseObject({
  id: z.string().default(''),
  model: z.string().default(''),
  created: z.number().default(0),
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message: z.looseObject({}) })).min(1),
  usage: z.looseObject({}).nullish(),
})

/** An answer that came in one piece, as the one chunk of a stream. Throws what is no answer. */
function wholeAnswer(text: string, about: { host: string; key: string | null }): ChatChunk[] {
  const read = wholeSchema.safeParse(jsonOf(text))
  if (!read.success) throw notAnAnswer(text, about)
  const { choices, ...rest } = read.data
  const chunks = choices.map(({ message, finish_reason }, index) => {
    const { tool_calls: calls, ...said } = message as { tool_calls?: object[] }
    const delta = Array.isArray(calls) ? { ...said, tool_calls: calls.map((call, at) => ({ index: at, ...call })) } : said
    return { index, delta, finish_reason: finish_reason ?? 'stop' }
  })
  return [readChunk({ ...rest, choices: chunks })]
}

const numbersSchema = z.array(z.number())

export function createOpenAi({ net, address, key: given, timeouts }: OpenAiOptions): OpenAiClient {
  const baseURL = checkedBase(address)
  const key = checkedKey(given)
  const host = new URL(baseURL).host

  async function client(timeoutMs?: number): Promise<OpenAI> {
    // Loaded when it is needed: most libraries are answered from this machine.
    const { OpenAI: Client } = await import('openai')
    const { connectTimeoutMs, idleTimeoutMs } = timeouts()
    const send = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      if (key === null) delete headers['authorization']
      const body = await bodyOf(init?.body, headers)
      const response = await net.fetch(url instanceof Request ? url.url : url, {
        method: init?.method ?? 'GET',
        headers,
        ...(body === undefined ? {} : { body }),
        ...(init?.signal ? { signal: init.signal } : {}),
        purpose: 'OpenAI-compatible',
        connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs ?? Infinity),
        idleTimeoutMs: timeoutMs ?? idleTimeoutMs,
      })
      return untilDone(response)
    }
    return new Client({
      apiKey: key ?? 'none',
      baseURL,
      fetch: send,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      // Retrying is the caller's, who knows whether text was already shown. The time-outs are those of `net`.
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      dangerouslyAllowBrowser: true,
    })
  }

  async function guarded<T>(work: () => Promise<T>, signal: AbortSignal | undefined, model?: string, isStreaming = false): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted === true) throw cancelled(signal.reason)
      throw await toOpenAiError(error, { host, key, model, isStreaming })
    }
  }

  return {
    address: baseURL,
    models: ({ signal, timeoutMs } = {}) =>
      guarded(async () => {
        // The package takes every body for a page, also a web page of another program.
        const sdk = await client(timeoutMs)
        const body: unknown = await sdk.get('/models', { signal })
        return toldBeside(listedModels(listingSchema.parse(body)), body, baseURL, (beside) => sdk.get(beside, { signal }))
      }, signal),
    embed: ({ model, input, dimensions }, { signal, timeoutMs } = {}) =>
      guarded(
        async () => {
          const body = { model, input, encoding_format: 'float' as const, ...(dimensions === undefined ? {} : { dimensions }) }
          const { data } = await (await client(timeoutMs)).embeddings.create(body, { signal })
          const vectors: (Float32Array | undefined)[] = []
          for (const [position, item] of data.entries())
            vectors[item.index ?? position] = Float32Array.from(numbersSchema.parse(item.embedding))
          if (vectors.length !== input.length || vectors.includes(undefined)) {
            throw new SikuError('embedding', `${host} gave ${data.length} vectors for ${input.length} texts.`)
          }
          return vectors as Float32Array[]
        },
        signal,
        model,
      ),
    async chat(request, { signal, timeoutMs } = {}) {
      const { data: stream, response } = await guarded(
        async () => (await client(timeoutMs)).chat.completions.create(request, { signal }).withResponse(),
        signal,
        request.model,
      )
      const type = response.headers.get('content-type') ?? ''
      // A server that knows no streams answers with the whole; one in between, with an error that has a good status.
      if (/\bjson\b|\bhtml\b/i.test(type)) {
        const whole = await guarded(async () => wholeAnswer(await response.text(), { host, key }), signal, request.model, true)
        return (async function* () {
          yield* whole
        })()
      }
      return (async function* () {
        const iterator = stream[Symbol.asyncIterator]()
        try {
          for (;;) {
            const next = await guarded(() => iterator.next(), signal, request.model, true)
            // The package ends its iteration quietly when it was aborted.
            if (signal?.aborted === true) throw cancelled(signal.reason)
            if (next.done === true) return
            const trouble = troubleOf(next.value)
            if (trouble !== null) throw refusal(trouble, { host, key })
            yield readChunk(next.value)
          }
        } finally {
          stream.controller.abort()
        }
      })()
    },
    async transcribe(request, { signal, timeoutMs } = {}) {
      const ask = (format: 'verbose_json' | 'json'): Promise<Transcript> =>
        guarded(
          async () => {
            const { model, data, mediaType, name, language } = request
            const body = {
              model,
              file: new File([data as Uint8Array<ArrayBuffer>], name, { type: mediaType }),
              response_format: format,
              ...(language === undefined ? {} : { language }),
            }
            const answer: unknown = await (await client(timeoutMs)).audio.transcriptions.create(body, { signal })
            return readTranscript(answer)
          },
          signal,
          request.model,
        )
      try {
        return await ask('verbose_json')
      } catch (error) {
        // Newer models of OpenAI tell no times.
        const isRefused = error instanceof SikuError && (error.status === 400 || error.status === 422)
        if (!isRefused || !/response_format|verbose_json/i.test(error.message)) throw error
        return ask('json')
      }
    },
  }
}

/** A form becomes bytes with its boundary told: `net` sends nothing else. */
async function bodyOf(body: unknown, headers: Record<string, string>): Promise<string | Uint8Array | undefined> {
  if (!(body instanceof FormData)) return typeof body === 'string' ? body : undefined
  const encoded = new Response(body)
  headers['content-type'] = encoded.headers.get('content-type') ?? ''
  delete headers['content-length']
  return new Uint8Array(await encoded.arrayBuffer())
}

/** A key that no header can carry is refused here: the platform's own error would repeat it. */
function checkedKey(given: string | null): string | null {
  const key = given?.trim() ?? ''
  if (key === '') return null
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new SikuError('model-config', 'The key of this provider has characters that no key has.', { hint: 'Copy it again.' })
}

/** The base URL in full; only http and https, nothing after the path, and no name or password in it: they would end up in lists. */
export function checkedBase(address: string): string {
  const base = address.trim().replace(/\/+$/, '')
  const scheme = /^(localhost|127\.|\[::1\])/i.test(base) ? 'http' : 'https'
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(base) ? base : `${scheme}://${base}`
  const url = base !== '' && URL.canParse(withScheme) ? new URL(withScheme) : null
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new SikuError('model-config', 'The address of a provider must not carry a name or a password.', {
      hint: 'Put the key into its own field.',
    })
  }
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new SikuError('model-config', `“${withoutKey(address, null)}” is not an address of a model provider.`, {
      hint: 'Write its base URL, such as https://api.openai.com/v1.',
    })
  }
  return withScheme
}
