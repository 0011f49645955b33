import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { contentSecurityPolicy, interfaceFile, plainHeaders } from '../core/host/interface-files.ts'
import { refuse } from './replies.ts'

/** The built interface, and only that. */
export async function sendStatic(directory: string, pathname: string, socketOrigin: string, response: ServerResponse): Promise<void> {
  const file = interfaceFile(directory, pathname)
  const body = file === null ? null : await readFile(file.path).catch(() => null)
  if (file === null || body === null) {
    return refuse(response, 404, 'not-found', pathname === '/' ? 'The interface is not built.' : 'There is no such page.')
  }
  response.writeHead(200, {
    ...plainHeaders,
    'Content-Type': file.contentType,
    'Content-Length': body.length,
    'Content-Security-Policy': contentSecurityPolicy(socketOrigin),
    'Cache-Control': file.lasting ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  response.end(body)
}
