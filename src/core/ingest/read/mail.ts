import { Parser } from 'htmlparser2'
import type { Address, Email } from 'postal-mime'
import type { InnerDocument } from '../../store/store.ts'
import { decode } from './decode.ts'
import { guessedReason } from './encoding.ts'
import type { OpenFile } from './file.ts'
import { createPageReader } from './html-paragraphs.ts'
import { attachedOf, parseMessage } from './mail-attachments.ts'
import { writtenDate } from './mail-date.ts'
import { isMailbox, mailboxMessages, mostMessageBytes } from './mailbox.ts'
import { paragraphSections, type TextParagraph } from './paragraphs.ts'
import { failed, shortHeading, type ReadSection, type Sections } from './reading.ts'

const mostMessages = 100_000
/** Of one message, and of all messages of a mailbox. */
const mostAttachments = 1000
const mostInner = 50_000
/** So many of those that were not read are named, and of those that are attached. */
const mostNamed = 10
const mostListed = 100

/**
 * eml and mbox: a message's people, date, subject and body. What is attached are documents of their own: `inner` names them, with
 * the number of the message in a mailbox, the number of the attachment and its name, as in `#2/annex.docx` and `#17-2/annex.docx`.
 */
export async function* readMail(file: OpenFile): Sections {
  const boxed = isMailbox(file)
  let number = 0
  let read = 0
  let title: string | null = null
  const unread: string[] = []
  const inner: InnerDocument[] = []
  let guessed = false
  for (const bytes of boxed ? messagesOf(file, unread) : [file.bytes()]) {
    if (number >= mostMessages) {
      unread.push(`messages after number ${mostMessages}`)
      break
    }
    number += 1
    const message = await parseMessage(bytes)
    if (message === null) {
      unread.push(`message ${number}`)
      continue
    }
    read += 1
    guessed ||= message.guessed
    const subject = shortHeading(message.subject ?? '')
    title ??= boxed || subject === '' ? null : subject
    const name = boxed ? `${number}${subject === '' ? '' : `: ${subject}`}` : subject === '' ? '1' : subject
    const { names, documents } = attachedTo(message, file, boxed ? number : null, unread)
    const room = Math.max(0, mostInner - inner.length)
    if (documents.length > room) unread.push(`${documents.length - room} attachments of message ${number}`)
    inner.push(...documents.slice(0, room))
    yield* messageSections(message, name, names)
  }
  if (number === 0) return failed('empty', 'There are no messages in this file.')
  if (read === 0) return failed('damaged', 'The message cannot be read.')
  if (unread.length === 0 && guessed) return { status: 'partial', reason: guessedReason, title, pages: number, inner }
  if (unread.length === 0) return { status: 'ready', reason: null, title, pages: number, inner }
  return { status: 'partial', reason: { code: 'parts-unread', message: unreadMessage(unread) }, title, pages: number, inner }
}

function* messagesOf(file: OpenFile, unread: string[]): Generator<Buffer> {
  let number = 0
  for (const { bytes, start, end } of mailboxMessages(file.chunks())) {
    number += 1
    if (end - start > mostMessageBytes) unread.push(`the end of message ${number}`)
    yield bytes
  }
}

interface AttachedTo {
  names: string[]
  documents: InnerDocument[]
}

/** What is attached to a message; what cannot be a document is added to `unread`. `number`: of the message in its mailbox. */
function attachedTo({ attachments }: Email, file: OpenFile, number: number | null, unread: string[]): AttachedTo {
  const [names, documents]: [string[], InnerDocument[]] = [[], []]
  for (const [index, attachment] of attachments.slice(0, mostAttachments).entries()) {
    const attached = attachedOf(attachment, file)
    if (attached.kind === 'nothing') continue
    names.push(attached.name)
    if (attached.kind === 'unread') unread.push(`${attached.name} (${attached.why})`)
    else {
      const { name, file: inside } = attached
      const path = `#${number === null ? '' : `${number}-`}${index + 1}/${name}`
      documents.push({ path, kind: inside.kind ?? 'unknown', hash: inside.sha256(), sizeBytes: inside.sizeBytes })
    }
  }
  if (attachments.length > mostAttachments) unread.push(`${attachments.length - mostAttachments} further attachments`)
  return { names, documents }
}

