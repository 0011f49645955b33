import { noUsage, type ModelEvent, type ToolSpec } from '../chat-model.ts'
import { findTool, madeCall, toolName, type Found } from './call-shape.ts'
import { createTextReader } from './text-reader.ts'
import type { Piece } from './text-state.ts'

export interface OutputOptions {
  /** The tools that the request offered; without any, nothing in a text is read as a call. */
  tools: ToolSpec[]
  /** The model's template opens its thoughts itself: text before a closing tag is one, and held until that is known. */
  expectThinking?: boolean
}

/**
 * What a model meant, from what it sent: calls in the text become `tool-call`, thoughts in the text `thinking-delta`, a call
 * that cannot be repaired without loss `broken-call`. Events of other kinds pass. Text goes on as soon as it is certain.
 */
export async function* readOutput(events: AsyncIterable<ModelEvent>, options: OutputOptions): AsyncGenerator<ModelEvent, void> {
  const { tools } = options
  let reader = createTextReader(tools, options.expectThinking === true)
  const calls = createCalls(tools)
  let ended = false
  const finish = (cut: boolean): ModelEvent[] => {
    if (ended) return []
    ended = true
    return merged(reader.end(cut)).flatMap(calls.fromText)
  }
  for await (const event of events) {
    switch (event.type) {
      case 'text-delta':
        yield* merged(reader.push(event.text)).flatMap(calls.fromText)
        if (reader.over) {
          // Its stream is closed by the return: it only goes on making things up.
          yield* finish(false)
          yield { type: 'end', reason: 'stop', usage: noUsage, contextTokens: null }
          return
        }
        break
      case 'thinking-delta':
        reader.thoughtsCame(event.text)
        yield event
        break
      case 'text-was-thinking':
        yield* merged(reader.end(true)).flatMap(calls.fromText)
        reader = createTextReader(tools, false)
        yield event
        break
      case 'tool-call':
        yield* calls.native(event)
        break
      case 'end':
        yield* finish(event.reason === 'length')
        yield event
        break
      case 'error':
        yield* finish(true)
        yield event
        break
      default:
        yield event
    }
  }
  yield* finish(false)
}

/** Ids that never clash, and one call where a server sends it natively and leaves it in the text too. */
function createCalls(tools: ToolSpec[]) {
  const ids = new Set<string>()
  const nativeOnly = new Map<string, number>()
  const textOnly = new Map<string, number>()
  const nativeNames = new Set<string>()
  let count = 0

  function fresh(wanted: string): string {
    let id = wanted
    for (let number = 2; ids.has(id); number += 1) id = `${wanted}_${number}`
    ids.add(id)
    return id
  }

  /** The same call came the other way before: this one is its double. */
  function isDouble(key: string, seen: Map<string, number>, own: Map<string, number>): boolean {
    const left = seen.get(key) ?? 0
    if (left > 0) seen.set(key, left - 1)
    else own.set(key, (own.get(key) ?? 0) + 1)
    return left > 0
  }

  function fromText(piece: Piece): ModelEvent[] {
    if (piece.kind === 'text') return [{ type: 'text-delta', text: piece.text }]
    if (piece.kind === 'was-thinking') return [{ type: 'text-was-thinking' }]
    if (piece.kind === 'thinking') return [{ type: 'thinking-delta', text: piece.text }]
    const { found } = piece
    if (found.kind === 'broken') {
      if (found.name !== null && nativeNames.has(found.name)) return []
      return [{ type: 'broken-call', name: found.name, text: found.text, problem: found.problem }]
    }
    if (isDouble(keyOf(found), nativeOnly, textOnly)) return []
    count += 1
    return [{ type: 'tool-call', call: { id: fresh(`text_call_${count}`), name: found.name, arguments: found.arguments } }]
  }

  function native({ call }: Extract<ModelEvent, { type: 'tool-call' }>): ModelEvent[] {
    const name = findTool(tools, call.name) === null ? call.name : toolName(tools, call.name)
    nativeNames.add(name)
    const found = madeCall(tools, name, call.arguments)
    if (found.kind === 'broken') return [{ type: 'broken-call', name, text: found.text, problem: found.problem }]
    if (isDouble(keyOf(found), textOnly, nativeOnly)) return []
    return [{ type: 'tool-call', call: { ...call, id: fresh(call.id === '' ? 'call' : call.id), name, arguments: found.arguments } }]
  }

  return { fromText, native }
}

function keyOf(found: Extract<Found, { kind: 'call' }>): string {
  return `${found.name} ${JSON.stringify(sorted(found.arguments))}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}

function merged(pieces: Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if ((piece.kind === 'text' || piece.kind === 'thinking') && last?.kind === piece.kind) last.text += piece.text
    else all.push({ ...piece })
  }
  return all
}
