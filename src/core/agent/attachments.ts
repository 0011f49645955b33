import type { Attachment } from '../../contract/agent.ts'
import { toSikuError } from '../../contract/errors.ts'
import type { Language } from '../../contract/library.ts'
import type { Message, MessagePart } from '../../contract/message.ts'
import { agentWords } from './agent-words.ts'
import { mostKept, type Results } from './results.ts'

export interface AttachmentReaders {
  canSee: boolean
  /** The model itself; what turns sound into text is asked first. */
  canHear: boolean
  model: string
  /** Null: nothing here turns sound into text. */
  hear: ((attachment: Attachment) => Promise<string>) | null
  language: Language
  results: Results
  /** Says that one was not read, and what would be needed. */
  unread(message: string): void
  /** Says that of one the beginning was given. */
  cut(message: string): void
  /** How many files came with the questions before. */
  before: number
}

/** Of a file given along, so much stands in the question, less of each of many; the rest is read on by `read_result`. */
const documentCharacters = 16_000
/** Bytes. The smallest GIF of one pixel has 35. */
const leastPicture = 35

/** The question with what was given along: text as documents, which models are given fenced, and pictures for those that see. */
export async function questionMessage(question: string, attachments: Attachment[], readers: AttachmentReaders): Promise<Message> {
  if (attachments.length === 0) return { role: 'user', content: question }
  const parts = await Promise.all(
    attachments.map((attachment, index) =>
      partOf(attachment, `file_${readers.before + index + 1}`, readers, Math.min(1, 2 / attachments.length)),
    ),
  )
  return { role: 'user', content: [...parts.flat(), { type: 'text', text: question }] }
}

async function partOf(attachment: Attachment, id: string, readers: AttachmentReaders, part: number): Promise<MessagePart[]> {
  const { name, mediaType, data } = attachment
  const words = agentWords(readers.language)
  if (mediaType.startsWith('image/') && mediaType !== 'image/svg+xml') {
    if (!isPicture(Buffer.from(data, 'base64'))) return unreadPart(name, words.imageBroken(name), readers)
    if (readers.canSee) return [{ type: 'image', mediaType, data, name }]
    return unreadPart(name, words.imageUnread(name, readers.model), readers)
  }
  if (mediaType.startsWith('audio/')) {
    if (readers.hear === null) {
      if (readers.canHear) return [{ type: 'audio', mediaType, data, name }]
      return unreadPart(name, words.audioUnread(name), readers)
    }
    try {
      const heard = await readers.hear(attachment)
      if (heard.trim() === '') return unreadPart(name, words.audioSilent(name), readers)
      return documentParts(name, heard, id, readers, part)
    } catch (error) {
      const { code, message } = toSikuError(error)
      if (code === 'cancelled') throw error
      return unreadPart(name, words.audioFailed(name, message), readers)
    }
  }
  const text = decoded(Buffer.from(data, 'base64'))
  if (text === null) {
    return unreadPart(name, words.fileUnread(name), readers)
  }
  return documentParts(name, text, id, readers, part)
}

/** The user is told, and the model: one that knows of no picture makes one up, or asks which is meant. */
function unreadPart(name: string, why: string, { unread }: AttachmentReaders): MessagePart[] {
  unread(why)
  return [{ type: 'text', text: `(“${name}” was given along with this question and is not here. ${why} Do not guess what is in it.)` }]
}

/** By its first bytes; a server that is given something else fails in each later turn, too. */
function isPicture(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 16).toString('latin1')
  const isKnown = /^(?:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|BM|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp)/.test(head)
  return isKnown && bytes.length >= leastPicture
}

function documentParts(name: string, text: string, id: string, readers: AttachmentReaders, part: number): MessagePart[] {
  const cut = readers.results.cut(id, text, documentCharacters, part)
  if (cut.note === null) return [{ type: 'document', name, text: cut.text }]
  readers.cut(agentWords(readers.language).fileCut(name, cut.text.length, text.length))
  return [
    { type: 'document', name, text: cut.text, whole: { id, text: text.slice(0, mostKept) } },
    { type: 'text', text: `(${name}: ${cut.note})` },
  ]
}

/** UTF-8, UTF-16 by its mark, or GB 18030; null for what is no text. */
function decoded(bytes: Buffer): string | null {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (marked === null && bytes.subarray(0, 8192).includes(0)) return null
  for (const encoding of marked === null ? ['utf-8', 'gb18030'] : [marked]) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // The next one.
    }
  }
  return null
}
