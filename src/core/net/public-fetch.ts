import type * as Undici from 'undici'
import { cancelled, SikuError } from '../../contract/errors.ts'
import type { Outside } from '../deps.ts'
import { bareHost } from './address.ts'
import { acceptedEncodings, readBounded } from './bounded-body.ts'
import { guardedDispatcher, resolvePublic } from './guarded-dispatcher.ts'
import { toNetError } from './net-errors.ts'
import { isMadeUpAddress, refuseAddress } from './public-address.ts'

export interface PublicRequest {
  /** What it is for, in a few words: shown in the ledger. */
  purpose: string
  signal?: AbortSignal
  /** Of the body, both as it is sent and as it is unpacked: what is more is cut. */
  maxBytes?: number
  /** For everything together: name, connection, redirects, body. */
  timeoutMs?: number
  accept?: string
  acceptLanguage?: string
  /**
   * The origin of a server whose address the user wrote into the settings: it may stand on this machine or in the home
   * network. Where it redirects to is guarded like any other address. Never made from what a model or a page said.
   */
  configured?: string
  /**
   * Redirects to another site are not followed but told. What the user allowed is one site; an open redirect on it must not
   * carry what stands in the address to somewhere else.
   */
  stayOnSite?: boolean
}

export interface PublicAnswer {
  /** Of the last hop. */
  url: string
  status: number
  /** As sent, in lower case; '' when the server said none. */
  contentType: string
  bytes: Uint8Array
  /** There was more than `maxBytes`. */
  cut: boolean
  /** Where the server sends on to, when that was not followed. */
  leadsTo: string | null
}

/** What the rest of net lends. */
interface PublicFetchParts {
  outside: Outside
  library: () => Promise<typeof Undici>
  /** Writes the ledger, and refuses when offline. */
  permit: (url: URL, purpose: string) => void
  noteRefused: (url: URL, purpose: string) => void
  /** The proxy that this address goes through; null: none. */
  proxyOf: (url: URL) => string | null
  /** Says that a contact with this host is under way, until what it gives is called. */
  hold: (host: string) => () => void
  /** How net contacts what the user configured, and proxies. */
  ordinaryDispatcher: (library: typeof Undici, url: URL, connectTimeoutMs: number) => Undici.Dispatcher
}

const defaultMaxBytes = 4_000_000
const defaultTimeoutMs = 30_000
const connectTimeoutMs = 15_000
const adviceTimeoutMs = 3_000
const maximalRedirects = 5

type PublicFetch = (address: string | URL, request: PublicRequest) => Promise<PublicAnswer>

