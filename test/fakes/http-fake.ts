import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
  /** On the clock of performance.now. */
  at: number
  /** Set when the client closed the socket before the answer was complete. */
  abortedAt: number | null
}

export interface HttpFake {
  /** As in http://127.0.0.1:4711, without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly requests: SeenRequest[]
  /** Requests that nothing was scripted for: `close` rejects when there are any. */
  readonly unscripted: string[]
  /** Resolves once this many requests (of this path) have come. */
  waitForRequests(count: number, path?: string): Promise<void>
  /** Resolves once the client closed this many sockets before their answers were complete. */
  waitForAborts(count: number): Promise<void>
  close(): Promise<void>
}

export type Handler = (request: SeenRequest, response: ServerResponse) => Promise<boolean> | boolean

/** A server on a real socket that records what it is asked. A handler that answers false leaves the request unscripted. */
export async function startHttpFake(name: string, options: { port?: number; host?: string }, handle: Handler): Promise<HttpFake> {
  const requests: SeenRequest[] = []
  const unscripted: string[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const changed = (): void => [...waiting].forEach((check) => check())

  const server = createServer((incoming, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part as Buffer)
      const text = Buffer.concat(parts).toString('utf8')
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: parsed(text),
        at: performance.now(),
        abortedAt: null,
      }
      requests.push(request)
      response.on('close', () => {
        if (!response.writableFinished) request.abortedAt = performance.now()
        changed()
      })
      changed()
      if (await handle(request, response)) return
      unscripted.push(`${request.method} ${request.path} ${text.slice(0, 300)}`)
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `the fake ${name} server has no script for ${request.method} ${request.path}` }))
    })().catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve)
  })
  const { port, address, family } = server.address() as AddressInfo

  function until(isTrue: () => boolean): Promise<void> {
    if (isTrue()) return Promise.resolve()
    return new Promise((resolve) => {
      const check = (): void => {
        if (!isTrue()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
    })
  }

  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    port,
    requests,
    unscripted,
    waitForRequests: (count, path) =>
      until(() => requests.filter((request) => path === undefined || request.path === path).length >= count),
    waitForAborts: (count) => until(() => requests.filter((request) => request.abortedAt !== null).length >= count),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
      if (unscripted.length > 0) throw new Error(`the fake ${name} server was asked what it has no script for:\n${unscripted.join('\n')}`)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return text
  }
}

/** An address where nothing listens. */
export async function refusedAddress(): Promise<string> {
  const fake = await startHttpFake('refusing', {}, () => false)
  await fake.close()
  return fake.url
}

export function json(response: ServerResponse, status: number, value: unknown): true {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
  response.end(text)
  return true
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Words with the space before each, as models send them; Chinese a few characters at a time. */
export function words(text: string): string[] {
  return text.match(/\s*(?:[\u3400-\u9fff，。、；：！？]{1,3}|[^\s\u3400-\u9fff，。、；：！？]+)|\s+$/g) ?? []
}
