import { toolCallSchema } from '../../contract/message.ts'
import type { ChatModel, ModelEvent } from './chat-model.ts'

/** Keys that local servers are given as a mere word are shorter; taking those out would take words out of answers. */
const shortestKey = 12
const mask = '•••'

/** The model, but what its server repeats of the key that it was sent comes out masked, however the stream cuts it. */
export function withoutEchoedKey(model: ChatModel, key: string | null): ChatModel {
  if (key === null || key.length < shortestKey) return model
  return {
    info: model.info,
    window: (signal, request) => model.window(signal, request),
    estimateTokens: (text) => model.estimateTokens(text),
    stream: (request, options) => masked(model.stream(request, options), key),
  }
}

async function* masked(events: AsyncIterable<ModelEvent>, key: string): AsyncGenerator<ModelEvent, void> {
  /** Of each kind of text: its end, where a key may have begun. */
  const held = { 'text-delta': '', 'thinking-delta': '' }
  function* released(...types: (keyof typeof held)[]): Generator<ModelEvent> {
    for (const type of types) {
      if (held[type] !== '') yield { type, text: held[type] }
      held[type] = ''
    }
  }
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      yield* released(event.type === 'text-delta' ? 'thinking-delta' : 'text-delta')
      const text = (held[event.type] + event.text).replaceAll(key, mask)
      const keep = beginningOf(key, text)
      held[event.type] = text.slice(text.length - keep)
      if (keep < text.length) yield { type: event.type, text: text.slice(0, text.length - keep) }
      continue
    }
    yield* released('thinking-delta', 'text-delta')
    yield maskedEvent(event, key)
  }
  yield* released('thinking-delta', 'text-delta')
}

/** How many characters at the end of a text could be the beginning of the key. */
function beginningOf(key: string, text: string): number {
  for (let length = Math.min(key.length - 1, text.length); length > 0; length--) if (text.endsWith(key.slice(0, length))) return length
  return 0
}

function maskedEvent(event: ModelEvent, key: string): ModelEvent {
  if (event.type === 'tool-call') return { ...event, call: toolCallSchema.parse(maskedValue(event.call, key)) }
  if (event.type === 'broken-call')
    return { ...event, text: event.text.replaceAll(key, mask), name: event.name === null ? null : event.name.replaceAll(key, mask) }
  return event
}

function maskedValue(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value.replaceAll(key, mask)
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll(key, mask), maskedValue(each, key)]))
}
