import { SikuError } from '../../contract/errors.ts'
import type { Net } from '../net/net.ts'

/** An answer to one message. */
const maximalAnswerBytes = 20_000_000
/** The standing stream of one connection, opened anew after that. */
const maximalStreamBytes = 64_000_000
const streamsPerMinute = 20

/** Siku's one way out in the shape the SDK wants: ledger, offline switch and proxies count, and no server sends without end. */
export function httpFetch(
  net: Net,
  purpose: string,
  connectTimeoutMs: number,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let opened: number[] = []
  return async (url, init = {}) => {
    const { method = 'GET', body, signal } = init
    if (method === 'GET') {
      const now = performance.now()
      opened = [...opened.filter((at) => now - at < 60_000), now]
      // A server that keeps closing its stream says with this status that it has none: the SDK then leaves it.
      if (opened.length > streamsPerMinute) return new Response(null, { status: 405 })
    }
    const response = await net.fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      purpose,
      connectTimeoutMs,
      ...(typeof body === 'string' ? { body } : {}),
      ...(signal === null || signal === undefined ? {} : { signal }),
    })
    return bounded(response, method === 'GET' ? maximalStreamBytes : maximalAnswerBytes)
  }
}

function bounded(response: Response, mostBytes: number): Response {
  if (response.body === null) return response
  let seen = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.byteLength
        if (seen > mostBytes) controller.error(new SikuError('network', 'The server sent more than Siku takes.'))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers })
}
