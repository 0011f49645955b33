import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Reason } from '../../../contract/library.ts'

const chunkBytes = 1 << 20
/** Up to here a file is held in memory and read once. */
const heldBytes = 32 << 20

export interface OpenFile {
  /** Without its folder. */
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The file's bytes in order, from the first, as often as asked. */
  chunks(): Iterable<Buffer>
  /** All of it in one piece. */
  bytes(): Buffer
  first(count: number): Buffer
  /** As many bytes from there as the file has. */
  at(position: number, count: number): Buffer
  sha256(): string
  /** True when another file is at this path, or size or time are no longer what they were at opening. */
  changed(): boolean
  close(): void
}

export type Opened = { kind: 'ok'; file: OpenFile } | { kind: 'failed'; reason: Reason }

function reasonOf(error: unknown): Reason {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return { code: 'gone', message: 'The file is not there any more.' }
  if (errno === 'EACCES' || errno === 'EPERM') return { code: 'no-permission', message: 'The file may not be read by this user.' }
  if (errno === 'EISDIR' || errno === 'ENXIO') return { code: 'not-a-file', message: 'This is not a regular file.' }
  if (errno === 'ENAMETOOLONG' || errno === 'EILSEQ' || errno === 'EINVAL' || errno === 'ERR_INVALID_ARG_VALUE')
    return { code: 'name-not-usable', message: 'The name of this file cannot be used.' }
  return { code: 'internal', message }
}

/** Opens a regular file for reading and nothing else: a pipe or a device neither blocks nor is read. */
export function openFile(path: string): Opened {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error) }
  }
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) {
    closeSync(descriptor)
    return { kind: 'failed', reason: { code: 'not-a-file', message: 'This is not a regular file.' } }
  }
  let held: Buffer | null = null

  function readAt(position: number, count: number): Buffer {
    const buffer = Buffer.allocUnsafe(count)
    let filled = 0
    while (filled < count) {
      const got = readSync(descriptor, buffer, filled, count - filled, position + filled)
      if (got === 0) break
      filled += got
    }
    return buffer.subarray(0, filled)
  }
  function bytes(): Buffer {
    if (held !== null) return held
    const all = readAt(0, stat.size)
    if (stat.size <= heldBytes) held = all
    return all
  }
  function* chunks(): Iterable<Buffer> {
    if (stat.size <= heldBytes) {
      yield bytes()
      return
    }
    for (let position = 0; position < stat.size; position += chunkBytes) {
      const chunk = readAt(position, Math.min(chunkBytes, stat.size - position))
      if (chunk.length === 0) return
      yield chunk
    }
  }
  return {
    kind: 'ok',
    file: {
      name: basename(path),
      sizeBytes: stat.size,
      modifiedMs: stat.mtimeMs,
      chunks,
      bytes,
      first: (count) => (held === null ? readAt(0, Math.min(count, stat.size)) : held.subarray(0, count)),
      at(position, count) {
        const size = Math.max(0, Math.min(count, stat.size - position))
        return held === null ? readAt(position, size) : held.subarray(position, position + size)
      },
      sha256() {
        const hash = createHash('sha256')
        for (const chunk of chunks()) hash.update(chunk)
        return hash.digest('hex')
      },
      changed() {
        try {
          const now = statSync(path)
          return now.ino !== stat.ino || now.size !== stat.size || now.mtimeMs !== stat.mtimeMs
        } catch {
          return true
        }
      },
      close: () => closeSync(descriptor),
    },
  }
}

export { reasonOf as fileReason }
