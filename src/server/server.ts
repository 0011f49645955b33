import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { SikuError, toSikuError, type ErrorCode } from '../contract/errors.ts'
import { documentIdOf } from '../core/host/document-file.ts'
import type { SharedCore } from '../core/host/shared-core.ts'
import { sendDocument } from './documents.ts'
import { createDrops, type Drops } from './drops.ts'
import { createGate, type Gate, type Refusal } from './gate.ts'
import { enteredPage, strangerPage } from './pages.ts'
import { refuse, sendJson, sendPage } from './replies.ts'
import { sendStatic } from './static-files.ts'

export { dataDirectory, nodeDeps, resourcesDirectory, version, type NodeHostOptions } from './node-deps.ts'
export { desktopHere, openInBrowser } from './desktop-here.ts'
export { openShared, type SharedCore } from '../core/host/shared-core.ts'

export interface ServerOptions {
  shared: SharedCore
  dataDir: string
  /** The built interface. */
  rendererDir: URL
  /** 0: a free one. */
  port?: number
  /** A browser without a session came by: an address that lets it in, once. */
  onNewAddress?: (address: string) => void
}

export interface SikuServer {
  /** Lets one browser in, once. */
  readonly address: string
  readonly port: number
  close(): Promise<void>
}

const strangers: Record<Refusal, [status: number, message: string]> = {
  host: [421, 'This address is not one of this host.'],
  origin: [403, 'This page may not call Siku.'],
  session: [401, 'This browser was not let in.'],
}
const statusOf: Partial<Record<ErrorCode, number>> = {
  'bad-input': 400,
  'not-found': 404,
  'no-permission': 403,
  'disk-full': 507,
  refused: 403,
  'read-only': 409,
}

interface Parts {
  shared: SharedCore
  gate: Gate
  drops: Drops
  rendererDir: string
  port: () => number
  onStranger: () => void
}

/** The interface in a browser of this machine: bound to 127.0.0.1 and nothing else, open only to the bearer of its one-time address. */
export async function startServer({ shared, dataDir, rendererDir, port = 0, onNewAddress }: ServerOptions): Promise<SikuServer> {
  let bound = 0
  let remindedAt = -Infinity
  const gate = createGate(() => bound)
  const currentAddress = () => `http://127.0.0.1:${bound}/?token=${gate.currentToken()}`
  const parts: Parts = {
    shared,
    gate,
    drops: createDrops(dataDir, Date.now),
    rendererDir: resolve(fileURLToPath(rendererDir)),
    port: () => bound,
    onStranger() {
      if (onNewAddress === undefined || performance.now() - remindedAt < 10_000) return
      remindedAt = performance.now()
      onNewAddress(currentAddress())
    },
  }
  const server = createServer((request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      const { code, message } = toSikuError(error)
      if (response.headersSent) response.destroy()
      else refuse(response, statusOf[code] ?? 500, code, message)
    })
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64_000_000 })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => undefined)
    const refusal = gate.check(request, { originRequired: true })
    if (refusal !== null) return refuseUpgrade(socket, strangers[refusal][0], 'refused', strangers[refusal][1])
    if (request.url !== '/rpc') return refuseUpgrade(socket, 404, 'not-found', 'There is no such socket.')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate())
      shared.serveSocket(webSocket, { kind: 'browser' })
    })
  })
  server.requestTimeout = 0
  await copiedFolders(shared)
    .then((folders) => parts.drops.sweep(folders))
    .catch(() => undefined)
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'EADDRINUSE'
          ? new SikuError('conflict', `Port ${port} is taken.`, { hint: 'Leave --port out for a free one.' })
          : toSikuError(error),
      ),
    )
    server.listen(port, '127.0.0.1', done)
  })
  bound = (server.address() as AddressInfo).port
  return {
    address: currentAddress(),
    port: bound,
    async close() {
      for (const webSocket of sockets.clients) webSocket.close(1001)
      const closed = new Promise((done) => server.close(done))
      server.closeIdleConnections()
      const hurry = setTimeout(() => {
        for (const webSocket of sockets.clients) webSocket.terminate()
        server.closeAllConnections()
      }, 500)
      await closed
      clearTimeout(hurry)
    },
  }
}

function refuseUpgrade(socket: Duplex, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ code, message })
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function addressOf(text: string): URL | null {
  return URL.canParse(text, 'http://127.0.0.1') ? new URL(text, 'http://127.0.0.1') : null
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { gate } = parts
  const url = addressOf(request.url ?? '')
  if (url === null) return refuse(response, 400, 'bad-input', 'That is no address.')
  const method = request.method ?? ''
  const token = url.searchParams.get('token')
  if (token !== null && url.pathname === '/' && method === 'GET' && gate.isForThisHost(request)) {
    const cookie = gate.redeem(token)
    if (cookie !== null) return sendPage(response, 200, enteredPage, { 'Set-Cookie': cookie })
    // The same browser comes back by the address in its history.
    if (gate.check(request, { originRequired: false }) === null) return sendPage(response, 200, enteredPage)
  }
  const refusal = gate.check(request, { originRequired: method !== 'GET' && method !== 'HEAD' })
  if (refusal !== null) {
    const [status, message] = strangers[refusal]
    if (refusal !== 'session' || method !== 'GET' || url.pathname !== '/') return refuse(response, status, 'refused', message)
    parts.onStranger()
    return sendPage(response, status, strangerPage)
  }
  if (method === 'POST') return receive(parts, url, request, response)
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'bad-input', 'That cannot be done here.')
  const documentId = documentIdOf(url.pathname)
  if (documentId !== null) return sendDocument(parts.shared, documentId, request, response)
  const host = request.headers.host ?? ''
  return sendStatic(parts.rendererDir, url.pathname, `ws://${host}`, response)
}

async function receive({ drops, shared }: Parts, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const match = /^\/drop\/([^/]+)(\/finish)?$/.exec(url.pathname)
  const dropId = match?.[1]
  if (dropId === undefined) return refuse(response, 404, 'not-found', 'There is nothing to send to here.')
  if (shared.access === 'read-only') return refuse(response, 409, 'read-only', 'The library is opened for reading only.')
  if (match?.[2] !== undefined) return sendJson(response, { paths: await drops.finish(dropId, url.searchParams.get('name')) })
  await drops.receive(dropId, url.searchParams.get('path') ?? '', request)
  sendJson(response, { done: true })
}

/** The copies in use; null where another host holds the library, which may still undo a removal. */
async function copiedFolders(shared: SharedCore): Promise<string[] | null> {
  if (shared.access !== 'writer') return null
  const folders = await shared.client.folders.list()
  return folders.filter((folder) => folder.copied).map((folder) => folder.path)
}
