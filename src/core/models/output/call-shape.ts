import type { ToolSpec } from '../chat-model.ts'
import { isSpace, parseLoose, type Json } from './loose-json.ts'

export type Found =
  { kind: 'call'; name: string; arguments: Json; thought?: string } | { kind: 'broken'; name: string | null; text: string; problem: string }

export interface ShapeOptions {
  tools: ToolSpec[]
  /** A mark of the model says that it is a call: any name counts. */
  marked: boolean
  /** A name that no tool has counts where nothing else was said, in the exact shape of a call. */
  unknown?: boolean
}

const nameKeys = ['name', 'function_name', 'tool_name', 'tool', 'function', 'action', 'recipient_name']
const argumentKeys = ['arguments', 'parameters', 'params', 'args', 'input', 'tool_input', 'action_input', 'kwargs']
const wrapperKeys = ['tool_calls', 'tool_uses', 'tool_call', 'function_call']
const besideKeys = ['type', 'id', 'index', 'call_id', 'tool_call_id', 'thought', 'thoughts', 'reasoning']
const known = new Set([...nameKeys, ...argumentKeys, ...wrapperKeys, ...besideKeys])

export const nameKeyPattern =
  /["'“]?(?:name|function_name|tool_name|tool|function|action|recipient_name)\\?["'”]?\s*[:：]\s*\\?["'“]([\w.:/-]{1,80})/

/**
 * The tool that a name means: its own or an alias, or either but for case, name space, and how words are joined; null when
 * none or several fit. A tool's own name goes before aliases.
 */
export function findTool(tools: ToolSpec[], name: string): ToolSpec | null {
  return namedTool(tools, name) ?? aliasedTool(tools, name)?.tool ?? null
}

/** By its own name alone: for words that also stand in texts which are no calls. */
function namedTool(tools: ToolSpec[], name: string): ToolSpec | null {
  return (
    tools.find((tool) => tool.name === name) ??
    onlyOne(spellingsOf(name), (spelling) => tools.filter((tool) => letters(tool.name) === spelling))
  )
}

function aliasedTool(tools: ToolSpec[], name: string): { tool: ToolSpec; alias: string } | null {
  const all = tools.flatMap((tool) => (tool.aliases ?? []).map((alias) => ({ tool, alias })))
  return onlyOne(spellingsOf(name), (spelling) => all.filter(({ alias }) => letters(alias) === spelling))
}

/** As it is written, and without a name space. */
function spellingsOf(name: string): string[] {
  const bare = name.trim().replace(/\(\)$/, '').replace(/:\d+$/, '')
  return [bare, bare.slice(Math.max(...['.', ':', '/'].map((mark) => bare.lastIndexOf(mark))) + 1)].map(letters)
}

function onlyOne<T>(spellings: string[], find: (spelling: string) => T[]): T | null {
  for (const spelling of spellings) {
    const near = find(spelling)
    if (near.length === 1) return near[0] as T
  }
  return null
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, '')
}

/** As a call names it: an alias stays one, for the shape of the arguments may hang on it. */
export function toolName(tools: ToolSpec[], name: string): string {
  return namedTool(tools, name)?.name ?? aliasedTool(tools, name)?.alias ?? name.trim()
}

function properties(tool: ToolSpec | null): Record<string, { type?: unknown }> {
  const all = tool?.parameters['properties']
  return typeof all === 'object' && all !== null ? (all as Record<string, { type?: unknown }>) : {}
}

/** Each argument is a parameter of the tool. */
export function hasParameters(tool: ToolSpec, given: Json): boolean {
  const known = properties(tool)
  return typeof given === 'object' && given !== null && Object.keys(given).every((key) => Object.hasOwn(known, key))
}

/** A key that an object which is a call may have; `named` is the name that it has shown so far. */
export function isCallKey(tools: ToolSpec[], key: string, named: string | null): boolean {
  if (known.has(key) || namedTool(tools, key) !== null) return true
  return named !== null && Object.hasOwn(properties(findTool(tools, named)), key)
}

export function isNameKey(key: string): boolean {
  return nameKeys.includes(key)
}

/** The calls that a JSON value is; null when it is something else. */
export function callsOf(value: Json, options: ShapeOptions): Found[] | null {
  if (Array.isArray(value)) {
    if (value.length === 0) return null
    const all = value.map((member) => callsOf(member, options))
    return all.includes(null) ? null : (all as Found[][]).flat()
  }
  if (typeof value !== 'object' || value === null) return null
  const keys = Object.keys(value)
  const wrapper = wrapperKeys.find((key) => typeof value[key] === 'object')
  if (wrapper !== undefined) {
    return keys.every((key) => known.has(key) || key === 'content' || key === 'role') ? callsOf(value[wrapper] as Json, options) : null
  }
  const inner = value['function']
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
    return keys.every((key) => known.has(key)) ? callsOf(inner, options) : null
  }
  const only = keys.length === 1 ? (keys[0] as string) : null
  // Aliases are common words: alone before an object they say nothing.
  const find = options.marked ? findTool : namedTool
  const tool = only === null || nameKeys.includes(only) ? null : find(options.tools, only)
  if (tool !== null && only !== null && typeof value[only] === 'object') return [madeCall(options.tools, only, value[only] as Json)]
  return named(value, keys, options)
}

