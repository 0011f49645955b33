import { access, constants } from 'node:fs/promises'
import { platform } from 'node:os'
import { extname } from 'node:path'

/** How a document's bytes are handed to the interface, the same over HTTP and Electron's own protocol. */

const shown = new Set([
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'audio/wav',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/flac',
  'audio/webm',
])

/** A document is looked at, never run: no type that a browser would treat as a page or a script. */
export function safeContentType(contentType: string): string {
  const essence = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (shown.has(essence)) return essence
  return essence.startsWith('text/') ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

export const documentHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'private, no-store',
} as const

export type ByteRange = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

/** One range of a `Range` header, both ends included. Several ranges, or what is no range, mean the whole, as RFC 9110 allows. */
export function parseRange(header: string | null | undefined, sizeBytes: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return { kind: 'whole' }
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (start >= sizeBytes) return { kind: 'unsatisfiable' }
  return end < start ? { kind: 'whole' } : { kind: 'part', start, end }
}

/** The id in `/document/<id>`, or null. */
export function documentIdOf(pathname: string): number | null {
  const match = /^\/document\/(\d{1,15})$/.exec(pathname)
  return match?.[1] === undefined ? null : Number(match[1])
}

const programs = new Set(
  '.app .appimage .bash .bat .cmd .com .command .cpl .desktop .exe .hta .jar .js .jse .lnk .msc .msi .ps1 .py .pyw .rb .reg .scr .sh .url .vbs .vbe .wsf .zsh'.split(
    ' ',
  ),
)

/** What the system would run rather than show: a host opens its folder instead. */
export async function isRunnable(path: string): Promise<boolean> {
  if (programs.has(extname(path).toLowerCase())) return true
  if (platform() === 'win32') return false
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
