import { z } from 'zod'
import type { PullProgress } from '../../contract/models.ts'
import { failure, SikuError } from '../../contract/errors.ts'
import { retryAfterMs, socketCode, type Net } from '../net/net.ts'
import { ollamaBaseUrls } from './address.ts'
import { bodyOf, readLines, type Line } from './ndjson.ts'
import { toOllamaError, toPullError } from './ollama-errors.ts'

export { ollamaBaseUrls } from './address.ts'
export { contextCounts, toOllamaError } from './ollama-errors.ts'
export { findOllama, startOllama } from './local-ollama.ts'
export type { Line } from './ndjson.ts'

const detailsSchema = z
  .object({ family: z.string(), parameter_size: z.string(), quantization_level: z.string(), context_length: z.number() })
  .partial()
  .catch({})
const tagSchema = z.object({
  name: z.string(),
  size: z.number().nullable().catch(null),
  digest: z.string().catch(''),
  details: detailsSchema.optional(),
  capabilities: z.array(z.string()).optional().catch(undefined),
  remote_host: z.string().optional().catch(undefined),
  remote_model: z.string().optional().catch(undefined),
})
const loadedSchema = z.object({
  name: z.string(),
  context_length: z.number().optional().catch(undefined),
  /** Bytes of memory, the graphics card's included. */
  size: z.number().optional().catch(undefined),
  size_vram: z.number().optional().catch(undefined),
})
const showSchema = z
  .object({
    capabilities: z.array(z.string()).optional().catch(undefined),
    details: detailsSchema.optional(),
    model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
    template: z.string().optional().catch(undefined),
    remote_host: z.string().optional().catch(undefined),
  })
  .refine((shown) => Object.values(shown).some((value) => value !== undefined))
export type OllamaTag = z.infer<typeof tagSchema>
export type OllamaLoaded = z.infer<typeof loadedSchema>
export type OllamaShow = z.infer<typeof showSchema>

/** An empty address in the settings means the environment's, or the usual one. */
export function ollamaAddress(address: string, env: Readonly<Record<string, string | undefined>>): string {
  return address.trim() === '' ? (env['OLLAMA_HOST'] ?? '') : address
}

export interface OllamaOptions {
  net: Net
  /** In any OLLAMA_HOST form. */
  address: string
  /** Asked at each request, so that changed settings count at once. */
  timeouts: () => { connectTimeoutMs: number; idleTimeoutMs: number }
}

export interface CallOptions {
  signal?: AbortSignal
  /** For listings: a server that does not answer soon counts as absent. */
  timeoutMs?: number
}

export interface OllamaClient {
  readonly address: string
  version(options?: CallOptions): Promise<string>
  tags(options?: CallOptions): Promise<OllamaTag[]>
  ps(options?: CallOptions): Promise<OllamaLoaded[]>
  show(model: string, options?: CallOptions): Promise<OllamaShow>
  remove(model: string, options?: CallOptions): Promise<void>
  copy(from: string, to: string, options?: CallOptions): Promise<void>
  /** Out of memory, not off the disk. A model that is not loaded stays so. */
  unload(model: string, options?: CallOptions): Promise<void>
  /** Leaving it closes the socket and the server stops fetching; it keeps what it has, and the next pull goes on from there. */
  pull(model: string, options?: CallOptions): AsyncGenerator<PullProgress, void>
  /** Never cut silently: a text that is too long rejects the batch with `context-exceeded` or status 400. Not normalised. */
  embed(request: { model: string; input: string[]; keepAlive?: string }, options?: CallOptions): Promise<Float32Array[]>
  /** The lines of a chat. Resolves once the server answered with a good status; rejects with its error otherwise. */
  chat(body: Record<string, unknown>, options?: CallOptions): Promise<AsyncGenerator<Line, void>>
}

/** After these the next address may be tried: no request was sent. */
const neverStood = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

