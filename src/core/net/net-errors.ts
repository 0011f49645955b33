import { cancelled, SikuError } from '../../contract/errors.ts'

/** The code of the socket’s error, in capitals, at the bottom of what fetch throws: it is wrapped once or twice. */
export function socketCode(error: unknown): string {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z]/.test(current.code)) return current.code
    const first: unknown = current instanceof AggregateError ? current.errors[0] : current.cause
    current = first
  }
  return ''
}

const certificate = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH)/

/** The parser's words for it say nothing to a person. */
const brokenAnswer = /^(HPE_|UND_ERR_RES)/

/** What a failed contact means, in one sentence about this host. */
export function toNetError(error: unknown, host: string): SikuError {
  if (error instanceof SikuError) return error
  if (error instanceof Error && error.name === 'AbortError') return cancelled(error)
  const code = socketCode(error)
  const options = { cause: error, retryable: true }
  if (code === 'ECONNREFUSED') return new SikuError('network', `Nothing answers at ${host}: the connection was refused.`, options)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new SikuError('network', `The name ${host} could not be found.`, options)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new SikuError('timeout', `No connection to ${host} could be made in time.`, options)
  }
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH' || code === 'EADDRNOTAVAIL')
    return new SikuError('network', `There is no way to ${host} from here.`, options)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return new SikuError('network', `${host} closed the connection before its answer was complete.`, options)
  }
  if (brokenAnswer.test(code)) return new SikuError('network', `The answer of ${host} broke off, or is not what HTTP is.`, options)
  if (certificate.test(code)) {
    return new SikuError('network', `The certificate of ${host} is not trusted (${code}).`, { cause: error, hint: 'Check the address.' })
  }
  const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
  return new SikuError('network', `The connection to ${host} failed: ${reason}`, options)
}
