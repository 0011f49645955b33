import type { Message } from '../../contract/message.ts'
import { toldTools, type ToolSpec } from '../models/models.ts'

/** Tokens of a template around each message, and around the whole. */
const messageTokens = 8
export const templateTokens = 24
/** What one picture or recording takes in a window, about: servers do not say it beforehand. */
const pictureTokens = 1000
const soundTokens = 1500

export type EstimateTokens = (text: string) => number

/**
 * What is known of each message by the estimator that counted it: a memo and no state, as a message never changes. Whoever
 * gives the same function and the same message objects each round pays for the new ones only.
 */
const counts = new WeakMap<EstimateTokens, WeakMap<object, number>>()
const shortForms = new WeakMap<Message, Map<number, Message>>()

function counted<Value extends object>(value: Value, estimate: EstimateTokens, count: (value: Value) => number): number {
  let known = counts.get(estimate)
  if (known === undefined) {
    known = new WeakMap()
    counts.set(estimate, known)
  }
  let tokens = known.get(value)
  if (tokens === undefined) {
    tokens = count(value)
    known.set(value, tokens)
  }
  return tokens
}

/** With the template around it, its calls and its parts. Thoughts are sent on with calls alone, and only there counted. */
export function tokensOf(message: Message, estimate: EstimateTokens): number {
  return counted(message, estimate, ({ content, name, toolCalls, thinking = '' }) => {
    let tokens = messageTokens + (name === undefined ? 0 : estimate(name))
    if (typeof content === 'string') tokens += content === '' ? 0 : estimate(content)
    else
      for (const part of content) {
        if (part.type === 'text') tokens += estimate(part.text)
        else if (part.type === 'document') tokens += estimate(part.name) + estimate(part.text)
        else tokens += part.type === 'image' ? pictureTokens : soundTokens
      }
    if ((toolCalls ?? []).length > 0 && thinking !== '') tokens += estimate(thinking)
    for (const call of toolCalls ?? []) tokens += messageTokens + estimate(call.name) + estimate(JSON.stringify(call.arguments))
    return Math.ceil(tokens)
  })
}

export function toolTokens(tools: ToolSpec[], estimate: EstimateTokens): number {
  return tools.reduce((sum, tool) => sum + counted(tool, estimate, (each) => Math.ceil(estimate(JSON.stringify(toldTools([each]))))), 0)
}

/**
 * A message with head and tail of its text, and of the texts in its calls, and a note between of what is left out; itself when
 * it is hardly longer. The same object each time, so that the prompt's beginning stays the same and a server can keep what it
 * has read.
 */
export function shortened(message: Message, characters: number): Message {
  const { content, toolCalls = [], thinking: _thoughts, ...rest } = message
  const text = typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('\n\n')
  if (typeof content === 'string' && text.length <= characters + slack(characters) && toolCalls.length === 0) return message
  let forms = shortForms.get(message)
  if (forms === undefined) {
    forms = new Map()
    shortForms.set(message, forms)
  }
  let form = forms.get(characters)
  if (form === undefined) {
    const calls = toolCalls.map((call) => ({ ...call, arguments: shortValue(call.arguments, characters) }))
    form = { ...rest, content: shortText(text, characters), ...(calls.length === 0 ? {} : { toolCalls: calls }) }
    forms.set(characters, form)
  }
  return form
}

type Json = NonNullable<Message['toolCalls']>[number]['arguments']

/** Lists keep their first members. */
function shortValue(value: Json, characters: number): Json {
  if (typeof value === 'string') return shortText(value, characters)
  if (Array.isArray(value)) return value.slice(0, 8).map((each) => shortValue(each, characters))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortValue(each, characters)]))
}

/** Two thirds of the head, one third of the tail; no character is cut in two. */
export function shortText(text: string, characters: number): string {
  if (text.length <= characters + slack(characters)) return text
  const head = text.slice(0, wholeAt(text, Math.ceil((characters * 2) / 3)))
  const tail = text.slice(wholeAt(text, text.length - Math.floor(characters / 3)))
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
}

/** About what the note takes: a text that is hardly longer stays. */
function slack(characters: number): number {
  return Math.min(60, characters)
}

function wholeAt(text: string, index: number): number {
  const before = text.charCodeAt(index - 1)
  return before >= 0xd800 && before < 0xdc00 ? index - 1 : index
}
