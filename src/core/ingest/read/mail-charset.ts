import { isUtf8 } from 'node:buffer'
import { decode } from './decode.ts'
import { declaredEncoding } from './encoding.ts'

/** Parts within parts beyond this are left as they are. */
const deepest = 64
/** So much of a body tells the encoding of its head. */
const sampleBytes = 1 << 16

export interface Legible {
  bytes: Buffer
  /** The encoding of some of it could as well be another one. */
  guessed: boolean
}

interface Part {
  /** As Latin-1, with its lines joined. */
  head: string
  type: string
  parameters: Record<string, string>
}

/**
 * A message whose head and texts say what they are encoded in, and are: what declares nothing, or what it is not, is told by its
 * content, as in a file of text, and written in UTF-8. All else stays byte for byte.
 */
export function legibleMessage(bytes: Buffer): Legible {
  const found = { guessed: false }
  return { bytes: legiblePart(bytes, 0, found), guessed: found.guessed }
}

function legiblePart(bytes: Buffer, depth: number, found: { guessed: boolean }): Buffer {
  const bodyAt = bodyStart(bytes)
  const rawHead = bytes.subarray(0, bodyAt)
  const body = bytes.subarray(bodyAt)
  const head = legibleHead(rawHead, body, found)
  const part = partOf(head)
  const boundary = part.parameters['boundary']
  if (part.type.startsWith('multipart/') && boundary !== undefined && boundary !== '' && depth < deepest) {
    const parts = splitParts(body, boundary)
    const legible = parts.map(({ bytes: each, isPart }) => (isPart ? legiblePart(each, depth + 1, found) : each))
    if (head === rawHead && legible.every((each, index) => each === parts[index]?.bytes)) return bytes
    return Buffer.concat([head, ...legible])
  }
  const isText = part.type === '' || part.type === 'text/plain' || part.type === 'text/html'
  const text = isText && !/^content-disposition:\s*attachment/im.test(part.head) ? legibleText(body, part, found) : null
  if (text === null) return head === rawHead ? bytes : Buffer.concat([head, body])
  return Buffer.concat([relabelled(head), Buffer.from(text)])
}

function bodyStart(bytes: Buffer): number {
  if (bytes[0] === 0x0a) return 1
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return 2
  const [unix, network] = [bytes.indexOf('\n\n'), bytes.indexOf('\n\r\n')]
  if (unix === -1 && network === -1) return bytes.length
  return network !== -1 && (unix === -1 || network < unix) ? network + 3 : unix + 2
}

/** What stands before, between and behind the parts, and the parts, in order. */
function splitParts(body: Buffer, boundary: string): { bytes: Buffer; isPart: boolean }[] {
  const pieces: { bytes: Buffer; isPart: boolean }[] = []
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  let from = 0
  let isPart = false
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== 0x0a) continue
    const lineEnd = body.indexOf(0x0a, at)
    const end = lineEnd === -1 ? body.length : lineEnd + 1
    const rest = body.toString('latin1', at + mark.length, end).trim()
    if (rest !== '' && rest !== '--') continue
    pieces.push({ bytes: body.subarray(from, at), isPart }, { bytes: body.subarray(at, end), isPart: false })
    from = end
    isPart = rest === ''
    if (!isPart) break
  }
  pieces.push({ bytes: body.subarray(from), isPart })
  return pieces
}

function partOf(head: Buffer): Part {
  const joined = head.toString('latin1').replace(/\r?\n[ \t]+/g, ' ')
  const value = /^content-type:[ \t]*(.*)$/im.exec(joined)?.[1] ?? ''
  const parameters: Record<string, string> = {}
  for (const [, name = '', quoted, plain] of value.matchAll(/;\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s;]*))/g))
    parameters[name.toLowerCase()] ??= quoted ?? plain ?? ''
  return { head: joined, type: /^[^;\s]*/.exec(value)![0].toLowerCase(), parameters }
}

/** Old programs write names and subjects as they are, without saying in which encoding. */
function legibleHead(head: Buffer, body: Buffer, found: { guessed: boolean }): Buffer {
  if (!isUtf8(head)) {
    const { encoding, guessed } = decode(() => [head, body.subarray(0, sampleBytes)])
    found.guessed ||= guessed
    return Buffer.from(new TextDecoder(encoding).decode(head))
  }
  const text = head.toString('latin1')
  const relabelledText = text.replace(
    /=\?([^?\s]+)\?([bq])\?([^?\s]*)\?=/gi,
    (word: string, label: string, way: string, content: string) => {
      const said = way.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quotedPrintable(content.replaceAll('_', ' '))
      return isLatin(label) && isMultibyteUtf8(said) ? `=?utf-8?${way}?${content}?=` : word
    },
  )
  return relabelledText === text ? head : Buffer.from(relabelledText, 'latin1')
}

