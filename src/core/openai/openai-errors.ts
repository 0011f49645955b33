import type { APIError } from 'openai'
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
  const retryable = status === undefined || status === 408 || status === 409 || status === 429 || status >= 500
  return new SikuError('model-call', message, { ...options, retryable })
}

/** Providers repeat a wrong key, or a part of it, in their words, and some answer with a whole page. */
function plainMessage(error: APIError, { host, key }: { host: string; key: string | null }): string {
  const inner = error.error as { message?: unknown } | undefined
  const text = typeof inner?.message === 'string' ? inner.message : error.message
  const line = withoutKey(text, key)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  if (line === '') return `${host} answered with an error.`
  return line.length <= maximalCharacters ? line : `${line.slice(0, maximalCharacters - 1)}…`
}

/** A text with no key in it: neither the one that was sent nor anything that looks like one. */
export function withoutKey(text: string, key: string | null): string {
  const known = key === null || key.length < 4 ? text : text.replaceAll(key, '…')
  return known.replace(/\b(sk|pk|key)-[^\s"'.,]{4,}/gi, '$1-…').replace(/\b(bearer)\s+[^\s"',]+/gi, '$1 …')
}
