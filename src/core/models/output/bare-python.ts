import type { ToolSpec } from '../chat-model.ts'
import { broken, type CallContext } from './call-reader.ts'
import { findTool, hasParameters, toolName, type Found } from './call-shape.ts'
import { readPython } from './marked-call.ts'
import type { Reading, Source } from './source.ts'
import type { TextState } from './text-state.ts'

const longestName = 80
const longestStart = 200

/**
 * A call as Python writes it at the beginning of a line, with neither mark nor fence: it counts when the turn ends with it.
 * False, and nothing taken, when it is none.
 */
export function* readBarePython(context: CallContext, state: TextState): Reading<boolean> {
  const { source, tools } = context
  const name = yield* calledName(source, tools)
  if (name === null || !(yield* hasValues(source, name.length + 1))) return false
  source.record()
  const read = yield* readPython(context)
  const raw = source.recorded()
  const isClosed = raw.endsWith(')')
  // Without an end it may have swallowed what is a call.
  if (!isClosed && !context.cut) {
    source.give(raw)
    return false
  }
  const found = isClosed ? read : [cutOff(tools, name)]
  if (found === null || (state.said && state.introduced) || !names(tools, name, raw, found)) state.say(raw)
  else state.settle(found, raw, false)
  return true
}

/** The name of a tool and the bracket behind it come next; not taken. */
function* calledName(source: Source, tools: ToolSpec[]): Reading<string | null> {
  const names = tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.toLowerCase())
  for (let count = 1; count <= longestName; count += 1) {
    const seen = yield* source.peek(count)
    if (seen.length < count) return null
    if (seen.endsWith('(')) return findTool(tools, seen.slice(0, -1)) === null ? null : seen.slice(0, -1)
    if (!names.some((name) => name.startsWith(seen.toLowerCase()))) return null
  }
  return null
}

/** A list of values, not of the names in a signature or of words in brackets, comes `from` characters on; not taken. */
function* hasValues(source: Source, from: number): Reading<boolean> {
  for (let count = from + 1; count <= from + longestStart; count += 1) {
    const seen = yield* source.peek(count)
    const inside = seen.slice(from)
    if (/^\s*(?:[)"'\d[{-]|[A-Za-z_]\w*\s*=\s*[^=\s]|(?:True|False|None)\s*[,)])/.test(inside)) return true
    if (seen.length < count || !/^\s*(?:[A-Za-z_]\w*\s*(?:=\s*)?)?$/.test(inside)) return false
  }
  return false
}

function cutOff(tools: ToolSpec[], name: string): Found {
  return broken(toolName(tools, name), name, 'It was cut off at the limit of the answer: write less.')
}

/** By its own name a tool is meant; an alias is a common word, and says so only with the tool's parameters by their names. */
function names(tools: ToolSpec[], name: string, raw: string, found: Found[]): boolean {
  const tool = findTool(tools, name)
  if (tool === null) return false
  if (toolName(tools, name) === tool.name) return true
  const byName = /^[^(]*\(\s*[A-Za-z_]\w*\s*=/.test(raw)
  return byName && found.every((one) => one.kind === 'call' && hasParameters(tool, one.arguments))
}