function isLatin(label: string | null): boolean {
  return label !== null && /^(?:us-?ascii|ascii|(?:iso-?8859|latin)-?1|windows-1252|unknown.*|x-unknown|default|ansi.*)$/i.test(label)
}

function isMultibyteUtf8(bytes: Buffer): boolean {
  return isUtf8(bytes) && bytes.some((byte) => byte >= 0x80)
}

function quotedPrintable(text: string): Buffer {
  const joined = text.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, '')
  return Buffer.from(
    joined.replace(/=([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
}

function transferred(body: Buffer, head: string): Buffer {
  const way = /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase()
  if (way === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  return way === 'quoted-printable' ? quotedPrintable(body.toString('latin1')) : body
}

/** The text of a part; null when it is what it says, so that every program reads it alike. */
function legibleText(body: Buffer, { head, type, parameters }: Part, found: { guessed: boolean }): string | null {
  const bytes = transferred(body, head)
  const declared = parameters['charset']?.trim().toLowerCase() ?? null
  if (declared !== null && /^hz(?:-?gb-?2312)?$/.test(declared)) return hzText(bytes)
  const isFlowed = parameters['format']?.toLowerCase() === 'flowed' && quotedFlow.test(bytes.toString('latin1'))
  const text = encodedText(bytes, { type, declared, isAnyway: isFlowed }, found)
  return text === null || !isFlowed ? text : unflowed(text, parameters['delsp']?.toLowerCase() === 'yes')
}

/** Null when it is what it says. */
function encodedText(
  bytes: Buffer,
  { type, declared, isAnyway }: { type: string; declared: string | null; isAnyway: boolean },
  found: { guessed: boolean },
): string | null {
  if (!isAnyway && !bytes.some((byte) => byte >= 0x80)) return null
  const isVague = declared === null || declared === '' || isLatin(declared) || encodingOf(declared) === null
  const own = type === 'text/html' && isVague ? knownLabel(declaredEncoding(bytes.subarray(0, 4096))) : null
  const decoded = decode(() => [bytes], own ?? (isVague ? null : declared))
  // Latin text of a few words may look like another one's.
  if (decoded.guessed && isLatin(declared)) return isAnyway ? bytes.toString('latin1') : null
  found.guessed ||= decoded.guessed
  if (!isAnyway && !decoded.mixed && decoded.encoding === (declared === null ? 'utf-8' : encodingOf(declared))) return null
  return [...decoded.parts].join('')
}

function knownLabel(label: string | null): string | null {
  return label === null || encodingOf(label) === null ? null : label
}

function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** A quoted line that goes on in the next one. */
const quotedFlow = /^>[^\n]* \r?\n>/m

/** RFC 3676: lines that end with a blank go on in the next line of the same quotation. */
function unflowed(text: string, dropsBlank: boolean): string {
  const lines: { depth: number; text: string }[] = []
  let goesOn = false
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)![0].length
    const own = line.slice(depth).replace(/^ /, '')
    const last = lines.at(-1)
    if (goesOn && last?.depth === depth && own !== '-- ') last.text = (dropsBlank ? last.text.slice(0, -1) : last.text) + own
    else lines.push({ depth, text: own })
    goesOn = own.endsWith(' ') && own !== '-- '
  }
  return lines.map(({ depth, text: own }) => (depth === 0 ? own : `${'>'.repeat(depth)} ${own}`)).join('\n')
}

/** RFC 1843: Chinese in seven bits, between `~{` and `~}`. */
function hzText(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/~\{([\x21-\x7e]*?)(?:~\}|(?=[\r\n])|$)/g, (_all, pairs: string) => {
    const raised = Buffer.from(pairs, 'latin1').map((byte) => byte | 0x80)
    return new TextDecoder('gb18030').decode(raised)
  })
  return text.replace(/~\r?\n/g, '').replaceAll('~~', '~')
}

/** The head of a part whose text is now UTF-8, as it is. */
function relabelled(head: Buffer): Buffer {
  const isNetwork = head.includes('\r\n')
  const lines = head
    .toString('latin1')
    .replace(/\r\n/g, '\n')
    .replace(/\n+$/, '\n')
    .replace(/\n[ \t]+/g, ' ')
  const type = /^content-type:[ \t]*([^\n]*)$/im.exec(lines)?.[1] ?? 'text/plain'
  const kept = lines.replace(/^content-(?:type|transfer-encoding):[^\n]*(?:\n|$)/gim, '')
  const plain = type.replace(/;\s*(?:charset|format|delsp)\s*=\s*(?:"[^"]*"|[^\s;]*)/gi, '')
  const made = `${kept === '\n' ? '' : kept}Content-Type: ${plain}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n`
  return Buffer.from(isNetwork ? made.replaceAll('\n', '\r\n') : made, 'latin1')
}
