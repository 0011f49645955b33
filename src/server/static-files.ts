import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { contentSecurityPolicy, plainHeaders, refuse } from './replies.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.icc': 'application/octet-stream',
}

/** The built interface, and only that: a name leads to a file below `directory` or to nothing. */
export async function sendStatic(directory: string, pathname: string, socketOrigin: string, response: ServerResponse): Promise<void> {
  const name = pathname === '/' ? '/index.html' : pathname
  const type = types[extname(name).toLowerCase()]
  const path = join(directory, name)
  if (type === undefined || name.includes('\0') || name.includes('\\') || !path.startsWith(directory + sep)) {
    return refuse(response, 404, 'not-found', 'There is no such page.')
  }
  let body: Buffer
  try {
    body = await readFile(path)
  } catch {
    return refuse(response, 404, 'not-found', name === '/index.html' ? 'The interface is not built.' : 'There is no such page.')
  }
  response.writeHead(200, {
    ...plainHeaders,
    'Content-Type': type,
    'Content-Length': body.length,
    'Content-Security-Policy': contentSecurityPolicy(socketOrigin),
    // Built files carry a hash in their names; the page that names them does not.
    'Cache-Control': /^\/assets\//.test(name) ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  response.end(body)
}
