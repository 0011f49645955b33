import { createHash } from 'node:crypto'
import type { Attachment, Email } from 'postal-mime'
import type { OpenFile } from './file.ts'
import { kindOf } from './kind.ts'
import { legibleMessage } from './mail-charset.ts'

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
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'application/zip': 'zip',
}
/** Says only how a message was signed or locked. */
const seals = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature|pgp-keys|pgp-encrypted)$/
const lockedTypes = /^application\/(?:x-)?pkcs7-mime$/
/** Pictures in a text that are smaller are signs and logos. */
const logoBytes = 32 << 10
const longestName = 100
/** A message in so many messages is not opened. */
const deepest = 8

export type Attached =
  /** Nothing that a person would read. */
  { kind: 'nothing' } | { kind: 'unread'; name: string; why: string } | { kind: 'document'; name: string; file: OpenFile }

export interface Message extends Email {
  /** The encoding of some of it could as well be another one. */
  guessed: boolean
}

export async function parseMessage(bytes: Buffer): Promise<Message | null> {
  const { default: PostalMime } = await import('postal-mime')
  try {
    const { bytes: legible, guessed } = legibleMessage(bytes)
    // A message within a message is a document of its own, with its own people, date and attachments.
    const options = { attachmentEncoding: 'arraybuffer', maxNestingDepth: 64, forceRfc822Attachments: true } as const
    return { ...(await PostalMime.parse(legible, options)), guessed }
  } catch {
    return null
  }
}

function nameForKind(name: string, type: string): string {
  const ending = endings[type]
  if (ending === undefined || name.toLowerCase().endsWith(`.${ending}`)) return name
  return `${name}.${ending}`
}

/** A name as the last part of a path: without separators and signs that are not seen, of a bounded length, with its ending. */
export function attachedName(given: string, type: string): string {
  const flat = given
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ')
    .replace(/[/\\]/g, '_')
    .trim()
  const [, stem = '', ending = ''] = /^(.*?)(\.[^. ]{1,12})?$/su.exec(/^\.*$/.test(flat) ? '' : flat) ?? []
  const characters = [...stem]
  const short = characters.length > longestName ? `${characters.slice(0, longestName).join('')}…` : stem
  const plain = short === '' && ending === '' ? (endings[type] === 'eml' ? 'message' : 'unnamed') : short + ending
  return ending === '' ? nameForKind(plain, type) : plain
}

/** What an attachment is: by its content, then by the type that the message gives it, then by its name. `around`: the file of the message. */
export function attachedOf(attachment: Attachment, around: Pick<OpenFile, 'depth' | 'modifiedMs' | 'changed'>): Attached {
  const bytes = typeof attachment.content === 'string' ? Buffer.from(attachment.content) : bytesOf(attachment.content)
  const type = attachment.mimeType
  const name = attachedName(attachment.filename ?? attachment.description ?? '', type)
  if (bytes.length === 0 || seals.test(type)) return { kind: 'nothing' }
  const shownInside = attachment.related === true || attachment.disposition === 'inline'
  if (shownInside && /^(?:image|font|text\/css)/.test(type) && bytes.length < logoBytes) return { kind: 'nothing' }
  if (lockedTypes.test(type) || bytes.subarray(0, 40).toString('latin1').includes('-----BEGIN PGP MESSAGE'))
    return { kind: 'unread', name, why: 'encrypted' }
  const depth = (around.depth ?? 0) + 1
  const file = memoryFile(name, bytes, { depth, modifiedMs: around.modifiedMs, changed: () => around.changed() })
  const found = kindOf(nameForKind(name, type), file)
  // A message may begin with any of its lines.
  const kind = endings[type] === 'eml' && (found === 'text' || found === 'html') ? 'mail' : found
  if (kind === 'mail' && depth > deepest) return { kind: 'unread', name, why: 'a message in too many messages' }
  return { kind: 'document', name, file: { ...file, kind } }
}

function bytesOf(content: ArrayBuffer | Uint8Array): Buffer {
  return content instanceof Uint8Array ? Buffer.from(content.buffer, content.byteOffset, content.byteLength) : Buffer.from(content)
}

/** Bytes in memory as a file that is open. */
export function memoryFile(name: string, bytes: Buffer, inside?: Pick<OpenFile, 'depth' | 'modifiedMs' | 'changed'>): OpenFile {
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
    ...inside,
  }
}
