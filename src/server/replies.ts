import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../contract/errors.ts'
import { plainHeaders } from '../core/host/interface-files.ts'

/** A refused request gets a code, never silence. */
export function refuse(response: ServerResponse, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ code, message })
  response.writeHead(status, {
    ...plainHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 413 || status === 400 ? { Connection: 'close' } : {}),
  })
  response.end(body)
}

export function sendJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(200, {
    ...plainHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

export function sendPage(response: ServerResponse, status: number, html: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    ...plainHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(html)
}