/** GET for addresses that the user did not choose: without cookies, keys or a referrer, bounded in bytes and in time. */
export function createPublicFetch(parts: PublicFetchParts): PublicFetch {
  function check(url: URL, purpose: string): void {
    const reason = refuseAddress(url)
    if (reason === null) return
    if (url.host !== '') parts.noteRefused(url, purpose)
    throw new SikuError('refused', notContacted(url, reason))
  }

  /**
   * A proxy resolves names by itself, and nothing on this side can hold it to an answer: with a proxy, a name server that
   * answers us and the proxy differently gets past this check. What can be done is done: inner names and addresses are
   * refused by their looks, and so is a name that resolves to an inner address here. A name that cannot be resolved here
   * passes, since proxies are used where names are not (rightly) resolved; so does a made-up address of a proxy program.
   */
  async function checkBeforeProxy(url: URL, purpose: string, ended: Promise<never>): Promise<void> {
    const host = bareHost(url.hostname)
    const resolve = async (name: string) => {
      const found = await Promise.race([parts.outside.resolve(name), ended, after(adviceTimeoutMs)]).catch(() => [])
      return found.filter((each) => !isMadeUpAddress(each.address))
    }
    await resolvePublic(host, resolve).catch((error: unknown) => {
      if (!(error instanceof SikuError) || error.code !== 'refused') return
      parts.noteRefused(url, purpose)
      throw error
    })
  }

  /** `isOwn`: made for this hop alone, and ended with it. undici would otherwise dial once more when an answer is broken off. */
  async function dispatcherOf(
    url: URL,
    request: PublicRequest,
    ended: Promise<never>,
  ): Promise<{ dispatcher: Undici.Dispatcher; isOwn: boolean }> {
    const isConfigured = request.configured !== undefined && url.origin === request.configured
    const isProxied = parts.proxyOf(url) !== null
    if (!isConfigured) check(url, request.purpose)
    parts.permit(url, request.purpose)
    if (!isConfigured && isProxied) await checkBeforeProxy(url, request.purpose, ended)
    const library = await parts.library()
    if (isConfigured || isProxied) return { dispatcher: parts.ordinaryDispatcher(library, url, connectTimeoutMs), isOwn: false }
    return { dispatcher: guardedDispatcher(library, parts.outside, connectTimeoutMs), isOwn: true }
  }

  async function follow(first: URL, request: PublicRequest, signal: AbortSignal, ended: Promise<never>): Promise<PublicAnswer> {
    const headers = {
      accept: request.accept ?? '*/*',
      'accept-encoding': acceptedEncodings,
      'user-agent': 'Mozilla/5.0 (compatible; Siku; a private library assistant)',
      ...(request.acceptLanguage === undefined ? {} : { 'accept-language': request.acceptLanguage }),
    }
    let url = first
    for (let hop = 0; hop <= maximalRedirects; hop += 1) {
      const { dispatcher, isOwn } = await dispatcherOf(url, request, ended)
      const release = parts.hold(url.host)
      try {
        const { request: send } = await parts.library()
        const answer = await send(url, { dispatcher, method: 'GET', headers, signal })
        const location = one(answer.headers['location'])
        const status = answer.statusCode
        if (status < 300 || status > 399 || status === 304 || location === '') {
          const body = await readBounded(answer.body, one(answer.headers['content-encoding']), request.maxBytes ?? defaultMaxBytes)
          return { url: url.href, status, contentType: one(answer.headers['content-type']).toLowerCase(), leadsTo: null, ...body }
        }
        answer.body.on('error', () => undefined).destroy()
        const next = nextHop(url, location)
        if (request.stayOnSite === true && siteOf(next) !== siteOf(url)) {
          check(next, request.purpose)
          return { url: url.href, status, contentType: '', bytes: new Uint8Array(), cut: false, leadsTo: next.href }
        }
        url = next
      } finally {
        release()
        if (isOwn) void dispatcher.destroy()
      }
    }
    throw new SikuError('network', `${first.host} sends requests round in a circle.`)
  }

  return async (address, request) => {
    const url = parseAddress(address)
    const { signal } = request
    if (signal?.aborted === true) throw cancelled(signal.reason)
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(cancelled(signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })
    const tooLong = new SikuError('timeout', `${url.host} did not answer completely within ${Math.ceil(timeoutMs / 1000)} s.`, {
      retryable: true,
    })
    const timer = setTimeout(() => controller.abort(tooLong), timeoutMs)
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true })
    })
    ended.catch(() => undefined)
    try {
      return await Promise.race([follow(url, request, controller.signal, ended), ended])
    } catch (error) {
      throw controller.signal.aborted ? (controller.signal.reason as SikuError) : toNetError(error, url.host)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      // Whatever is still under way for this contact ends with it.
      controller.abort()
    }
  }
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? ''
}

function nextHop(url: URL, location: string): URL {
  const next = parseAddress(location, url)
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new SikuError('refused', `${url.host} leads from https to the unprotected ${shortAddress(next)}; that is not followed.`)
  return next
}

/** A host with and without `www.` is one site; anything else is another. */
function siteOf(url: URL): string {
  return bareHost(url.hostname).replace(/^www\./, '')
}

function after(ms: number): Promise<never[]> {
  return new Promise((resolve) => setTimeout(() => resolve([]), ms).unref())
}

/** For messages: never a name, a password or a query. */
function shortAddress(url: URL): string {
  return url.host === ''
    ? `A ${url.protocol} address`
    : `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname.slice(0, 80)}`
}

/** Why this address is never contacted by `fetchPublic`, as far as its looks tell; null where it may be. */
export function whyNeverFetched(address: string): { message: string; url: URL | null } | null {
  if (!URL.canParse(address)) return { message: `“${address.replace(/\/\/[^/]*@/, '//').slice(0, 200)}” is not an address.`, url: null }
  const url = new URL(address)
  const reason = refuseAddress(url)
  return reason === null ? null : { message: notContacted(url, reason), url }
}

function notContacted(url: URL, reason: string): string {
  return `${shortAddress(url)} was not contacted: ${reason}.`
}

/** Rejects with `bad-input`, and without repeating a password. */
export function parseAddress(address: string | URL, base?: URL): URL {
  const text = String(address)
  try {
    return new URL(text, base)
  } catch (error) {
    throw new SikuError('bad-input', `“${text.replace(/\/\/[^/]*@/, '//').slice(0, 200)}” is not an address.`, { cause: error })
  }
}
