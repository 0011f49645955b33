import type { APIError } from 'openai'
import { z } from 'zod'
import { SikuError } from '../../contract/errors.ts'
import { retryAfterMs } from '../net/net.ts'

const maximalCharacters = 500

/** What a refusal because of the context says that fits, where it says so. */
export function contextLimit(message: string): number | null {
  const said =
    /maximum context length is (\d+)|(?:context (?:size|length|window)) \((\d+) tokens\)|context (?:length|window) of (?:only )?(\d+)/i.exec(
      message,
    )
  const value = said?.slice(1).find((group) => group !== undefined)
  return value === undefined ? null : Number(value)
}

export async function toOpenAiError(
  error: unknown,
  about: { host: string; key: string | null; model?: string; isStreaming?: boolean },
): Promise<SikuError> {
  const { APIConnectionError, APIError } = await import('openai')
  if (error instanceof APIConnectionError && error.cause instanceof Error) return toOpenAiError(error.cause, about)
  if (error instanceof SikuError) {
    if (error.code !== 'network' && error.code !== 'timeout') return error
    if (about.isStreaming === true) return error
    return new SikuError('model-unreachable', `The provider at ${about.host} does not answer. ${error.message}`, {
      cause: error,
      retryable: true,
      hint: 'Check the address and the connection.',
    })
  }
  if (!(error instanceof APIError))
    return new SikuError('model-call', `The answer of ${about.host} could not be read.`, {
      cause: new Error(withoutKey(error instanceof Error ? error.message : String(error), about.key)),
      retryable: true,
    })
  const { status } = error
  const message = plainMessage(error, about)
  const wait = error.headers === undefined ? undefined : retryAfterMs(error.headers)
  // The package’s own error repeats the body as it came, key and all.
  const options = {
    cause: new Error(message),
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
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
    const hint = about.key !== null ? 'Check the key of this provider.' : 'This provider wants a key: put one into the settings.'
    return new SikuError('model-config', `${about.host} refuses the key: ${message}`, { ...options, hint })
  }
  if (status === 404) {
    const hint = about.model === undefined ? 'Check the base URL.' : `Check the base URL and the model’s name (${about.model}).`
    return new SikuError('model-config', `${about.host} does not know this address or model: ${message}`, { ...options, hint })
  }
  if (status === 429) {
    const later = wait === undefined ? 'Wait a while' : `Wait ${waitText(wait)}`
    const hint = `${later} and ask again, or choose another model.`
    return new SikuError('model-call', `${about.host} takes no more requests for now: ${message}`, { ...options, hint, retryable: true })
  }
  if (status !== undefined && status >= 500) {
    const hint = 'The fault is at the provider. Ask again; if it stays, choose another model.'
    return new SikuError('model-call', `${about.host} answered with error ${status}: ${message}`, { ...options, hint, retryable: true })
  }
  const retryable = status === undefined || status === 408 || status === 409
  return new SikuError('model-call', message, { ...options, retryable })
}

/** Providers repeat a wrong key, or a part of it, in their words, and some answer with a whole page. */
function plainMessage(error: APIError, { host, key }: { host: string; key: string | null }): string {
  const inner = error.error as { message?: unknown } | undefined
  const text = typeof inner?.message === 'string' ? inner.message : error.message
  const line = plainLine(text, key)
  if (line === '') return `${host} answered with an error.`
  return cut(line)
}

/** One line; of a web page its words. */
function plainLine(text: string, key: string | null): string {
  const words = /<(?:!doctype|html|head|body)\b/i.test(text)
    ? text.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
    : text
  return withoutKey(words, key)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
}

/** In the largest unit that says it. */
function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const errorSchema = z.object({ error: z.union([z.string(), z.looseObject({ message: z.string() })]) })

/** What a good status hid. */
export function refusal(said: string, { host, key }: { host: string; key: string | null }): SikuError {
  return new SikuError('model-call', `${host} refuses: ${cut(plainLine(said, key))}`, { retryable: true })
}

/** What came with a good status and is no answer: a wrapped error, or the web page of something else. */
export function notAnAnswer(text: string, { host, key }: { host: string; key: string | null }): SikuError {
  const { data } = errorSchema.safeParse(jsonOf(text))
  if (data !== undefined) {
    return refusal(typeof data.error === 'string' ? data.error : data.error.message, { host, key })
  }
  const hint = 'Check the base URL: it usually ends with /v1. A proxy may want a sign-in first.'
  return new SikuError('model-config', `${host} answers with no model’s answer: ${cut(plainLine(text, key))}`, { hint })
}

function cut(line: string): string {
  return line.length <= maximalCharacters ? line : `${line.slice(0, maximalCharacters - 1)}…`
}

/** A text with no key in it: neither the one that was sent nor anything that looks like one. */
export function withoutKey(text: string, key: string | null): string {
  const known = key === null || key.length < 4 ? text : text.replaceAll(key, '…')
  return known.replace(/\b(sk|pk|key)-[^\s"'.,]{4,}/gi, '$1-…').replace(/\b(bearer)\s+[^\s"',]+/gi, '$1 …')
}
