import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { cancelled, SikuError } from '../../contract/errors.ts'
import type { Outside } from '../deps.ts'
import { isLocalName, isLoopback, proxyFor } from './address.ts'
import { systemResolve } from './guarded-dispatcher.ts'
import { toNetError } from './net-errors.ts'
import { createPublicFetch, parseAddress, whyNeverFetched, type PublicAnswer, type PublicRequest } from './public-fetch.ts'

export { socketCode } from './net-errors.ts'
export type { PublicAnswer, PublicRequest } from './public-fetch.ts'

export interface NetRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** What it is for, in a few words: shown in the ledger. */
  purpose: string
  /** Until a connection stands. */
  connectTimeoutMs?: number
  /** Between two pieces of the answer, and before the first. */
  idleTimeoutMs?: number
}

/** The one way out of this machine. Everything that fetches gets one of these and nothing else. */
export interface Net {
  /** Rejects with a SikuError: `offline`, `network`, `timeout`, `cancelled`. So does reading the body. */
  fetch(url: string | URL, request: NetRequest): Promise<Response>
  /**
   * For addresses that a model, a page or a document named: GET, public hosts only, every hop and every connection checked,
   * bounded in bytes and time. Rejects with a SikuError as `fetch` does, and with `refused` for what leads inside.
   */
  fetchPublic(url: string | URL, request: PublicRequest): Promise<PublicAnswer>
  /** Why `fetchPublic` would refuse this address before any contact; null where it may try. A refusal is written into the ledger. */
  refusalOf(url: string, purpose: string): string | null
  isLoopback(url: string | URL): boolean
  close(): Promise<void>
}

export interface NetDeps {
  /** The host's own fetch takes our dispatcher; an injected one is called as it is. */
  fetch: typeof globalThis.fetch
  /** Under `fetchPublic`, in place of the system's name look-up and sockets. */
  outside?: Outside
  now: () => number
  env: Readonly<Record<string, string | undefined>>
  isOffline: () => boolean
  /** Writes the ledger. Neither awaited nor allowed to fail the contact. */
  note: (contact: { host: string; purpose: string; at: number; refused: boolean }) => unknown
}

