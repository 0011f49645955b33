import type { Attachment } from '../../contract/agent.ts'
import { toSikuError } from '../../contract/errors.ts'
import type { Language } from '../../contract/library.ts'
import type { Message, MessagePart } from '../../contract/message.ts'
import { agentWords } from './agent-words.ts'
import type { Results } from './results.ts'

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
}

/** Of a file given along, so much stands in the question, less of each of many; the rest is read on by `read_result`. */
const documentCharacters = 16_000

/** The question with what was given along: text as documents, which models are given fenced, and pictures for those that see. */
export async function questionMessage(question: string, attachments: Attachment[], readers: AttachmentReaders): Promise<Message> {
  if (attachments.length === 0) return { role: 'user', content: question }
  const parts = await Promise.all(
    attachments.map((attachment, index) => partOf(attachment, `file_${index + 1}`, readers, Math.min(1, 2 / attachments.length))),
  )
  return { role: 'user', content: [...parts.flat(), { type: 'text', text: question }] }
}

async function partOf(attachment: Attachment, id: string, readers: AttachmentReaders, part: number): Promise<MessagePart[]> {
  const { name, mediaType, data } = attachment
  const words = agentWords(readers.language)
  if (mediaType.startsWith('image/') && mediaType !== 'image/svg+xml') {
    if (readers.canSee) return [{ type: 'image', mediaType, data, name }]
    readers.unread(words.imageUnread(name, readers.model))
    return []
  }
  if (mediaType.startsWith('audio/')) {
    if (readers.hear === null) {
      if (readers.canHear) return [{ type: 'audio', mediaType, data, name }]
      readers.unread(words.audioUnread(name))
      return []
    }
    try {
      return documentParts(name, await readers.hear(attachment), id, readers, part)
    } catch (error) {
      const { code, message } = toSikuError(error)
      if (code === 'cancelled') throw error
      readers.unread(words.audioFailed(name, message))
      return []
    }
  }
  const text = decoded(Buffer.from(data, 'base64'))
  if (text === null) {
    readers.unread(words.fileUnread(name))
    return []
  }
  return documentParts(name, text, id, readers, part)
}

function documentParts(name: string, text: string, id: string, { results }: AttachmentReaders, part: number): MessagePart[] {
  const cut = results.cut(id, text, documentCharacters, part)
  return [
    { type: 'document', name, text: cut.text },
    ...(cut.note === null ? [] : [{ type: 'text' as const, text: `(${name}: ${cut.note})` }]),
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
