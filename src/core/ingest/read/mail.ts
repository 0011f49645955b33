import { createHash } from 'node:crypto'
import { Parser } from 'htmlparser2'
import type { Address, Attachment, Email } from 'postal-mime'
import { decode } from './decode.ts'
import type { OpenFile } from './file.ts'
import { createPageReader } from './html-paragraphs.ts'
import { kindOf } from './kind.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type ReadSection, type Sections } from './reading.ts'

/** Reads an attachment as its own kind would be read. */
export type ReadInner = (file: OpenFile) => Sections

/** One message of a mailbox; larger ones are cut there. */
const mostMessageBytes = 64 << 20
const mostMessages = 100_000
const mostAttachments = 100
/** Messages that are attached to messages. */
const deepest = 3

/** eml and mbox: a message's people, date, subject and body, then what is attached, each under its own heading. */
export async function* readMail(file: OpenFile, readInner: ReadInner, depth = 0): Sections {
  const boxed = /^From \S/.test(file.first(64).toString('latin1'))
  let number = 0
  let title: string | null = null
  let unread = 0
  for (const bytes of boxed ? mailboxMessages(file.chunks()) : [file.bytes()]) {
    number += 1
    if (number > mostMessages) break
    const message = await parse(bytes)
    if (message === null) {
      unread += 1
      continue
    }
    const subject = shortHeading(message.subject ?? '')
    title ??= boxed || subject === '' ? null : subject
    const name = boxed ? `${number}${subject === '' ? '' : `: ${subject}`}` : subject === '' ? '1' : subject
    yield* messageSections(message, name)
    for (const attachment of message.attachments.slice(0, mostAttachments)) {
      const end = yield* attachmentSections(attachment, name, readInner, depth)
      if (!end) unread += 1
    }
  }
  if (number === 0) return failed('empty', 'There are no messages in this file.')
  if (unread > 0) {
    const message = `${unread} attached files or messages could not be read.`
    return { status: 'partial', reason: { code: 'unsupported-kind', message }, title, pages: number }
  }
  return { status: 'ready', reason: null, title, pages: number }
}

async function parse(bytes: Buffer): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 64 })
  } catch {
    return null
  }
}

const longestSeparator = 300

/** A line that begins a message: an address and a date with its time. A sentence may begin with the word as well. */
function isSeparator(line: string): boolean {
  return /^From \S+.*\d:\d\d.*\d{4}/.test(line)
}

/** Messages of an mbox, by the lines that part them. */
export function* mailboxMessages(chunks: Iterable<Buffer>): Generator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  let rest = Buffer.alloc(0)

  function* take(data: Buffer, isLast: boolean): Generator<Buffer> {
    let from = 0
    // What may be the beginning of a separator waits for the rest of its line.
    const end = isLast ? data.length : Math.max(0, data.length - longestSeparator)
    for (let at = data.indexOf('\nFrom '); at !== -1 && at < end; at = data.indexOf('\nFrom ', at + 1)) {
      const line = data.subarray(at + 1, at + longestSeparator).toString('latin1')
      if (!isSeparator(line.split('\n')[0] ?? '')) continue
      held.push(Buffer.from(data.subarray(from, at + 1)))
      yield message(held)
      held = []
      size = 0
      from = at + 1
    }
    const to = Math.max(from, end)
    if (size < mostMessageBytes) held.push(Buffer.from(data.subarray(from, to)))
    size += to - from
    rest = Buffer.from(data.subarray(to))
  }

  for (const chunk of chunks) yield* take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false)
  yield* take(rest, true)
  if (held.some((part) => part.length > 0)) yield message(held)
}

function message(parts: Buffer[]): Buffer {
  const whole = Buffer.concat(parts)
  const firstLine = whole.indexOf('\n')
  return /^From \S/.test(whole.subarray(0, 64).toString('latin1')) ? whole.subarray(firstLine + 1) : whole
}

function* messageSections(message: Email, name: string): Generator<ReadSection> {
  const fields = [
    ...(message.subject === undefined || message.subject === '' ? [] : [message.subject]),
    ...addressLine('From', message.from === undefined ? [] : [message.from]),
    ...addressLine('To', message.to ?? []),
    ...addressLine('Cc', message.cc ?? []),
    ...(message.date === undefined ? [] : [`Date: ${message.date}`]),
    ...(message.attachments.length === 0
      ? []
      : [`Attached: ${message.attachments.map(({ filename }) => filename ?? 'unnamed').join(', ')}`]),
  ]
  const paragraphs: TextParagraph[] = [{ text: fields.join('\n'), kind: 'paragraph', level: 0 }, ...bodyOf(message)]
  yield* placed(paragraphSections(paragraphs), name, [])
}

function addressLine(label: string, addresses: Address[]): string[] {
  const shown = addresses
    .flatMap((each) => ('group' in each && each.group !== undefined ? each.group : [each]))
    .map(({ name, address }) => (name === '' ? (address ?? '') : address === undefined ? name : `${name} <${address}>`))
  return shown.length === 0 ? [] : [`${label}: ${shown.join(', ')}`]
}

function bodyOf(message: Email): TextParagraph[] {
  const text = message.text?.trim() ?? ''
  if (text !== '')
    return text
      .split(/\r?\n[ \t]*\r?\n/)
      .map((each) => each.replace(/\r\n?/g, '\n').trim())
      .filter((each) => each !== '')
      .map((each) => ({ text: each, kind: 'paragraph', level: 0 }))
  return message.html === undefined ? [] : pageParagraphs(message.html)
}

export function pageParagraphs(html: string): TextParagraph[] {
  const page = createPageReader()
  const parser = new Parser(page.handler)
  for (let at = 0; at < html.length; at += 1 << 16) parser.write(html.slice(at, at + (1 << 16)))
  parser.end()
  return page.end().paragraphs
}

/** Whatever a part's own place is, it is opened with the message that it came in. */
function* placed(sections: Iterable<ReadSection>, name: string, above: string[]): Generator<ReadSection> {
  const place = { kind: 'message' as const, message: name }
  for (const section of sections) yield { ...section, place, positions: place, heading: [name, ...above, ...section.heading] }
}

/** False: it is of a kind that is not read, or could not be. Pictures inside the text are not attachments. */
async function* attachmentSections(
  attachment: Attachment,
  name: string,
  readInner: ReadInner,
  depth: number,
): AsyncGenerator<ReadSection, boolean, void> {
  const bytes = typeof attachment.content === 'string' ? Buffer.from(attachment.content) : Buffer.from(attachment.content as ArrayBuffer)
  if (bytes.length === 0 || attachment.related === true) return true
  const inner = memoryFile(attachment.filename ?? 'unnamed', bytes)
  const kind = kindOf(inner.name, inner)
  if (kind === 'unknown' || kind === 'archive' || kind === 'image') return kind === 'image'
  const sections = kind === 'mail' ? (depth < deepest ? readMail(inner, readInner, depth + 1) : null) : readInner(inner)
  if (sections === null) return false
  for (;;) {
    const next = await sections.next()
    if (next.done === true) return next.value.status === 'ready' || next.value.status === 'partial'
    yield* placed([next.value], name, [attachment.filename ?? 'unnamed'])
  }
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

/** A saved web page (RFC 2557): the page that its parts belong to. Null when there is none. */
export async function savedPage(file: OpenFile): Promise<string | null> {
  const email = await parse(file.bytes())
  if (email?.html !== undefined && email.html !== '') return email.html
  const text = email?.text ?? ''
  return text === '' ? null : [...decode(() => [Buffer.from(`<pre>${text.replaceAll('<', '&lt;')}</pre>`)]).parts].join('')
}