function named(value: Record<string, Json>, keys: string[], { tools, marked, unknown }: ShapeOptions): Found[] | null {
  const nameKey = nameKeys.find((key) => typeof value[key] === 'string')
  const name = nameKey === undefined ? '' : (value[nameKey] as string)
  if (nameKey === undefined || name.trim() === '') return null
  const tool = findTool(tools, name)
  const argumentKey = argumentKeys.find((key) => Object.hasOwn(value, key))
  const others = keys.filter((key) => key !== nameKey && key !== argumentKey && !besideKeys.includes(key))
  const thoughtKey = ['thought', 'thoughts', 'reasoning'].find((key) => typeof value[key] === 'string')
  const thought = thoughtKey === undefined ? {} : { thought: value[thoughtKey] as string }

  if (argumentKey === undefined) {
    if (tool === null && !marked) return null
    if (!others.every((key) => Object.hasOwn(properties(tool), key))) return null
    const flat = Object.fromEntries(others.map((key) => [key, value[key] as Json]))
    return [{ ...madeCall(tools, name, flat), ...thought }]
  }
  const given = value[argumentKey] as Json
  if (tool === null && !marked) {
    const shaped = nameKey === 'name' && (argumentKey === 'arguments' || (argumentKey === 'parameters' && /[_.]/.test(name)))
    const whole = typeof given === 'object' && given !== null && !Array.isArray(given)
    if (unknown !== true || !shaped || !whole || others.length > 0 || !/^[A-Za-z][\w.:-]*$/.test(name)) return null
  }
  if (others.length > 0 && !marked) return null
  if (others.length > 0) {
    // Left out, they would be lost.
    const problem = `${JSON.stringify(others[0])} stands outside of "${argumentKey}": put all arguments inside.`
    return [{ kind: 'broken', name: toolName(tools, name), text: JSON.stringify(value).slice(0, 4000), problem }]
  }
  return [{ ...madeCall(tools, name, given), ...thought }]
}

/** A call whose arguments may be an object, a string of JSON, or nothing. */
export function madeCall(tools: ToolSpec[], name: string, given: Json): Found {
  const tool = findTool(tools, name)
  const called = toolName(tools, name)
  if (typeof given !== 'string') return { kind: 'call', name: called, arguments: isNothing(given) ? {} : given }
  const read = readArguments(given)
  if (read.kind === 'ok') return { kind: 'call', name: called, arguments: read.value }
  const single = Object.keys(properties(tool))
  if (single.length === 1 && isPlainText(given)) return { kind: 'call', name: called, arguments: { [single[0] as string]: given } }
  return { kind: 'broken', name: called, text: given, problem: read.problem }
}

/** The one parameter that a value without a name can mean; null when there are several. */
export function plainParameter(tool: ToolSpec | null): string | null {
  const all = Object.keys(properties(tool))
  if (all.length === 1) return all[0] as string
  const required = tool?.parameters['required']
  return Array.isArray(required) && required.length === 1 && typeof required[0] === 'string' ? required[0] : null
}

export function isPlainText(text: string): boolean {
  return !/^\s*[{[｛]/.test(text)
}

function isNothing(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** A value that was written without quotes, by the type that the schema gives it: text stays as it is. */
export function typedValue(tool: ToolSpec | null, parameter: string, text: string): Json {
  const type = properties(tool)[parameter]?.type
  const types = Array.isArray(type) ? type : [type]
  if (type === undefined || types.includes('string')) return text
  const parsed = parseLoose(text.trim())
  return parsed.kind === 'ok' && parsed.end === text.trim().length ? parsed.value : text
}

/** Arguments as adapters get them: a string of JSON, repaired where nothing is lost; an empty one is no arguments. */
export function readArguments(text: string): { kind: 'ok'; value: Json } | { kind: 'broken'; problem: string } {
  let rest = unfenced(text.trim())
  // Encoded twice, or three times.
  for (let round = 0; round < 3; round += 1) {
    if (rest === '') return { kind: 'ok', value: {} }
    const parsed = parseLoose(rest)
    if (parsed.kind === 'broken') return { kind: 'broken', problem: parsed.problem }
    if (!isRest(rest, parsed.end)) return { kind: 'broken', problem: 'After the arguments something else follows: give one JSON object.' }
    if (typeof parsed.value !== 'string') return { kind: 'ok', value: isNothing(parsed.value) ? {} : parsed.value }
    rest = parsed.value.trim()
  }
  return { kind: 'broken', problem: 'The arguments are text: give a JSON object.' }
}

function unfenced(text: string): string {
  if (!text.startsWith('```')) return text
  const line = text.indexOf('\n')
  const body = line === -1 ? text.slice(3) : text.slice(line + 1)
  return (body.trimEnd().endsWith('```') ? body.trimEnd().slice(0, -3) : body).trim()
}

/** Brackets too many carry nothing. */
function isRest(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) if (!isSpace(text.charCodeAt(at)) && !'}]'.includes(text.charAt(at))) return false
  return true
}
