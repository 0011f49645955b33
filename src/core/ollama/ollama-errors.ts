import { failure, SikuError } from '../../contract/errors.ts'

/** What an Ollama server says is wrong: its own words, out of however many layers of JSON they are wrapped in. */
export function errorText(body: string): string {
  let text = body.trim()
  for (let depth = 0; depth < 4; depth += 1) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return text
    }
    const inner = messageOf(value)
    if (inner === null) return text
    text = inner
  }
  return text
}

function messageOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  const { error, message } = value as { error?: unknown; message?: unknown }
  if (typeof error === 'string') return error
  if (typeof error === 'object' && error !== null) return messageOf({ message: (error as { message?: unknown }).message })
  return typeof message === 'string' ? message : null
}

/** A body may be a whole page: a line of it is enough. */
function cut(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length <= maximalCharacters ? line : `${line.slice(0, maximalCharacters - 1)}…`
}

const maximalCharacters = 500

const contextWords =
  /exceeds? the (available )?context|longer than the context length|exceed_context_size|context (size|length|window) (is )?exceeded|input length exceeds/i

/** `body` is the answer's text, or the `error` of a line in a stream (then the status is 200 and says nothing). */
export function toOllamaError(status: number, body: string, about: { model?: string; retryAfterMs?: number } = {}): SikuError {
  const message = cut(errorText(body)) || `The Ollama server answered with status ${status}.`
  const said = { ...(status >= 400 ? { status } : {}), ...(about.retryAfterMs === undefined ? {} : { retryAfterMs: about.retryAfterMs }) }
  if (contextWords.test(body)) {
    return new SikuError('context-exceeded', message, {
      ...said,
      hint: 'Ask a shorter question, start a new chat, or choose a model with a longer context.',
    })
  }
  if (status === 404 && about.model !== undefined) {
    return new SikuError('model-config', `The model ${about.model} is not installed (${message}).`, {
      ...said,
      hint: `Get it with: siku pull ${about.model}`,
    })
  }
  if (status === 401 || (status === 403 && /cloud|unauthorized|sign in/i.test(message))) {
    return new SikuError('model-config', message, { ...said, hint: 'This model runs on somebody else’s machine. Choose a local one.' })
  }
  if (status === 403) {
    return new SikuError('model-config', message === '' ? 'The Ollama server refused the request.' : message, {
      ...said,
      hint: 'Check OLLAMA_HOST and OLLAMA_ORIGINS.',
    })
  }
  if (/does not support (chat|generate|completion)/i.test(message)) {
    return new SikuError('model-config', message, { ...said, hint: 'Choose another model: this one only makes vectors.' })
  }
  if (status === 400 || status === 501) return new SikuError('model-call', message, said)
  if (/not enough memory|requires more system memory|out of memory|cudaMalloc/i.test(message)) {
    return new SikuError('model-call', message, { ...said, hint: 'Choose a smaller model, or close other programs.' })
  }
  const model = about.model === undefined ? '' : ` with ${about.model}`
  const hint = 'Ask again. If it stays, start Ollama anew or choose another model; its log says more.'
  return new SikuError('model-call', `Ollama could not answer${model}: ${message}`, { ...said, hint, retryable: true })
}

const pullWords = [
  ['pull-unknown', /file does not exist|not found|manifest unknown|invalid model name|no such model/i],
  ['pull-disk', /no space left|not enough (?:disk )?space|disk (?:is )?full|disk quota|ENOSPC/i],
  ['pull-old', /newer version of ollama/i],
  [
    'pull-network',
    /no such host|dial tcp|lookup |i\/o timeout|deadline exceeded|connection (?:refused|reset)|unreachable|tls|x509|proxyconnect|unexpected EOF|max retries/i,
  ],
] as const

/** Why a model could not be fetched, by what Ollama says. `status` is 200 for a line in a stream. */
export function toPullError(status: number, body: string, model: string): SikuError {
  const detail = cut(errorText(body)) || `The Ollama server answered with status ${status}.`
  const known = pullWords.find(([, words]) => words.test(detail))?.[0]
  if (known === undefined && (status === 401 || status === 403)) return toOllamaError(status, body, { model })
  const said = { ...(status >= 400 ? { status } : {}), retryable: known !== 'pull-unknown' && known !== 'pull-old' }
  return failure(known ?? 'pull-failed', { model, detail }, said)
}

/** The counts in a refusal because of the context: what was sent and what fits. */
export function contextCounts(message: string): { promptTokens: number; contextTokens: number } | null {
  const counts = /\((\d+) tokens\)[^(]*\((\d+) tokens\)/.exec(message)
  return counts === null ? null : { promptTokens: Number(counts[1]), contextTokens: Number(counts[2]) }
}
