import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, constants } from 'node:zlib'
import { SikuError } from '../../contract/errors.ts'

interface BoundedBody {
  bytes: Uint8Array
  /** There was more, or may have been. */
  cut: boolean
}

/** How bodies may come packed. What is not in here is not asked for, and refused. */
export const acceptedEncodings = 'gzip, br'

function unpacker(encoding: string): ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress> | null {
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip(flush)
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      // A body packed several times over is how a small one becomes a huge one; no honest server sends such.
      throw new SikuError('unsupported', `The answer is packed in a way that is not read here (${encoding.slice(0, 40)}).`)
  }
}

/**
 * At most `maxBytes` of what is sent, and at most `maxBytes` of what it unpacks to: a body that never ends, one that
 * unpacks to far more and one that unpacks to nothing for ever are all cut. The rest is not read; the socket is closed.
 */
export async function readBounded(body: Readable, encoding: string, maxBytes: number): Promise<BoundedBody> {
  let isSentCut = false
  async function* sent(): AsyncGenerator<Buffer> {
    let count = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      count += chunk.length
      if (count > maxBytes) {
        isSentCut = true
        yield chunk.subarray(0, chunk.length - (count - maxBytes))
        return
      }
      yield chunk
    }
  }
  body.on('error', () => undefined)
  try {
    const unpack = unpacker(encoding)
    const source: AsyncIterable<Buffer> = unpack === null ? sent() : pipeline(sent, unpack, () => undefined)
    const parts: Buffer[] = []
    let size = 0
    for await (const part of source) {
      const room = maxBytes - size
      if (part.length > room) {
        parts.push(part.subarray(0, room))
        return { bytes: Buffer.concat(parts), cut: true }
      }
      parts.push(part)
      size += part.length
    }
    return { bytes: Buffer.concat(parts), cut: isSentCut }
  } finally {
    body.destroy()
  }
}
