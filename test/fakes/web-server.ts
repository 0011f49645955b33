import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ServerResponse } from 'node:http'
import type { Tool, ToolContext, ToolOutput } from '../../src/core/agent/agent.ts'
import type { Outside, ResolvedAddress } from '../../src/core/deps.ts'
import { createNet, type Net, type NetDeps } from '../../src/core/net/net.ts'
import { json, startHttpFake, type HttpFake, type SeenRequest } from './http-fake.ts'

/** What a page answers. A function writes the response itself. */
export type FakePage =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | ((request: SeenRequest, response: ServerResponse) => void)

export interface WebFakeOptions {
  /** By host and path, as in `museum.example/visit`; with the query when it has one. */
  pages?: Record<string, FakePage>
  /** What the name server says of a host, one answer after another; each list may hold any address. Else a public one. */
  names?: Record<string, string[][]>
  /** What the search engines do. */
  duckDuckGo?: 'results' | 'none' | 'blocked'
  searxng?: 'results' | 'forbidden'
  /** Before each answer of the weather service: for tests of what happens meanwhile. */
  beforeWeather?: (request: SeenRequest) => Promise<void> | void
}

export interface WebFake extends HttpFake {
  /** Give it to `openCore` or `createNet`: `{ outside: web.outside }`. All public names then lead to this server, and the guard stands. */
  readonly outside: Outside
  /** For `settings.searxngAddress`: reached directly, as a server at home is. */
  readonly searxngAddress: string
  /** Hosts that were looked up, and hosts to which a socket was opened, in order. */
  readonly lookedUp: string[]
  readonly connected: string[]
  /** Host and path of each request. */
  asked(): string[]
}

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'web')

export function webFixture(name: string): Buffer {
  return readFileSync(join(fixtures, name))
}

const publicAddress: ResolvedAddress = { address: '93.184.216.34', family: 4 }

/**
 * The web behind one real socket: Open-Meteo, Wikipedia, DuckDuckGo, a SearXNG server and pages. It knows the weather of
 * Nanjing (南京) and Chengdu (成都). What nobody scripted fails loudly when it is closed.
 */
export async function startWebFake(options: WebFakeOptions = {}): Promise<WebFake> {
  const lookedUp: string[] = []
  const connected: string[] = []
  const names = structuredClone(options.names ?? {})

  const fake = await startHttpFake('web', {}, async (request, response) => {
    const host = request.headers.host ?? ''
    const url = new URL(request.path, `http://${host}`)
    const page = options.pages?.[`${host}${request.path}`] ?? options.pages?.[`${host}${url.pathname}`]
    if (page !== undefined) return answerPage(page, request, response)
    if (host === 'geocoding-api.open-meteo.com' && url.pathname === '/v1/search') {
      await options.beforeWeather?.(request)
      return fixture(response, `open-meteo-places-${cityNamed(url.searchParams.get('name') ?? '')}.json`)
    }
    if (host === 'api.open-meteo.com' && url.pathname === '/v1/forecast') {
      await options.beforeWeather?.(request)
      return answerForecast(url, response)
    }
    if (host.endsWith('.wikipedia.org') && url.pathname === '/w/api.php') {
      const isNanjing = /nanjing|南京/i.test(url.searchParams.get('gsrsearch') ?? '')
      const edition = host.split('.')[0] ?? ''
      return fixture(response, isNanjing && /^(zh|en)$/.test(edition) ? `wikipedia-${edition}-nanjing.json` : 'wikipedia-none.json')
    }
    if (host === 'html.duckduckgo.com' && url.pathname === '/html/') {
      const kind = options.duckDuckGo ?? 'results'
      response.writeHead(kind === 'blocked' ? 202 : 200, { 'content-type': 'text/html; charset=UTF-8' })
      response.end(webFixture(kind === 'results' ? 'duckduckgo.html' : `duckduckgo-${kind}.html`))
      return true
    }
    if (host === `127.0.0.1:${fake.port}` && url.pathname === '/search') {
      if (options.searxng === 'forbidden' || url.searchParams.get('format') !== 'json') response.writeHead(403).end('Forbidden')
      else fixture(response, 'searxng.json')
      return true
    }
    return false
  })

  const outside: Outside = {
    resolve(host) {
      lookedUp.push(host)
      const next = names[host]?.shift()
      return Promise.resolve(next?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })) ?? [publicAddress])
    },
    connect({ host }) {
      connected.push(host)
      return connect(fake.port, '127.0.0.1')
    },
  }
  return {
    ...fake,
    outside,
    searxngAddress: fake.url,
    lookedUp,
    connected,
    asked: () => fake.requests.map((request) => `${request.headers.host ?? ''}${request.path}`),
  }
}

