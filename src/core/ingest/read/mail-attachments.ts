import { createHash } from 'node:crypto'
import type { Attachment } from 'postal-mime'
import type { Place } from '../../../contract/place.ts'
import type { DocumentKind } from '../../../contract/library.ts'
import type { OpenFile } from './file.ts'
import { kindOf } from './kind.ts'
import { shortHeading, type ReadSection } from './reading.ts'

/** What a type is called as a file; kinds that say little, such as `text/plain`, leave it to the name. */
const endings: Record<string, string> = {
  'text/html': 'html',
  'application/xhtml+xml': 'xhtml',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'md',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/mbox': 'mbox',
  'message/rfc822': 'eml',
  'message/global': 'eml',
}
/** Says only how a message was signed or locked. */
const seals = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature|pgp-keys|pgp-encrypted)$/
const lockedTypes = /^application\/(?:x-)?pkcs7-mime$/
/** Pictures in a text that are smaller are signs and logos. */
const logoBytes = 32 << 10

export type Attached =
  /** Nothing that a person would read. */
  | { kind: 'nothing' }
  | { kind: 'unread'; name: string; why: string }
  | { kind: 'readable'; name: string; file: OpenFile; documentKind: DocumentKind }

function nameForKind(name: string, type: string): string {
  const ending = endings[type]
  if (ending === undefined || name.toLowerCase().endsWith(`.${ending}`)) return name
  return `${name}.${ending}`
}

/** What an attachment is: by its content, then by the type that the message gives it, then by its name. */
export function attachedOf(attachment: Attachment): Attached {
  const bytes = typeof attachment.content === 'string' ? Buffer.from(attachment.content) : bytesOf(attachment.content)
  const type = attachment.mimeType
  const name = shortHeading(attachment.filename ?? attachment.description ?? '') || 'unnamed'
  if (bytes.length === 0 || seals.test(type)) return { kind: 'nothing' }
  if (attachment.related === true && /^(?:image|font|text\/css)/.test(type) && bytes.length < logoBytes) return { kind: 'nothing' }
  if (lockedTypes.test(type) || bytes.subarray(0, 40).toString('latin1').includes('-----BEGIN PGP MESSAGE'))
    return { kind: 'unread', name, why: 'encrypted' }
  const file = memoryFile(nameForKind(name, type), bytes)
  const found = kindOf(file.name, file)
  // A message may begin with any of its lines.
  const documentKind = endings[type] === 'eml' && (found === 'text' || found === 'html') ? 'mail' : found
  if (documentKind === 'image') return { kind: 'unread', name, why: 'picture' }
  if (documentKind === 'archive') return { kind: 'unread', name, why: 'archive' }
  if (documentKind !== 'unknown') return { kind: 'readable', name, file, documentKind }
  return { kind: 'unread', name, why: type.startsWith('audio/') ? 'sound' : type.startsWith('video/') ? 'video' : 'unknown kind' }
}

function bytesOf(content: ArrayBuffer | Uint8Array): Buffer {
  return content instanceof Uint8Array ? Buffer.from(content.buffer, content.byteOffset, content.byteLength) : Buffer.from(content)
}

function range(from: number, to: number): string {
  return from === to ? `${from}` : `${from}–${to}`
}

/** Where something stands in an attachment, in signs of no language. */
function detailOf(place: Place): string {
  switch (place.kind) {
    case 'page':
      return `p. ${range(place.page, place.toPage ?? place.page)}`
    case 'lines':
      return range(place.from, place.to)
    case 'section':
      return place.heading.at(-1) ?? `¶ ${range(place.from, place.to)}`
    case 'sheet':
      return `${place.sheet} ${range(place.from, place.to)}`
    case 'slide':
      return `# ${place.slide}`
    case 'chapter':
      return place.chapter
    case 'message':
      return place.message
  }
}

/** A section of an attachment is opened with the message that it came in. */
export function placedIn(section: ReadSection, message: string, attached: string): ReadSection {
  const path = [message, attached, detailOf(section.place)].filter((part, index, all) => part !== '' && part !== all[index - 1])
  const place = { kind: 'message' as const, message: path.join(' › ') }
  const heading = section.heading[0] === attached ? section.heading : [attached, ...section.heading]
  return { text: section.text, blocks: section.blocks, place, positions: place, heading: [message, ...heading] }
}

/** Bytes in memory as a file that is open. */
export function memoryFile(name: string, bytes: Buffer): OpenFile {
  return {
    name,
    sizeBytes: bytes.length,
    modifiedMs: 0,
    chunks: () => [bytes],
    bytes: () => bytes,
    first: (count) => bytes.subarray(0, count),
    at: (position, count) => bytes.subarray(position, position + count),
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
    changed: () => false,
    close: () => undefined,
  }
}