export const defaultConnectTimeoutMs = 60_000
export const defaultIdleTimeoutMs = 1_800_000
const maximalRedirects = 5
/** What may follow a redirect to another host. Keys come under many names; these are none. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

export function createNet(deps: NetDeps): Net {
  const dispatchers = new Map<string, Undici.Dispatcher>()
  const isOwnFetch = deps.fetch === globalThis.fetch
  /** Loaded at the first contact: many commands make none. */
  let undici: Promise<typeof Undici> | null = null

  /** How many contacts with each host are under way. */
  const live = new Map<string, number>()

  function hold(host: string): () => void {
    live.set(host, (live.get(host) ?? 0) + 1)
    return () => {
      const left = (live.get(host) ?? 1) - 1
      if (left > 0) live.set(host, left)
      else live.delete(host)
    }
  }

  function loadUndici(): Promise<typeof Undici> {
    undici ??= import('undici')
    return undici
  }

  /** Agents are few: one for each connect time-out and proxy. undici's header and body time-outs are off, ours count instead. */
  function dispatcherFor({ Agent, ProxyAgent, buildConnector }: typeof Undici, url: URL, connectTimeoutMs: number): Undici.Dispatcher {
    const proxy = proxyFor(url, deps.env)
    const isHere = isLoopback(url)
    const key = `${connectTimeoutMs} ${proxy ?? ''} ${proxy === null ? isHere : url.protocol}`
    const known = dispatchers.get(key)
    if (known !== undefined) return known
    const connect = { timeout: connectTimeoutMs, lookup: resolveHere, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250 }
    // A kept connection may have died with the server that was started anew; here a new one costs nothing.
    const options = { headersTimeout: 0, bodyTimeout: 0, allowH2: false, connect, ...(isHere ? { pipelining: 0 } : {}) }
    const dial = buildConnector(connect)
    // undici dials once more after an answer was broken off; nobody waits for that, and a stop is a stop.
    const dialWanted: typeof dial = (to, callback) => {
      if (to.host !== undefined && !live.has(to.host)) callback(new Error('nobody waits for this connection'), null)
      else dial(to, callback)
    }
    const made =
      proxy === null
        ? new Agent({ ...options, connect: dialWanted })
        : new ProxyAgent({
            ...options,
            uri: proxy,
            proxyTunnel: url.protocol === 'https:',
            proxyTls: connect,
            requestTls: { timeout: connectTimeoutMs },
          })
    dispatchers.set(key, made)
    return made
  }

  async function note(url: URL, purpose: string, refused: boolean): Promise<void> {
    await deps.note({ host: url.host, purpose, at: deps.now(), refused })
  }

  function permit(url: URL, purpose: string): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new SikuError('bad-input', `${url.protocol}// addresses are not supported, only http and https.`)
    }
    if (url.username !== '' || url.password !== '') {
      throw new SikuError('bad-input', `The address of ${url.host} may not carry a name or a password.`)
    }
    const refused = deps.isOffline() && !isLoopback(url)
    void note(url, purpose, refused).catch(() => undefined)
    if (refused) {
      throw new SikuError('offline', `Siku is set to stay offline, so ${url.host} was not contacted.`, {
        hint: 'Turn the offline switch off in Settings, or choose something on this machine.',
      })
    }
  }

  async function send(url: URL, request: NetRequest, signal: AbortSignal): Promise<Response> {
    const { method = 'GET', headers = {}, body } = request
    const init = { method, headers, body, signal, redirect: 'manual' as const }
    if (!isOwnFetch) return deps.fetch(url, init as RequestInit)
    const library = await loadUndici()
    const dispatcher = dispatcherFor(library, url, request.connectTimeoutMs ?? defaultConnectTimeoutMs)
    return library.fetch(url, { ...init, dispatcher }) as unknown as Promise<Response>
  }

  /** Every hop is permitted by itself, so that no address of this machine can lead out past the switch or carry a key along. */
  async function follow(first: URL, request: NetRequest, signal: AbortSignal, releases: (() => void)[]): Promise<Response> {
    let url = first
    let headers = request.headers
    for (let hop = 0; hop <= maximalRedirects; hop += 1) {
      permit(url, request.purpose)
      releases.push(hold(url.host))
      const response = await send(url, { ...request, headers }, signal)
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) return response
      await response.body?.cancel()
      const next = parseAddress(location, url)
      if (isLoopback(next) && !isLoopback(url)) {
        throw new SikuError('refused', `${url.host} sends requests on to this machine; that is not followed.`)
      }
      if (request.method !== undefined && request.method !== 'GET' && request.method !== 'HEAD') {
        throw new SikuError('network', `${url.host} sends requests on to ${next.origin}${next.pathname}.`, {
          hint: 'Put that address into the settings.',
        })
      }
      if (next.origin !== url.origin)
        headers = Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => harmlessHeaders.has(name.toLowerCase())))
      url = next
    }
    throw new SikuError('network', `${first.host} sends requests round in a circle.`)
  }

  const fetchPublic = createPublicFetch({
    outside: deps.outside ?? { resolve: systemResolve },
    library: loadUndici,
    permit,
    noteRefused: (url, purpose) => void note(url, purpose, true).catch(() => undefined),
    proxyOf: (url) => proxyFor(url, deps.env),
    hold,
    ordinaryDispatcher: dispatcherFor,
  })

  return {
    fetchPublic,
    refusalOf(address, purpose) {
      const never = whyNeverFetched(address)
      const url = never?.url ?? null
      if (url !== null && url.host !== '') void note(url, purpose, true).catch(() => undefined)
      return never?.message ?? null
    },
    isLoopback: (url) => isLoopback(new URL(url)),
    async fetch(address, request) {
      const url = parseAddress(address)
      const { signal } = request
      if (signal?.aborted === true) throw cancelled(signal.reason)
      const idle = startIdleTimer(request.idleTimeoutMs ?? defaultIdleTimeoutMs, url.host)
      const onAbort = (): void => idle.controller.abort(cancelled(signal?.reason))
      signal?.addEventListener('abort', onAbort, { once: true })
      const releases: (() => void)[] = []
      const finish = (): void => {
        idle.stop()
        for (const release of releases.splice(0)) release()
        signal?.removeEventListener('abort', onAbort)
      }
      const fail = (error: unknown): SikuError => {
        finish()
        const reason: unknown = idle.controller.signal.reason
        return idle.controller.signal.aborted && reason instanceof SikuError ? reason : toNetError(error, url.host)
      }
      try {
        const response = await follow(url, request, idle.controller.signal, releases)
        return watched(response, idle.touch, finish, fail)
      } catch (error) {
        throw fail(error)
      }
    },
    async close() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()))
      dispatchers.clear()
    },
  }
}

function startIdleTimer(idleTimeoutMs: number, host: string) {
  const controller = new AbortController()
  const end = (): void =>
    controller.abort(new SikuError('timeout', `${host} sent nothing for ${Math.round(idleTimeoutMs / 1000)} s.`, { retryable: true }))
  const timer = setTimeout(end, Math.min(idleTimeoutMs, 2 ** 31 - 1))
  timer.unref()
  return { controller, touch: () => timer.refresh(), stop: () => clearTimeout(timer) }
}

/** The same response with a body that keeps the idle timer and fails with our errors. */
function watched(response: Response, touch: () => void, finish: () => void, fail: (error: unknown) => SikuError): Response {
  const source = response.body
  if (source === null) {
    finish()
    return response
  }
  touch()
  const reader = source.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            finish()
            controller.close()
            return
          }
          touch()
          controller.enqueue(value)
        } catch (error) {
          controller.error(fail(error))
        }
      },
      async cancel(reason) {
        finish()
        await reader.cancel(reason).catch(() => undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers] as [string, string][],
  })
}

/** How long a server asks to wait; its header is seconds or a date. */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** `localhost` is both of its addresses, whatever the hosts file says: a server may listen on only one of them. */
const resolveHere: LookupFunction = (hostname, options, callback) => {
  if (!isLocalName(hostname)) {
    systemLookup(
      hostname,
      options,
      callback as (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
    )
    return
  }
  const both: LookupAddress[] = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  if (options.all === true) callback(null, both)
  else callback(null, '127.0.0.1', 4)
}
