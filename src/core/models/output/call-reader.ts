import type { ToolSpec } from '../chat-model.ts'
import { callsOf, findTool, isCallKey, isNameKey, madeCall, nameKeyPattern, toolName, type Found } from './call-shape.ts'
import { JsonSpan } from './json-span.ts'
import { parseLoose, type Json } from './loose-json.ts'
import type { Marks } from './marks.ts'
import type { Reading, Source } from './source.ts'

/** Longer than any call: what goes on beyond is not held. */
export const longestCall = 262_144
const longestShown = 4000

export interface CallContext {
  source: Source
  marks: Marks
  tools: ToolSpec[]
  /** The answer ended because it may not be longer: what is not closed is not whole. */
  cut: boolean
}

export interface JsonText {
  raw: string
  span: JsonSpan
  /** `stopped` by a mark, `ended` with the text; `not-a-call` as soon as no call begins like this (only where asked). */
  status: 'complete' | 'stopped' | 'ended' | 'not-a-call' | 'too-long'
  /** The tool's name that it has shown so far. */
  named: string | null
}

/** One JSON value, from its opening bracket on. */
export function* readJson(context: CallContext, where: { bare: boolean; fenced: boolean }): Reading<JsonText> {
  const { source, marks, tools } = context
  const span = new JsonSpan()
  const read: JsonText = { raw: '', span, status: 'complete', named: null }
  const end = (status: JsonText['status']): JsonText => ({ ...read, status })
  let lastKey = ''
  let keyDepth = 0
  let lineStart = false
  for (;;) {
    if (source.at >= source.text.length && (yield* source.peek(1)) === '') return end('ended')
    const char = source.text.charAt(source.at)
    if (char === '<' && !(span.inString && span.wellFormed) && (yield* marks.find(source)) !== null) return end('stopped')
    if (where.fenced && lineStart && (char === '`' || char === '~') && (yield* source.sees(char.repeat(3)))) return end('stopped')
    lineStart = char === '\n' || (lineStart && /\s/.test(char))
    read.raw += source.take(1)
    if (span.push(char)) return read
    if (read.raw.length > longestCall) return end('too-long')
    if (keyDepth === 0 && char !== '[' && char !== '［' && !/\s/.test(char)) {
      keyDepth = char === '{' || char === '｛' ? span.depth : -1
      if (where.bare && (keyDepth === -1 || keyDepth > 2)) return end('not-a-call')
    } else if (where.bare && keyDepth > 0 && span.depth > keyDepth && lastKey === '') return end('not-a-call')
    if (span.event === null || span.depth !== keyDepth) continue
    if (span.event === 'key') {
      lastKey = span.token
      if (where.bare && !isCallKey(tools, lastKey, read.named)) return end('not-a-call')
    } else if (isNameKey(lastKey) && findTool(tools, span.token) !== null) read.named = span.token
  }
}

/** What a JSON text means as a call; null when it is none. Marked as a call, it is one, broken at the worst. */
export function interpret({ raw, status }: JsonText, context: CallContext, marked: boolean, unknown = false): Found[] | null {
  const parsed = parseWhole(raw, status, context)
  if (parsed.kind === 'ok') {
    const found = callsOf(parsed.value, { tools: context.tools, marked, unknown })
    if (found !== null || !marked) return found
    return [broken(null, raw, 'It names no tool: write {"name": "…", "arguments": {…}}.')]
  }
  const name = nameKeyPattern.exec(raw.slice(0, 1000))?.[1] ?? null
  const tool = name === null ? null : findTool(context.tools, name)
  if (tool === null && !marked) return null
  return [broken(name === null ? null : toolName(context.tools, name), raw, parsed.problem)]
}

function parseWhole(
  raw: string,
  status: JsonText['status'],
  context: CallContext,
): { kind: 'ok'; value: Json } | { kind: 'broken'; problem: string } {
  if (status === 'too-long') return { kind: 'broken', problem: 'It is too long.' }
  if (status === 'ended' && context.cut) return { kind: 'broken', problem: 'It was cut off at the limit of the answer: write less.' }
  const text = /^[{[]\s*\\"/.test(raw) ? raw.replace(/\\(["\\])/g, '$1') : raw
  const parsed = parseLoose(text)
  if (parsed.kind === 'broken') return parsed
  const rest = text.slice(parsed.end).replace(/[\s}\]]+/g, '')
  return rest === '' ? parsed : { kind: 'broken', problem: 'After the object something else follows.' }
}

