import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { protocol } from 'electron'
import { documentHeaders, documentIdOf, parseRange, safeContentType } from '../core/host/document-file.ts'
import { contentSecurityPolicy, interfaceFile, plainHeaders } from '../core/host/interface-files.ts'
import type { SharedCore } from '../core/host/shared-core.ts'
import { rendererDir } from './places.ts'

const scheme = 'siku'
export const interfaceOrigin = `${scheme}://app`
export const interfaceAddress = `${interfaceOrigin}/`

/** Before the app is ready: the interface's own scheme, as strict as https. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }])
}

/** `siku://app/…` is the built interface, `siku://app/document/<id>` a document of the library; nothing else has an address. */
export function setupProtocol(shared: SharedCore): void {
  protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    if (url.host !== 'app') return refusal(404)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405)
    const documentId = documentIdOf(url.pathname)
    return documentId === null ? sendInterface(url.pathname) : sendDocument(shared, documentId, request)
  })
}

function refusal(status: number): Response {
  return new Response(JSON.stringify({ code: 'not-found', message: 'There is nothing at this address.' }), {
    status,
    headers: { ...plainHeaders, 'Content-Type': 'application/json; charset=utf-8' },
  })
}

async function sendInterface(pathname: string): Promise<Response> {
  const file = interfaceFile(rendererDir, pathname)
  const body = file === null ? null : await readFile(file.path).catch(() => null)
  if (file === null || body === null) return refusal(404)
  return new Response(new Uint8Array(body), {
    headers: { ...plainHeaders, 'Content-Type': file.contentType, 'Content-Security-Policy': contentSecurityPolicy() },
  })
}

async function sendDocument(shared: SharedCore, documentId: number, request: Request): Promise<Response> {
  const document = await shared.documentFile(documentId)
  const found = document === null ? null : await stat(document.path).catch(() => null)
  if (document === null || found === null || !found.isFile()) return refusal(404)
  const range = parseRange(request.headers.get('range'), found.size)
  if (range.kind === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...documentHeaders, 'Content-Range': `bytes */${found.size}` } })
  }
  const [start, end] = range.kind === 'part' ? [range.start, range.end] : [0, found.size - 1]
  const headers = {
    ...documentHeaders,
    'Content-Type': safeContentType(document.contentType),
    'Content-Length': String(end - start + 1),
    ...(range.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${found.size}` } : {}),
  }
  const status = range.kind === 'part' ? 206 : 200
  if (request.method === 'HEAD' || end < start) return new Response(null, { status, headers })
  return new Response(Readable.toWeb(createReadStream(document.path, { start, end })) as ReadableStream, { status, headers })
}
