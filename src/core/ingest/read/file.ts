import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import type { DocumentKind, Reason } from '../../../contract/library.ts'

const chunkBytes = 1 << 20
/** Up to here a file is held in memory and read once. */
const heldBytes = 32 << 20

export interface OpenFile {
  /** Without its folder. */
  readonly name: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Of a document inside another: what the one around it says it is. */
  readonly kind?: DocumentKind
  /** In how many documents it lies; left out: it is a file of its own. */
  readonly depth?: number
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

const linkLoop: Reason = { code: 'link-loop', message: 'This link leads back to where it stands.' }
const danglingLink: Reason = { code: 'dangling-link', message: 'This link leads to nothing.' }
const notAFile: Reason = { code: 'not-a-file', message: 'This is not a regular file.' }
const notDownloaded: Reason = { code: 'not-downloaded', message: 'Only a placeholder is here: its content is with the cloud drive.' }

/** Directories that cloud drives keep, where a file may be a placeholder. */
const cloudPlaces =
  /[/\\](?:Library[/\\](?:CloudStorage|Mobile Documents)|(?:OneDrive|Dropbox|Google ?Drive|iCloud ?Drive|Box(?: Sync)?|pCloudDrive|Nutstore(?: Files)?|坚果云|我的坚果云|BaiduSyncdisk|百度网盘同步空间)(?: ?[-(][^/\\]*)?)[/\\]/i
/** Smaller files may have no block of their own on ordinary disks. */
const placeholderBytes = 4096

/** Whether reading it would fetch it. A sparse file elsewhere has no blocks either and is an ordinary file. */
export function isPlaceholder(path: string, { size, blocks }: Pick<Stats, 'size' | 'blocks'>): boolean {
  return isPlaceholderName(basename(path)) || (blocks === 0 && size > placeholderBytes && cloudPlaces.test(path))
}

/** What iCloud leaves where a file was: `.Report.pdf.icloud`. */
export function isPlaceholderName(name: string): boolean {
  return /^\..+\.icloud$/.test(name)
}

/** Whether a link leads to a directory that holds the link itself, or to itself. */
export function isLinkLoop(path: string): boolean {
  try {
    const target = realpathSync(path)
    const before = target.endsWith(sep) ? target : target + sep
    return [path, realpathSync(dirname(path)) + sep].some((place) => place.startsWith(before))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP'
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** Whether it is a link whose target is not there. */
export function isDanglingLink(path: string): boolean {
  if (!isLink(path)) return false
  try {
    statSync(path)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  }
}

function reasonOf(error: unknown): Reason {
  const errno = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return { code: 'gone', message: 'The file is not there any more.' }
  if (errno === 'EACCES' || errno === 'EPERM') return { code: 'no-permission', message: 'The file may not be read by this user.' }
  if (errno === 'ELOOP') return linkLoop
  if (errno === 'EISDIR' || errno === 'ENXIO') return notAFile
  if (errno === 'ENAMETOOLONG' || errno === 'EILSEQ' || errno === 'EINVAL' || errno === 'ERR_INVALID_ARG_VALUE')
    return { code: 'name-not-usable', message: 'The name of this file cannot be used.' }
  return { code: 'internal', message }
}

/** Opens a regular file for reading and nothing else: a pipe, a socket or a device is not even opened. */
export function openFile(path: string): Opened {
  let descriptor: number
  try {
    if (!statSync(path).isFile()) return { kind: 'failed', reason: isLink(path) && isLinkLoop(path) ? linkLoop : notAFile }
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return { kind: 'failed', reason: isDanglingLink(path) ? danglingLink : reasonOf(error) }
  }
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) {
    closeSync(descriptor)
    return { kind: 'failed', reason: notAFile }
  }
  if (isPlaceholder(path, stat)) {
    closeSync(descriptor)
    return { kind: 'failed', reason: notDownloaded }
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