export function createOllama({ net, address, timeouts }: OllamaOptions): OllamaClient {
  const bases = ollamaBaseUrls(address)
  /** The address that answered last is asked first. */
  let preferred = 0

  /** Only a connection that never stood is tried at the next address: nothing is sent twice. */
  async function reach(path: string, request: Omit<Parameters<Net['fetch']>[1], 'purpose'>): Promise<Response> {
    let failure: SikuError | null = null
    for (let attempt = 0; attempt < bases.length; attempt += 1) {
      const index = (preferred + attempt) % bases.length
      try {
        const response = await net.fetch(`${bases[index] ?? ''}${path}`, { ...request, purpose: 'Ollama' })
        preferred = index
        return response
      } catch (error) {
        const problem = error instanceof SikuError ? error : new SikuError('network', String(error))
        if (problem.code !== 'network' && problem.code !== 'timeout') throw problem
        failure ??= problem
        if (!neverStood.has(socketCode(problem))) break
      }
    }
    throw unreachable(failure)
  }

  function unreachable(cause: SikuError | null): SikuError {
    const where = (bases[0] ?? address).replace(/^http:\/\//, '')
    const local = net.isLoopback(bases[0] ?? '')
    const about = { where, detail: cause?.message ?? '' }
    const isRefused = socketCode(cause) === 'ECONNREFUSED'
    const reason = isRefused ? (local ? 'ollama-refused' : 'ollama-refused-there') : local ? 'ollama-silent' : 'ollama-silent-there'
    return failure(reason, about, { cause, retryable: true })
  }

  async function call(
    method: string,
    path: string,
    body: unknown,
    { signal, timeoutMs }: CallOptions = {},
    model?: string,
    toError: (status: number, text: string, about: { model?: string; retryAfterMs?: number }) => SikuError = toOllamaError,
  ): Promise<Response> {
    const { connectTimeoutMs, idleTimeoutMs } = timeouts()
    const response = await reach(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...(signal === undefined ? {} : { signal }),
      connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs ?? Infinity),
      idleTimeoutMs: timeoutMs ?? idleTimeoutMs,
    })
    if (response.ok) return response
    const text = await response.text().catch(() => '')
    throw toError(response.status, text, { model, retryAfterMs: retryAfterMs(response.headers) })
  }

  async function json<T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
    model?: string,
  ): Promise<T> {
    const response = await call(method, path, body, options, model)
    const value = parseJson(await response.text())
    refuseError(value, model)
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw notOllama(path)
  }

  /** A good status says nothing yet: the body may still be an error, or not Ollama's at all. */
  function notOllama(path: string): SikuError {
    return failure('not-ollama', { address: address === '' ? 'the default address' : address, path })
  }

  return {
    address,
    version: async (options) => (await json(z.object({ version: z.string() }), 'GET', '/api/version', undefined, options)).version,
    tags: async (options) => goodOnes(tagSchema, (await json(listSchema, 'GET', '/api/tags', undefined, options)).models),
    ps: async (options) => goodOnes(loadedSchema, (await json(listSchema, 'GET', '/api/ps', undefined, options)).models),
    show: (model, options) => json(showSchema, 'POST', '/api/show', { model }, options, model),
    async remove(model, options) {
      const text = (await (await call('DELETE', '/api/delete', { model }, options, model)).text()).trim()
      // A model that is gone is answered with nothing; with a value at most by servers that copy Ollama.
      if (text === '') return
      const value = parseJson(text)
      refuseError(value, model)
      if (value === undefined) throw notOllama('/api/delete')
    },
    async copy(from, to, options) {
      const text = await (await call('POST', '/api/copy', { source: from, destination: to }, options, from)).text()
      const value = parseJson(text)
      refuseError(value, from)
      if (text.trim() !== '' && value === undefined) throw notOllama('/api/copy')
    },
    async unload(model, options) {
      const body = { model, messages: [], keep_alive: 0, stream: false }
      await json(z.object({ done: z.boolean() }), 'POST', '/api/chat', body, options, model)
    },
    async *pull(model, options) {
      const toError = (status: number, text: string): SikuError => toPullError(status, text, model)
      const response = await call('POST', '/api/pull', { model, stream: true }, options, model, toError)
      let [isComplete, hasSpoken] = [false, false]
      for await (const line of untilBroken(readLines(bodyOf(response)), model)) {
        if (line.kind === 'broken') continue
        refuseError(line.value, model, toError)
        const { status, completed, total } = line.value
        hasSpoken ||= typeof status === 'string'
        isComplete = status === 'success'
        yield {
          type: 'pull-progress',
          status: typeof status === 'string' ? status : '',
          completedBytes: typeof completed === 'number' ? completed : null,
          totalBytes: typeof total === 'number' ? total : null,
        }
      }
      // Only this word says that the model is there: a stream may end early, or be no stream of Ollama's.
      if (isComplete) return
      if (!hasSpoken) throw notOllama('/api/pull')
      throw failure('pull-stopped', { model }, { retryable: true })
    },
    async embed({ model, input, keepAlive = '1h' }, options) {
      const body = { model, input, truncate: false, keep_alive: keepAlive }
      const { embeddings } = await json(z.object({ embeddings: z.array(z.array(z.number())) }), 'POST', '/api/embed', body, options, model)
      if (embeddings.length !== input.length) {
        throw new SikuError('embedding', `Ollama gave ${embeddings.length} vectors for ${input.length} texts.`)
      }
      return embeddings.map((vector) => Float32Array.from(vector))
    },
    async chat(body, options) {
      const model = typeof body['model'] === 'string' ? body['model'] : undefined
      return readLines(bodyOf(await call('POST', '/api/chat', body, options, model)))
    },
  }
}

const listSchema = z.object({
  models: z
    .array(z.unknown())
    .nullable()
    .transform((models) => models ?? []),
})

function goodOnes<T>(schema: z.ZodType<T>, values: unknown[]): T[] {
  return values.flatMap((value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}

function refuseError(
  value: unknown,
  model: string | undefined,
  toError: (status: number, text: string) => SikuError = (status, text) => toOllamaError(status, text, { model }),
): void {
  const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined
  if (error === undefined || error === null || error === false || error === '') return
  throw toError(200, typeof error === 'string' ? error : JSON.stringify(error))
}

/** The lines of a pull; a server that goes away on the way has stopped it. */
async function* untilBroken(lines: AsyncIterable<Line>, model: string): AsyncGenerator<Line, void> {
  try {
    yield* lines
  } catch (error) {
    if (!(error instanceof SikuError) || (error.code !== 'network' && error.code !== 'timeout')) throw error
    throw failure('pull-stopped', { model }, { cause: error, retryable: true })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
