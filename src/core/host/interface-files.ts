import { extname, join, sep } from 'node:path'

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

export interface InterfaceFile {
  path: string
  contentType: string
  /** Its name carries a hash of its content. */
  lasting: boolean
}

/** The file of the built interface that an address names: one below `directory`, or null. Whether it is there is for the caller to see. */
export function interfaceFile(directory: string, encodedPathname: string): InterfaceFile | null {
  let name: string
  try {
    name = decodeURIComponent(encodedPathname)
  } catch {
    return null
  }
  if (name === '/') name = '/index.html'
  const contentType = types[extname(name).toLowerCase()]
  const path = join(directory, name)
  if (contentType === undefined || name.includes('\0') || name.includes('\\') || !path.startsWith(directory + sep)) return null
  return { path, contentType, lasting: name.startsWith('/assets/') }
}

/** What every page of the interface is held to, whichever host sends it. */
export function contentSecurityPolicy(...connect: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

export const plainHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const
