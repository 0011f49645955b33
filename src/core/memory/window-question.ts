import type { Message, MessagePart } from '../../contract/message.ts'
import { shortText } from './window-tokens.ts'

/** Of each document or long text, so much is left at each level. */
const levels = [16_000, 8000, 4000, 2000, 1000, 500, 250, 120, 60, 0]

const leftOut = '[left out: no room]'

const known = new WeakMap<Message, Map<string, Message>>()

/**
 * What is always sent, cut to a number of tokens: what was given along first, its documents to head and tail, then pictures
 * and recordings to their names, the user's own words last. The same object each time for the same message.
 */
export function shortQuestion(message: Message, most: number, count: (message: Message) => number): Message {
  if (count(message) <= most) return message
  let form = message
  for (const step of stepsOf(message)) {
    form = formOf(message, step)
    if (count(form) <= most) return form
  }
  return form
}

interface Step {
  document: number
  text: number
  media: boolean
}

function stepsOf({ content }: Message): Step[] {
  const own = levels.slice(0, -1).map((text): Step => ({ document: 0, text, media: false }))
  if (typeof content === 'string') return own
  return [
    ...levels.map((document): Step => ({ document, text: Infinity, media: true })),
    { document: 500, text: Infinity, media: false },
    ...own,
  ]
}

function formOf(message: Message, step: Step): Message {
  let forms = known.get(message)
  if (forms === undefined) known.set(message, (forms = new Map<string, Message>()))
  const key = `${step.document} ${step.text} ${step.media}`
  const made = forms.get(key) ?? { ...message, content: shortContent(message.content, step) }
  forms.set(key, made)
  return made
}

function shortContent(content: Message['content'], step: Step): Message['content'] {
  if (typeof content === 'string') return shortText(content, step.text)
  return content.map((part, index): MessagePart => {
    if (part.type === 'document') return { ...part, text: step.document === 0 ? leftOut : shortText(part.text, step.document) }
    // The user's own words are the last part; those before it are about what was given along.
    if (part.type === 'text') return { ...part, text: shortText(part.text, index < content.length - 1 ? step.document : step.text) }
    if (step.media) return part
    return {
      type: 'text',
      text: `[${part.type === 'image' ? 'a picture' : 'a recording'}${part.name === undefined ? '' : `: ${part.name}`}, left out: no room]`,
    }
  })
}
