import { open, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { toSikuError } from '../contract/errors.ts'
import { documentHeaders, parseRange, safeContentType } from '../core/host/document-file.ts'
import type { SharedCore } from '../core/host/shared-core.ts'
import { refuse } from './replies.ts'

/** A document of the library, whole or a range of it. Nothing outside the library has an address. */
export async function sendDocument(
  shared: SharedCore,
  documentId: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const document = await shared.documentFile(documentId)
  if (document === null) return refuse(response, 404, 'not-found', 'There is no such document in the library.')
  let file: FileHandle
  try {
    file = await open(document.path, 'r')
  } catch (error) {
    const { code } = toSikuError(error)
    if (code === 'no-permission') return refuse(response, 403, code, 'The document may not be read.')
    return refuse(response, 404, 'not-found', 'The document is no longer there.')
  }
  try {
    const found = await file.stat()
    if (!found.isFile()) return refuse(response, 404, 'not-found', 'The document is no longer a file.')
    const range = parseRange(request.headers.range, found.size)
    if (range.kind === 'unsatisfiable') {
      response.writeHead(416, { ...documentHeaders, 'Content-Range': `bytes */${found.size}` }).end()
      return
    }
    const [start, end] = range.kind === 'part' ? [range.start, range.end] : [0, found.size - 1]
    response.writeHead(range.kind === 'part' ? 206 : 200, {
      ...documentHeaders,
      'Content-Type': safeContentType(document.contentType),
      'Content-Length': end - start + 1,
      ...(range.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${found.size}` } : {}),
    })
    if (request.method === 'HEAD' || end < start) {
      response.end()
      return
    }
    await pipeline(file.createReadStream({ start, end, autoClose: false }), response)
  } finally {
    await file.close()
  }
}
