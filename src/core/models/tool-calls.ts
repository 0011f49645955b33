import type { ToolCall } from '../../contract/message.ts'
import { isDeeper } from '../../contract/nesting.ts'
import type { ModelEvent } from './chat-model.ts'

/** No tool's arguments have so many levels; far more of them exhaust the stack of whatever walks through them. */
const deepest = 100
const mostBrokenCharacters = 4000

/** One piece of a call, as OpenAI-compatible servers send it, or nearly so. */
export interface CallPiece {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown }
}

interface Growing {
  index: number | null
  id: string
  name: string
  text: string
  /** Set when a server gave the arguments as a value instead of as text. */
  value: ToolCall['arguments'] | undefined
}

/**
 * Joins calls out of their pieces. By the protocol a piece belongs to the call of its index; some servers give all calls
 * index 0, or none: there a piece with another id, or with a name after arguments that are whole, begins a new call.
 */
export function createCallJoiner(): { push: (piece: CallPiece) => void; finish: (wasCut: boolean) => ModelEvent[] } {
  const calls: Growing[] = []

  function callOf(index: number | null, id: string, name: string): Growing {
    const at =
      index === null
        ? id === ''
          ? calls.at(-1)
          : calls.findLast((call) => call.id === id)
        : calls.findLast((call) => call.index === index)
    if (at !== undefined && !beginsAnother(at, id, name)) return at
    const made: Growing = { index, id: '', name: '', text: '', value: undefined }
    calls.push(made)
    return made
  }

  return {
    push({ index: givenIndex, id: givenId, function: part }) {
      const id = typeof givenId === 'string' ? givenId : ''
      const name = typeof part?.name === 'string' ? part.name : ''
      const call = callOf(typeof givenIndex === 'number' ? givenIndex : null, id, name)
      if (call.id === '') call.id = id
      // Some servers say the name again with each piece.
      if (name !== call.name) call.name += name
      if (typeof part?.arguments === 'string') call.text += part.arguments
      else if (part?.arguments !== undefined && part.arguments !== null) call.value = part.arguments as ToolCall['arguments']
    },
    finish: (wasCut) => calls.filter(({ name, text }) => name !== '' || text !== '').map((call) => finished(call, wasCut)),
  }
}

function beginsAnother(call: Growing, id: string, name: string): boolean {
  if (id !== '' && call.id !== '' && id !== call.id) return true
  if (id !== '' && id === call.id) return false
  return name !== '' && call.name !== '' && (call.value !== undefined || parsed(call.text) !== undefined)
}

/** Whole arguments that are no JSON go on as text: whoever reads the output repairs them, or says what is wrong with them. */
function finished({ id, name, text, value }: Growing, wasCut: boolean): ModelEvent {
  const given = value ?? (text.trim() === '' && !wasCut ? {} : parsed(text))
  if (given !== undefined || (!wasCut && name !== '')) return toolCall(id, name, given ?? text)
  const problem = wasCut ? 'The answer ended before the call was complete.' : 'The call names no tool.'
  return { type: 'broken-call', name: name === '' ? null : name, text, problem }
}

/**
 * Arguments as text that is JSON become the value. Other text stays: the tool's schema refuses it, with words for the model.
 * What is nested beyond all use is a broken call.
 */
export function toolCall(id: unknown, name: string, given: unknown): ModelEvent {
  const value = typeof given === 'string' ? (parsed(given) ?? given) : (given ?? {})
  if (isDeeper(value, deepest)) {
    const text = (typeof given === 'string' ? given : textOf(given)).slice(0, mostBrokenCharacters)
    return { type: 'broken-call', name, text, problem: `Its arguments are nested more than ${deepest} levels deep.` }
  }
  return { type: 'tool-call', call: { id: typeof id === 'string' ? id : '', name, arguments: value as ToolCall['arguments'] } }
}

/** '' for what has too many levels even for that. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

function parsed(text: string): ToolCall['arguments'] | undefined {
  try {
    return JSON.parse(text) as ToolCall['arguments']
  } catch {
    return undefined
  }
}

/** Every call gets an id that is not empty and not given before in this stream. */
export async function* withCallIds(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, void> {
  const seen = new Set<string>()
  for await (const event of events) {
    if (event.type !== 'tool-call') {
      yield event
      continue
    }
    let { id } = event.call
    for (let number = seen.size + 1; id === '' || seen.has(id); number += 1) id = `call_${number}`
    seen.add(id)
    yield { type: 'tool-call', call: { ...event.call, id } }
  }
}
