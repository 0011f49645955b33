import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { RPCHandler } from '@orpc/server/ws'
import { WebSocketServer } from 'ws'
import { createFakeCore, type FakeOptions } from './fake-core.ts'
import { kindFile } from './fake-kinds.ts'
import { sampleFiles } from './fake-library.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.pdf': 'application/pdf',
}

function sendFile(path: string, request: IncomingMessage, response: ServerResponse): void {
  if (!existsSync(path) || !statSync(path).isFile()) {
    response.writeHead(404).end()
    return
  }
  const size = statSync(path).size
  const head = { 'content-type': types[extname(path)] ?? 'application/octet-stream', 'accept-ranges': 'bytes' }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  if (range === null) {
    response.writeHead(200, { ...head, 'content-length': size })
    createReadStream(path).pipe(response)
    return
  }
  const start = Number(range[1])
  const end = Math.min(size - 1, range[2] === '' ? size - 1 : Number(range[2]))
  response.writeHead(206, { ...head, 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
  createReadStream(path, { start, end }).pipe(response)
}

export interface FakeHost {
  url: string
  /** Breaks all connections, as a host that went away would. */
  drop: () => void
  /** Ends all connections and leaves of the turns that ran what a crash would. */
  crash: () => void
  /** What was dropped: paths and sizes. */
  dropped: { path: string; bytes: number }[]
  close: () => Promise<void>
}

/** The built interface over a fake core, on a port of its own. */
export async function serveFake(webDir: string, options: FakeOptions, port = 0): Promise<FakeHost> {
  const control: NonNullable<FakeOptions['control']> = {}
  const handler = new RPCHandler(createFakeCore({ ...options, control }))
  const dropped: FakeHost['dropped'] = []
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = decodeURIComponent(url.pathname)
    const document = /^\/document\/(\d+)$/.exec(path)
    if (document !== null && Number(document[1]) >= 500 && Number(document[1]) < 600) {
      void kindFile(Number(document[1])).then((bytes) => response.writeHead(bytes === null ? 404 : 200).end(bytes))
      return
    }
    if (document !== null) return sendFile(join(options.sampleDir, sampleFiles[Number(document[1]) - 1] ?? 'none'), request, response)
    if (path.startsWith('/drop/')) {
      let bytes = 0
      request.on('data', (chunk: Buffer) => (bytes += chunk.length))
      request.on('end', () => {
        if (!path.endsWith('/finish')) dropped.push({ path: url.searchParams.get('path') ?? '', bytes })
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ paths: path.endsWith('/finish') ? [`/copies/${url.searchParams.get('name') ?? ''}`] : [] }))
      })
      return
    }
    const file = join(webDir, path === '/' ? 'index.html' : path)
    if (!file.startsWith(webDir)) response.writeHead(403).end()
    else sendFile(file, request, response)
  })
  const sockets = new WebSocketServer({ server, path: '/rpc' })
  sockets.on('connection', (socket) => void handler.upgrade(socket as never, { context: {} as never }))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    drop: () => sockets.clients.forEach((socket) => socket.terminate()),
    crash() {
      control.crash?.()
      sockets.clients.forEach((socket) => socket.terminate())
    },
    dropped,
    async close() {
      sockets.clients.forEach((socket) => socket.terminate())
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
