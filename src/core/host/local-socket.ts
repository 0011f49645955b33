import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { platform, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { pid } from 'node:process'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Contract } from '../../contract/contract.ts'
import { SikuError } from '../../contract/errors.ts'

/** `host.json` in the data directory: where its one writer listens, and the word that lets in. Readable by its owner only. */
const hostFileSchema = z.object({ socket: z.string(), token: z.string(), pid: z.number().int(), version: z.string() })

const onWindows = platform() === 'win32'

/** The longest path that every system takes for a socket, with room for its ending. */
const longestSocketPath = 100

export interface LocalListener {
  readonly socket: string
  /** How many other hosts are connected. */
  guests(): number
  close(): Promise<void>
}

export interface RemoteClient {
  readonly client: ContractRouterClient<Contract>
  readonly pid: number
  /** Another one for each start of a host. */
  readonly host: string
  /** The host is gone, or the connection to it. */
  isLost(): boolean
  close(): void
}

export type Connection = { kind: 'connected'; remote: RemoteClient } | { kind: 'absent' } | { kind: 'other-version'; version: string }

function ownDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  const { uid } = userInfo()
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new SikuError('no-permission', `${path} is not a directory of this user alone`)
  }
  return path
}

function socketPath(dataDir: string): string {
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 20)
  if (onWindows) return `\\\\.\\pipe\\siku-${name}-${randomBytes(6).toString('hex')}`
  const beside = join(resolve(dataDir), 'host.sock')
  if (Buffer.byteLength(beside) <= longestSocketPath) return beside
  return join(ownDirectory(join(tmpdir(), `siku-${userInfo().uid}`)), `${name}.sock`)
}

function sameToken(given: string | string[] | undefined, token: string): boolean {
  if (typeof given !== 'string') return false
  const [left, right] = [Buffer.from(given), Buffer.from(token)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(path, () => {
      server.off('error', fail)
      done()
    })
  })
}

/** Serves the contract to this user's other hosts. Call it only while holding the data directory's writer lock: a socket found there is stale. */
export async function listenLocally(dataDir: string, serve: (webSocket: WebSocket) => void, version: string): Promise<LocalListener> {
  const token = randomBytes(24).toString('base64url')
  const path = socketPath(dataDir)
  const hostFile = join(dataDir, 'host.json')
  if (!onWindows) rmSync(path, { force: true })

  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64_000_000 })
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined)
    if (!sameToken(request.headers['x-siku-token'], token)) return socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate())
      serve(webSocket)
    })
  })
  await listen(server, path)
  if (!onWindows) chmodSync(path, 0o600)

  const temporary = `${hostFile}.${pid}`
  writeFileSync(temporary, JSON.stringify({ socket: path, token, pid: pid, version }), { mode: 0o600 })
  renameSync(temporary, hostFile)

  return {
    socket: path,
    guests: () => sockets.clients.size,
    async close() {
      rmSync(hostFile, { force: true })
      for (const webSocket of sockets.clients) webSocket.close(1001)
      const closed = new Promise((done) => server.close(done))
      setTimeout(() => {
        for (const webSocket of sockets.clients) webSocket.terminate()
      }, 500).unref()
      await closed
      if (!onWindows) rmSync(path, { force: true })
    },
  }
}

function readHostFile(dataDir: string): z.infer<typeof hostFileSchema> | null {
  try {
    return hostFileSchema.parse(JSON.parse(readFileSync(join(dataDir, 'host.json'), 'utf8')))
  } catch {
    return null
  }
}

function open(path: string, token: string): Promise<WebSocket | null> {
  return new Promise((done) => {
    const webSocket = new WebSocket('ws://siku/rpc', {
      createConnection: () => connectSocket(path),
      headers: { 'x-siku-token': token },
      handshakeTimeout: 3000,
      maxPayload: 256_000_000,
    })
    webSocket.once('open', () => done(webSocket))
    webSocket.once('error', () => done(null))
  })
}

/** Reaches the host that writes this data directory, if one listens. A socket left by a dead host counts as absent. */
export async function connectLocally(dataDir: string, version: string): Promise<Connection> {
  const host = readHostFile(dataDir)
  if (host === null) return { kind: 'absent' }
  if (host.version !== version) return { kind: 'other-version', version: host.version }
  const webSocket = await open(host.socket, host.token)
  if (webSocket === null) return { kind: 'absent' }
  webSocket.on('error', () => webSocket.terminate())
  const client: ContractRouterClient<Contract> = createORPCClient(new RPCLink({ websocket: webSocket as unknown as globalThis.WebSocket }))
  return {
    kind: 'connected',
    remote: {
      client,
      pid: host.pid,
      host: createHash('sha256').update(host.token).digest('hex'),
      isLost: () => webSocket.readyState !== WebSocket.OPEN,
      close: () => webSocket.close(),
    },
  }
}
