import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is not let in. Each has its status and its code. */
export type Refusal = 'host' | 'origin' | 'session'

export interface Gate {
  /** The word that lets one browser in, once: the same until somebody used it. */
  currentToken(): string
  /** Takes the token; answers with the cookie of a new session, or null when it is not the valid one. */
  redeem(token: string): string | null
  /** Host first (a rebound name), then origin (another page), then the session. */
  check(request: IncomingMessage, options: { originRequired: boolean }): Refusal | null
  /** Only whether it names this host: for the address with the token itself. */
  isForThisHost(request: IncomingMessage): boolean
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return null
}

/** Who may call the browser host: a browser that brought the one-time token and keeps its cookie, from this host's own pages. */
export function createGate(port: () => number): Gate {
  const sessions: string[] = []
  const cookieName = () => `siku-session-${port()}`
  const hosts = () => [`127.0.0.1:${port()}`, `localhost:${port()}`]
  let token: string | null = null

  function isForThisHost(request: IncomingMessage): boolean {
    return hosts().includes(request.headers.host ?? '')
  }
  function hasSession(request: IncomingMessage): boolean {
    const cookie = cookieOf(request, cookieName())
    return cookie !== null && sessions.some((session) => same(session, cookie))
  }
  return {
    isForThisHost,
    currentToken() {
      token ??= randomBytes(24).toString('base64url')
      return token
    },
    redeem(given) {
      if (token === null || !same(given, token)) return null
      token = null
      const session = randomBytes(32).toString('base64url')
      sessions.push(session)
      if (sessions.length > 100) sessions.shift()
      return `${cookieName()}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
    check(request, { originRequired }) {
      if (!isForThisHost(request)) return 'host'
      const { origin } = request.headers
      if (origin === undefined ? originRequired : !hosts().some((host) => origin === `http://${host}` && host === request.headers.host))
        return 'origin'
      const site = request.headers['sec-fetch-site']
      if (originRequired && site !== undefined && site !== 'same-origin') return 'origin'
      return hasSession(request) ? null : 'session'
    },
  }
}
