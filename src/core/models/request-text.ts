import { SikuError } from '../../contract/errors.ts'
import type { Message, MessagePart } from '../../contract/message.ts'
import type { Model } from '../../contract/models.ts'
import type { JsonSchema } from './chat-model.ts'

export type MediaPart = Extract<MessagePart, { type: 'image' | 'audio' }>

/** What a message says in words: documents fenced, so that their text is told from the user's. Pictures and sound are `mediaOf`. */
export function contentText({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => partText(part) ?? []).join('\n\n')
}

/** Null for a part that is no text. */
export function partText(part: MessagePart): string | null {
  if (part.type === 'text') return part.text
  if (part.type === 'document') return fenced(part.name, part.text)
  return null
}

export function mediaOf({ content }: Pick<Message, 'content'>): MediaPart[] {
  if (typeof content === 'string') return []
  return content.filter((part): part is MediaPart => part.type === 'image' || part.type === 'audio')
}

/** What stands for a picture or a recording where it cannot go. */
export function mediaNote({ type, name }: MediaPart): string {
  return `[${type === 'image' ? 'a picture' : 'a recording'}${name === undefined ? '' : `: ${oneLine(name)}`}, not shown to this model]`
}

export function cannotPerceive({ ref }: Model, type: MediaPart['type']): SikuError {
  const what = type === 'image' ? 'look at pictures' : 'hear'
  return new SikuError('model-config', `${ref.model} cannot ${what}.`, {
    hint: `Choose a model that can ${what}${type === 'audio' ? ', or one that turns sound into text' : ''}.`,
  })
}

/** The fence is longer than any in the text, so that the text cannot end it. */
function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `Document “${oneLine(name)}”:\n${fence}\n${text}\n${fence}`
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** For servers that cannot be given a schema: the same in words, with the system's text. */
export function withSchemaText(messages: Message[], schema: JsonSchema): Message[] {
  const said = `Answer with one JSON value and nothing else. It follows this JSON schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: said }, ...messages]
  return [{ ...first, content: `${contentText(first)}\n\n${said}` }, ...rest]
}