function unreadMessage(unread: readonly string[]): string {
  const more = unread.length > mostNamed ? `, and ${unread.length - mostNamed} more` : ''
  return `Not read: ${unread.slice(0, mostNamed).join(', ')}${more}.`
}

function* messageSections(message: Email, name: string, attached: readonly string[]): Generator<ReadSection> {
  const fields = [
    ...(message.subject === undefined || message.subject === '' ? [] : [message.subject]),
    ...addressLine('From', message.from === undefined ? [] : [message.from]),
    ...addressLine('To', message.to ?? []),
    ...addressLine('Cc', message.cc ?? []),
    ...addressLine('Bcc', message.bcc ?? []),
    ...dateLine(message),
    ...attachedLine(attached),
  ]
  const paragraphs: TextParagraph[] = [{ text: fields.join('\n'), kind: 'paragraph', level: 0 }, ...bodyOf(message)]
  const place = { kind: 'message' as const, message: name }
  for (const section of paragraphSections(paragraphs)) yield { ...section, place, positions: place, heading: [name, ...section.heading] }
}

function attachedLine(names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`Attached: ${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? `, … (${names.length})` : ''}`]
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
  if (text === '' || saysMore(page.map((each) => each.text).join('\n'), text)) return page
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .filter((each) => each.trim() !== '')
    .flatMap((each) => byQuotation(each.trim()).map((part, index) => ({ text: part, kind: 'paragraph', level: 0, near: index > 0 })))
}

/** What stands for a page in programs that show none. */
const placeholder =
  /不支持\s*html|html\s*(?:格式|邮件)|(?:支持|切换).{0,10}html|not (?:support|display|able to (?:view|display)).{0,20}html|(?:view|read|see|open).{0,30}(?:browser|html|online)|html[- ]?(?:capable|compatible|enabled|e-?mail|message|version)/i
/** A text that is longer says something itself. */
const longestPlaceholder = 400

/** Whether the page holds what the plain text of the same message does not: most of it, or most of its numbers. */
function saysMore(page: string, text: string): boolean {
  if (page.length > 2 * text.length + 200) return true
  if (page.length <= text.length) return false
  if (text.length < longestPlaceholder && placeholder.test(text)) return true
  const numbers = (said: string): Set<string> =>
    new Set(Array.from(said.matchAll(/\d[\d,.]*\d/g), ([number]) => number.replaceAll(',', '')))
  const [inText, inPage] = [numbers(text), [...numbers(page)]]
  return inPage.filter((number) => !inText.has(number)).length * 2 > Math.max(1, inPage.length)
}

/** What is quoted, each paragraph of it, and what is said to it stand for themselves. */
function byQuotation(paragraph: string): string[] {
  const parts: string[] = []
  let depth = -1
  for (const line of paragraph.split('\n')) {
    const mark = /^[ \t]*(?:>[ \t]?)*/.exec(line)![0]
    const isEmpty = mark.length === line.length
    const own = mark.replace(/[^>]/g, '').length
    if (parts.length > 0 && (own === depth || isEmpty)) parts[parts.length - 1] += `\n${line}`
    else parts.push(line)
    depth = isEmpty ? -1 : own
  }
  return parts
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
  const email = await parseMessage(file.bytes())
  if (email?.html !== undefined && email.html !== '') return email.html
  const text = email?.text ?? ''
  return text === '' ? null : [...decode(() => [Buffer.from(`<pre>${text.replaceAll('<', '&lt;')}</pre>`)]).parts].join('')
}