export function broken(name: string | null, text: string, problem: string): Found {
  return { kind: 'broken', name, text: text.length > longestShown ? `${text.slice(0, longestShown)}…` : text, problem }
}

/** Arguments of a tool whose name stands before them. A fence around them may be there. */
export function* readNamed(context: CallContext, name: string): Reading<Found> {
  const { source } = context
  yield* source.space()
  const fenced = yield* skipFence(source)
  const next = yield* source.peek(1)
  if (next !== '{' && next !== '[' && next !== '｛')
    return broken(toolName(context.tools, name), name, `The arguments of ${name} are missing: write a JSON object.`)
  const json = yield* readJson(context, { bare: false, fenced })
  const parsed = parseWhole(json.raw, json.status, context)
  if (fenced) yield* skipFence(source)
  if (parsed.kind === 'broken') return broken(toolName(context.tools, name), json.raw, parsed.problem)
  return madeCall(context.tools, name, parsed.value)
}

/** Takes a fence and its language; false when there is none. */
export function* skipFence(source: Source): Reading<boolean> {
  const before = yield* source.space()
  if (!(yield* source.sees('```'))) {
    source.give(before)
    return false
  }
  source.take(3)
  while (/^[a-z_]$/i.test(yield* source.peek(1))) source.take(1)
  yield* source.space()
  return true
}

/** Calls in a row, as JSON. */
export function* readSeries(context: CallContext, fenced: boolean): Reading<Found[]> {
  const all: { raw: string; exact: boolean; found: Found[] }[] = []
  for (;;) {
    const json = yield* readJson(context, { bare: false, fenced })
    const exact = isJson(json.raw)
    const rest = json.status === 'complete' ? yield* quoteBehind(context, exact) : null
    const found = rest === null ? (interpret(json, context, true) ?? []) : [brokenByQuotes(json.raw + rest, context)]
    all.push({ raw: json.raw, exact, found })
    if (rest !== null || json.status !== 'complete' || !(yield* anotherFollows(context.source))) break
  }
  // Beside what is broken, what had to be repaired may have been misread as well.
  const doubtful = all.some(({ found }) => found.some(({ kind }) => kind === 'broken'))
  return all.flatMap(({ raw, exact, found }) => (doubtful && !exact && found[0]?.kind === 'call' ? [brokenByQuotes(raw, context)] : found))
}

/** More of an object right behind its end says that it ended too early: a quote inside a text was not escaped. */
function* quoteBehind({ source }: CallContext, exact: boolean): Reading<string | null> {
  // What had to be repaired is looked at more closely.
  const stop = exact ? /[\n<{｛]/ : /[<｛]/
  let behind = ''
  for (let count = 1; count < 300; count += 1) {
    const seen = yield* source.peek(count)
    if (seen.length < count || stop.test(seen.slice(-1))) break
    behind = seen
  }
  return behind.includes('"') && /[}\]]\s*$/.test(behind) && !/^[\s,;，；}\]]*[{[]/.test(behind) ? source.take(behind.length) : null
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function brokenByQuotes(raw: string, { tools }: CallContext): Found {
  const name = nameKeyPattern.exec(raw.slice(0, 1000))?.[1]
  return broken(name === undefined ? null : toolName(tools, name), raw, 'Quotes inside a text are not escaped: write \\".')
}

/** White space, separators and brackets too many before a further object are taken; before anything else nothing is. */
export function* anotherFollows(source: Source): Reading<boolean> {
  for (let count = 1; count <= 200; count += 1) {
    const seen = yield* source.peek(count)
    const last = seen.slice(-1)
    if (seen.length < count) return false
    if (last === '{' || last === '｛') {
      source.take(count - 1)
      return true
    }
    if (!/[\s,;，；}\]]/.test(last)) return false
  }
  return false
}
