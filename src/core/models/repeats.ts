import { noUsage, type ChatRequest, type ModelEvent } from './chat-model.ts'

type Stream = (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>

/** Characters of the end that are looked at, and after how many new ones. */
const lookedAt = 4000
const lookEvery = 200
/** The same again this often and this long is no table, no list and no verse. */
const leastTimes = 12
const leastCharacters = 1200

/**
 * Small models go round in circles until their length ends. A stream whose text, or whose thoughts, say the same again and again
 * is closed, its socket with it; a warning and an end come in its place.
 */
export async function* withoutRepeats(stream: Stream, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
  const enough = new AbortController()
  const said = { 'text-delta': '', 'thinking-delta': '' }
  const fresh = { 'text-delta': 0, 'thinking-delta': 0 }
  for await (const event of stream(request, AbortSignal.any([signal, enough.signal]))) {
    yield event
    if (event.type !== 'text-delta' && event.type !== 'thinking-delta') continue
    const { type, text } = event
    said[type] = (said[type] + text).slice(-lookedAt)
    fresh[type] += text.length
    if (fresh[type] < lookEvery) continue
    fresh[type] = 0
    if (!endsInRepeats(said[type])) continue
    enough.abort()
    yield { type: 'warning', code: 'repeats', message: 'The model said the same again and again, and was stopped.' }
    yield { type: 'end', reason: 'unknown', usage: noUsage, contextTokens: null }
    return
  }
}

/** By the failure function of Knuth, Morris and Pratt over the text backwards: the shortest period of each ending, in one pass. */
export function endsInRepeats(text: string): boolean {
  const most = text.length
  const failure = new Int32Array(most + 1)
  for (let length = 1, border = 0; length < most; length += 1) {
    const sign = text.charCodeAt(most - 1 - length)
    while (border > 0 && text.charCodeAt(most - 1 - border) !== sign) border = failure[border] ?? 0
    if (text.charCodeAt(most - 1 - border) === sign) border += 1
    failure[length + 1] = border
    const period = length + 1 - border
    if (length + 1 >= leastCharacters && (length + 1) / period >= leastTimes) return true
  }
  return false
}