/** A net whose public names lead to the fake. `noted`: the ledger. */
export function webNet(web: Pick<WebFake, 'outside'>, change: Partial<NetDeps> = {}): { net: Net; noted: string[] } {
  const noted: string[] = []
  const net = createNet({
    fetch: globalThis.fetch,
    outside: web.outside,
    now: Date.now,
    env: {},
    isOffline: () => false,
    note: ({ host, purpose, refused }) => noted.push(`${refused ? 'refused ' : ''}${host}: ${purpose}`),
    ...change,
  })
  return { net, noted }
}

/** Fakes with a net to each, which end together. */
export function webOpener() {
  const open: { close(): Promise<unknown> }[] = []
  return {
    async openWeb(options: WebFakeOptions = {}, change: Partial<NetDeps> = {}) {
      const web = await startWebFake(options)
      const { net, noted } = webNet(web, change)
      open.push(net, web)
      return { web, net, noted }
    },
    closeToo: (each: { close(): Promise<unknown> }) => void open.push(each),
    closeAll: async () => {
      await Promise.all(open.splice(0).map((each) => each.close()))
    },
  }
}

/** Calls a tool as the loop does: with checked arguments and a context. */
export async function runTool(tool: Tool, args: unknown, change: Partial<ToolContext> = {}): Promise<ToolOutput> {
  const context: ToolContext = {
    signal: new AbortController().signal,
    now: Date.now,
    language: 'en',
    chatId: 'chat',
    turnId: 'turn',
    scope: {},
    cite: () => [],
    ...change,
  }
  const output = await tool.run(tool.schema.parse(args), context)
  return typeof output === 'string' ? { text: output } : output
}

function cityNamed(name: string): 'nanjing' | 'chengdu' | 'springfield' | 'none' {
  if (/^(nanjing|南京)/i.test(name) && !name.endsWith('市')) return 'nanjing'
  if (/^(chengdu|成都)/i.test(name) && !name.endsWith('市')) return 'chengdu'
  return /^springfield$/i.test(name) ? 'springfield' : 'none'
}

/** Of the city at these coordinates, and as many days as were asked for. */
function answerForecast(url: URL, response: ServerResponse): boolean {
  const latitude = Number(url.searchParams.get('latitude'))
  const city = latitude > 31.5 ? 'nanjing' : 'chengdu'
  const forecast = JSON.parse(webFixture(`open-meteo-forecast-${city}.json`).toString('utf8')) as { daily: Record<string, unknown[]> }
  const days = Number(url.searchParams.get('forecast_days'))
  const daily = Object.fromEntries(Object.entries(forecast.daily).map(([name, list]) => [name, list.slice(0, days)]))
  return json(response, 200, { ...forecast, daily })
}

function fixture(response: ServerResponse, name: string): true {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
  response.end(webFixture(name))
  return true
}

function answerPage(page: FakePage, request: SeenRequest, response: ServerResponse): true {
  if (typeof page === 'function') {
    page(request, response)
    return true
  }
  const { status = 200, headers = {}, body = '' } = typeof page === 'string' ? { body: page } : page
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
  response.end(body)
  return true
}
