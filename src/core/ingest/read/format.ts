import type { DocumentKind } from '../../../contract/library.ts'
import { soundFormat, type SoundFormat } from './sound-format.ts'

/** What the bytes are, where a kind has several formats. `office` is an encrypted office document of any kind. */
export type Format =
  | SoundFormat
  | 'docx'
  | 'odt'
  | 'rtf'
  | 'doc'
  | 'xlsx'
  | 'xls'
  | 'ods'
  | 'pptx'
  | 'ppt'
  | 'odp'
  | 'epub'
  | 'office'
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'bmp'
  | 'heic'
  | 'zip'

export const kindOfFormat: Record<Format, DocumentKind> = {
  docx: 'word',
  odt: 'word',
  rtf: 'word',
  doc: 'word',
  xlsx: 'sheet',
  xls: 'sheet',
  ods: 'sheet',
  pptx: 'slides',
  ppt: 'slides',
  odp: 'slides',
  epub: 'epub',
  office: 'word',
  png: 'image',
  jpg: 'image',
  gif: 'image',
  webp: 'image',
  tiff: 'image',
  bmp: 'image',
  heic: 'image',
  wav: 'sound',
  mp3: 'sound',
  m4a: 'sound',
  ogg: 'sound',
  flac: 'sound',
  webm: 'sound',
  zip: 'archive',
}

/** The bytes that finding a format needs. */
export interface Peek {
  /** Of the file, without its folder. */
  readonly name: string
  readonly sizeBytes: number
  at(position: number, count: number): Buffer
}

const directoryBytes = 256 << 10

/** The format of bytes that say what they are; null for everything that is text, and for what nobody here reads. */
export function formatOf(peek: Peek): Format | null {
  const first = peek.at(0, 4096)
  const head = first.toString('latin1')
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/.test(head)) return packedFormat(peek, head)
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return compoundFormat(peek, first)
  if (/^\uFEFF?\s*\{\\rtf/.test(head) || /^\xef\xbb\xbf\s*\{\\rtf/.test(head)) return 'rtf'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (head.startsWith('\xff\xd8\xff')) return 'jpg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp'
  if (head.startsWith('II*\0') || head.startsWith('MM\0*')) return 'tiff'
  // The reserved words after the size are zero in every bitmap.
  if (head.startsWith('BM') && first.length > 26 && first.readUInt32LE(6) === 0 && first.readUInt32LE(14) <= 124) return 'bmp'
  if (/^.{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1|avi[fs])/s.test(head)) return 'heic'
  const sound = soundFormat(peek)
  if (sound !== null) return sound
  if (isArchive(head)) return 'zip'
  // A workbook of Excel 2002 to 2003 as XML, whatever it is called.
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml/.test(head) && /<(?:\w+:)?Workbook\b[^>]*urn:schemas-microsoft-com:office:spreadsheet/.test(head))
    return 'xls'
  // The first bytes of an archive may be lost: its parts still say where they begin.
  return first.includes(partSignature) ? packedByName(peek.name) : null
}

const partSignature = Buffer.from('PK\x03\x04', 'latin1')

function isArchive(head: string): boolean {
  const magics = ['\x1f\x8b', 'BZh', '\xfd7zXZ\0', '7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07', '\x28\xb5\x2f\xfd']
  return magics.some((magic) => head.startsWith(magic)) || head.startsWith('ustar', 257)
}

/** The names of the parts stand in the directory at the archive's end; what comes first often says it already. */
function packedFormat(peek: Peek, head: string): Format {
  const size = Math.min(directoryBytes, peek.sizeBytes)
  const names = head + peek.at(peek.sizeBytes - size, size).toString('latin1')
  const mimetype = /mimetypeapplication\/(epub\+zip|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation))/.exec(head)
  if (mimetype !== null) {
    const known: Record<string, Format> = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' }
    return mimetype[1] === 'epub+zip' ? 'epub' : (known[mimetype[2] ?? ''] ?? 'zip')
  }
  if (names.includes('word/document')) return 'docx'
  if (names.includes('xl/workbook') || names.includes('xl/worksheets/')) return 'xlsx'
  if (names.includes('ppt/presentation') || names.includes('ppt/slides/')) return 'pptx'
  if (names.includes('META-INF/container.xml')) return 'epub'
  // Some writers pack even the line that says what it is; a damaged archive may have lost the names.
  const named = packedByName(peek.name)
  const isOpen = named === 'odt' || named === 'ods' || named === 'odp'
  if (named !== null && (isOpen ? names.includes('content.xml') : !names.includes('PK\x05\x06'))) return named
  return 'zip'
}

const packedEndings: Record<string, Format> = {
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  pptx: 'pptx',
  pptm: 'pptx',
  ppsx: 'pptx',
  odt: 'odt',
  ott: 'odt',
  ods: 'ods',
  odp: 'odp',
}

function packedByName(name: string): Format | null {
  return packedEndings[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null
}

/** Streams of a compound file ([MS-CFB]), by the first sectors of its directory; its name decides when they say nothing. */
function compoundFormat(peek: Peek, first: Buffer): Format | null {
  const sectorBytes = first.length >= 512 ? 1 << first.readUInt16LE(30) : 512
  const directory = first.length >= 512 ? (first.readUInt32LE(48) + 1) * sectorBytes : 0
  const entries = peek.at(directory, 16_384).toString('utf16le')
  if (entries.includes('EncryptedPackage')) return 'office'
  if (entries.includes('WordDocument')) return 'doc'
  if (entries.includes('Workbook') || entries.includes('Book\0')) return 'xls'
  if (entries.includes('PowerPoint Document')) return 'ppt'
  const ending = /\.(doc|xls|ppt)[a-z]?$/i.exec(peek.name)?.[1]?.toLowerCase()
  if (ending === undefined) return /\.wps$/i.test(peek.name) ? 'doc' : /\.dps$/i.test(peek.name) ? 'ppt' : null
  return ending as Format
}
