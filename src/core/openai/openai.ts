import type OpenAI from 'openai'
import type { APIError } from 'openai'
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { cancelled, SikuError } from '../../contract/errors.ts'
import { retryAfterMs, type Net } from '../net/net.ts'

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
  models(options?: CallOptions): Promise<string[]>
  /** One vector for each text, in order. Not normalised. */
  embed(request: { model: string; input: string[]; dimensions?: number }, options?: CallOptions): Promise<Float32Array[]>
  /** Resolves once the server answered with a good status. The stream throws a SikuError when it breaks. */
  chat(request: ChatCompletionCreateParamsStreaming, options?: CallOptions): Promise<AsyncGenerator<ChatCompletionChunk, void>>
}

export type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'

/** The name under which a provider's key lies in the secret store. */
export function providerKeyName(providerId: string): string {
  return `provider:${providerId}`
}

/** What a refusal because of the context says that fits, where it says so. */
export function contextLimit(message: string): number | null {
  const said =
    /maximum context length is (\d+)|(?:context (?:size|length|window)) \((\d+) tokens\)|context (?:length|window) of (?:only )?(\d+)/i.exec(
      message,
    )
  const value = said?.slice(1).find((group) => group !== undefined)
  return value === undefined ? null : Number(value)
}

const listingSchema = z.object({ data: z.array(z.object({ id: z.string().optional().catch(undefined) })) })
const numbersSchema = z.array(z.number())

export function createOpenAi({ net, address, key, timeouts }: OpenAiOptions): OpenAiClient {
  const baseURL = checkedBase(address)
  const host = new URL(baseURL).host

  async function client(timeoutMs?: number): Promise<OpenAI> {
    // Loaded when it is needed: most libraries are answered from this machine.
    const { OpenAI: Client } = await import('openai')
    const { connectTimeoutMs, idleTimeoutMs } = timeouts()
    const send = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      if (key === null) delete headers['authorization']
      return net.fetch(url instanceof Request ? url.url : url, {
        method: init?.method ?? 'GET',
        headers,
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
        ...(init?.signal ? { signal: init.signal } : {}),
        purpose: 'OpenAI-compatible',
        connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs ?? Infinity),
        idleTimeoutMs: timeoutMs ?? idleTimeoutMs,
      })
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
      throw await toOpenAiError(error, { host, hasKey: key !== null, model, isStreaming })
    }
  }

  return {
    address: baseURL,
    models: ({ signal, timeoutMs } = {}) =>
      guarded(async () => {
        // The package takes every body for a page, also a web page of another program.
        const body: unknown = await (await client(timeoutMs)).get('/models', { signal })
        return listingSchema.parse(body).data.flatMap(({ id }) => id ?? [])
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
      const stream = await guarded(
        async () => (await client(timeoutMs)).chat.completions.create(request, { signal }),
        signal,
        request.model,
      )
      return (async function* () {
        const iterator = stream[Symbol.asyncIterator]()
        try {
          for (;;) {
            const next = await guarded(() => iterator.next(), signal, request.model, true)
            // The package ends its iteration quietly when it was aborted.
            if (signal?.aborted === true) throw cancelled(signal.reason)
            if (next.done === true) return
            yield next.value
          }
        } finally {
          stream.controller.abort()
        }
      })()
    },
  }
}

function checkedBase(address: string): string {
  const base = address.trim().replace(/\/+$/, '')
  const scheme = /^(localhost|127\.|\[::1\])/i.test(base) ? 'http' : 'https'
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(base) ? base : `${scheme}://${base}`
  if (base === '' || !URL.canParse(withScheme)) {
    throw new SikuError('model-config', `“${address}” is not an address of a model provider.`, {
      hint: 'Write its base URL, such as https://api.openai.com/v1.',
    })
  }
  return withScheme
}

async function toOpenAiError(
  error: unknown,
  about: { host: string; hasKey: boolean; model?: string; isStreaming?: boolean },
): Promise<SikuError> {
  const { APIConnectionError, APIError } = await import('openai')
  if (error instanceof APIConnectionError && error.cause instanceof Error) return toOpenAiError(error.cause, about)
  if (error instanceof SikuError) {
    if (error.code !== 'network' && error.code !== 'timeout') return error
    if (about.isStreaming === true)
      return error.code === 'timeout' ? error : new SikuError('model-call', error.message, { cause: error, retryable: true })
    return new SikuError('model-unreachable', `The provider at ${about.host} does not answer. ${error.message}`, {
      cause: error,
      retryable: true,
      hint: 'Check the address and the connection.',
    })
  }
  if (!(error instanceof APIError))
    return new SikuError('model-call', `The answer of ${about.host} could not be read.`, { cause: error, retryable: true })
  const { status } = error
  const message = plainMessage(error, about.host)
  const wait = error.headers === undefined ? undefined : retryAfterMs(error.headers)
  const options = { cause: error, ...(status === undefined ? {} : { status }), ...(wait === undefined ? {} : { retryAfterMs: wait }) }
  if (
    /context_length_exceeded|maximum context length|exceeds? the (available )?context|context (window|length)/i.test(
      `${error.code ?? ''} ${message}`,
    ) &&
    status === 400
  ) {
    return new SikuError('context-exceeded', message, {
      ...options,
      hint: 'Ask a shorter question, start a new chat, or choose a model with a longer context.',
    })
  }
  if (status === 401 || status === 403) {
    const hint = about.hasKey ? 'Check the key of this provider.' : 'This provider wants a key: put one into the settings.'
    return new SikuError('model-config', `${about.host} refuses the key: ${message}`, { ...options, hint })
  }
  if (status === 404) {
    const hint = about.model === undefined ? 'Check the base URL.' : `Check the base URL and the model’s name (${about.model}).`
    return new SikuError('model-config', `${about.host} does not know this address or model: ${message}`, { ...options, hint })
  }
  const retryable = status === undefined || status === 408 || status === 409 || status === 429 || status >= 500
  return new SikuError('model-call', message, { ...options, retryable })
}

/** Providers repeat a part of a wrong key in their words: it is taken out. */
function plainMessage(error: APIError, host: string): string {
  const inner = error.error as { message?: unknown } | undefined
  const text = typeof inner?.message === 'string' ? inner.message : error.message
  const plain = text.replace(/\b(sk|pk|key)-[^\s"'.,]{4,}/gi, '$1-…').trim()
  return plain === '' ? `${host} answered with an error.` : plain
}
