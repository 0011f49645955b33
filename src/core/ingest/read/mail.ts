import { Parser } from 'htmlparser2'
import type { Address, Email } from 'postal-mime'
import type { DocumentKind } from '../../../contract/library.ts'
import { decode } from './decode.ts'
import type { OpenFile } from './file.ts'
import { createPageReader } from './html-paragraphs.ts'
import { attachedOf, placedIn } from './mail-attachments.ts'
import { writtenDate } from './mail-date.ts'
import { mailboxMessages, mostMessageBytes } from './mailbox.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type ReadEnd, type ReadSection, type Sections } from './reading.ts'

/** Reads an attachment as its own kind would be read. */
export type ReadInner = (file: OpenFile, kind: DocumentKind) => Sections

const mostMessages = 100_000
const mostAttachments = 100
/** Messages that are attached to messages. */
const deepest = 8
/** So many of those that were not read are named. */
const mostNamed = 10

/** eml and mbox: a message's people, date, subject and body, then what is attached, each under its own heading. */
export async function* readMail(file: OpenFile, readInner: ReadInner, depth = 0): Sections {
  const boxed = /^From \S/.test(file.first(64).toString('latin1'))
  let number = 0
  let read = 0
  let title: string | null = null
  const unread: string[] = []
  for (const bytes of boxed ? mailboxMessages(file.chunks()) : [file.bytes()]) {
    if (number >= mostMessages) {
      unread.push(`messages after number ${mostMessages}`)
      break
    }
    number += 1
    const message = await parse(bytes)
    if (message === null) {
      unread.push(`message ${number}`)
      continue
    }
    read += 1
    const subject = shortHeading(message.subject ?? '')
    title ??= boxed || subject === '' ? null : subject
    const name = boxed ? `${number}${subject === '' ? '' : `: ${subject}`}` : subject === '' ? '1' : subject
    if (boxed && bytes.length >= mostMessageBytes) unread.push(`the end of message ${number}`)
    yield* messageSections(message, name)
    yield* attachmentSections(message, name, readInner, depth, unread)
  }
  if (number === 0) return failed('empty', 'There are no messages in this file.')
  if (read === 0) return failed('damaged', 'The message cannot be read.')
  if (unread.length === 0) return { status: 'ready', reason: null, title, pages: number }
  return { status: 'partial', reason: { code: 'parts-unread', message: unreadMessage(unread) }, title, pages: number }
}

function unreadMessage(unread: readonly string[]): string {
  const more = unread.length > mostNamed ? `, and ${unread.length - mostNamed} more` : ''
  return `Not read: ${unread.slice(0, mostNamed).join(', ')}${more}.`
}

async function parse(bytes: Buffer): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime')
  try {
    // A message within a message is read as one, with its own people, date and attachments.
    return await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 64, forceRfc822Attachments: true })
  } catch {
    return null
  }
}

/** What is attached, in order; what was not read of it is added to `unread`. */
async function* attachmentSections(
  message: Email,
  name: string,
  readInner: ReadInner,
  depth: number,
  unread: string[],
): AsyncGenerator<ReadSection, void, void> {
  const { attachments } = message
  if (attachments.length > mostAttachments) unread.push(`${attachments.length - mostAttachments} further attachments`)
  for (const attachment of attachments.slice(0, mostAttachments)) {
    const attached = attachedOf(attachment)
    if (attached.kind === 'nothing') continue
    if (attached.kind === 'unread') {
      unread.push(`${attached.name} (${attached.why})`)
      continue
    }
    const { file, documentKind } = attached
    if (documentKind === 'mail' && depth >= deepest) {
      unread.push(`${attached.name} (a message in too many messages)`)
      continue
    }
    const end = yield* innerSections(
      documentKind === 'mail' ? readMail(file, readInner, depth + 1) : readInner(file, documentKind),
      name,
      attachment.filename === null && documentKind === 'mail' ? '' : attached.name,
    )
    if (end.status !== 'ready' && end.reason?.code !== 'empty')
      unread.push(`${attached.name} (${withoutStop(end.reason?.message ?? end.status)})`)
  }
}

function withoutStop(message: string): string {
  return message.replace(/\.$/, '')
}

async function* innerSections(sections: Sections, message: string, attached: string): AsyncGenerator<ReadSection, ReadEnd, void> {
  for (;;) {
    const next = await sections.next()
    if (next.done === true) return next.value
    yield placedIn(next.value, message, attached)
  }
}

function* messageSections(message: Email, name: string): Generator<ReadSection> {
  const fields = [
    ...(message.subject === undefined || message.subject === '' ? [] : [message.subject]),
    ...addressLine('From', message.from === undefined ? [] : [message.from]),
    ...addressLine('To', message.to ?? []),
    ...addressLine('Cc', message.cc ?? []),
    ...addressLine('Bcc', message.bcc ?? []),
    ...dateLine(message),
    ...(message.attachments.length === 0
      ? []
      : [`Attached: ${message.attachments.map(({ filename }) => filename ?? 'unnamed').join(', ')}`]),
  ]
  const paragraphs: TextParagraph[] = [{ text: fields.join('\n'), kind: 'paragraph', level: 0 }, ...bodyOf(message)]
  const place = { kind: 'message' as const, message: name }
  for (const section of paragraphSections(paragraphs)) yield { ...section, place, positions: place, heading: [name, ...section.heading] }
}

function dateLine(message: Email): string[] {
  const written = message.headers.find(({ key }) => key === 'date')?.value
  return written === undefined ? [] : [`Date: ${writtenDate(written)}`]
}

function addressLine(label: string, addresses: Address[]): string[] {
  const shown = addresses
    .flatMap((each) => ('group' in each && each.group !== undefined ? each.group : [each]))
    .map(({ name, address }) => (name === '' ? (address ?? '') : address === undefined ? name : `${name} <${address}>`))
  return shown.length === 0 ? [] : [`${label}: ${shown.join(', ')}`]
}

/** The text that most readers show: plain, unless it only says that there is a page. */
function bodyOf(message: Email): TextParagraph[] {
  const text = message.text?.trim() ?? ''
  const page = message.html === undefined ? [] : pageParagraphs(message.html)
  const pageCharacters = page.reduce((sum, each) => sum + each.text.length, 0)
  if (text === '' || pageCharacters > 2 * text.length + 200) return page
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((each) => each.replace(/\r\n?/g, '\n').trim())
    .filter((each) => each !== '')
    .map((each) => ({ text: each, kind: 'paragraph', level: 0 }))
}

export function pageParagraphs(html: string): TextParagraph[] {
  const page = createPageReader()
  const parser = new Parser(page.handler)
  for (let at = 0; at < html.length; at += 1 << 16) parser.write(html.slice(at, at + (1 << 16)))
  parser.end()
  return page.end().paragraphs
}

/** A saved web page (RFC 2557): the page that its parts belong to. Null when there is none. */
export async function savedPage(file: OpenFile): Promise<string | null> {
  const email = await parse(file.bytes())
  if (email?.html !== undefined && email.html !== '') return email.html
  const text = email?.text ?? ''
  return text === '' ? null : [...decode(() => [Buffer.from(`<pre>${text.replaceAll('<', '&lt;')}</pre>`)]).parts].join('')
}
