import { cancelled, toSikuError, type SikuError } from '../../contract/errors.ts'
import { socketCode } from '../net/net.ts'

const longestWaitMs = 10_000
const firstWaitMs = 300
const maximalRetries = 2
const laterStatuses = new Set([429, 502, 503, 504])
/** No request was sent, so nothing can happen twice. */
const neverStood = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Only what is safe to send again: a server that said “later”, or a connection that never stood. */
function mayRetry(problem: SikuError): boolean {
  if (!problem.retryable) return false
  if (problem.code === 'model-call') return problem.status !== undefined && laterStatuses.has(problem.status)
  return problem.code === 'model-unreachable' && neverStood.has(socketCode(problem))
}

/**
 * Tries again, at most twice, waiting as long as the server asks or 0.3 s and then twice that, up to half of it left out by
 * chance. `work` must not have shown anything when it fails.
 */
export async function withRetries<T>(work: () => Promise<T>, signal: AbortSignal, random: () => number = Math.random): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await work()
    } catch (error) {
      const problem = toSikuError(error)
      const waitMs = problem.retryAfterMs ?? firstWaitMs * 2 ** retry * (1 - random() / 2)
      if (retry >= maximalRetries || !mayRetry(problem) || waitMs > longestWaitMs) throw problem
      await pause(waitMs, signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(cancelled(signal.reason))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
