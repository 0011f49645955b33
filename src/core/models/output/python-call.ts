import type { ToolSpec } from '../chat-model.ts'
import { findTool, plainParameter, toolName, type Found } from './call-shape.ts'
import { isSpace, parseLiteral, type Json } from './loose-json.ts'

/** Calls as in Python: `[get_weather(city="Oslo"), …]`, `print(get_weather(…))`. Null when it is something else. */
export function pythonCalls(text: string, tools: ToolSpec[]): Found[] | null {
  let at = 0
  const found: Found[] = []

  function skip(marks = ''): void {
    while (at < text.length && (isSpace(text.charCodeAt(at)) || marks.includes(text.charAt(at)))) at += 1
  }

  function name(): string {
    const match = /[A-Za-z_][\w.]{0,80}/y
    match.lastIndex = at
    const taken = match.exec(text)?.[0] ?? ''
    at += taken.length
    return taken
  }

  /** From behind the opening bracket to behind the closing one; null when it is no list of values. */
  function values(tool: ToolSpec): Record<string, Json> | null {
    const made: Record<string, Json> = {}
    const keyword = /([A-Za-z_]\w{0,80})\s*=(?!=)/y
    for (;;) {
      skip(',')
      if (text.charAt(at) === ')') {
        at += 1
        return made
      }
      keyword.lastIndex = at
      const key = keyword.exec(text)
      if (key !== null) {
        at += key[0].length
        skip()
      }
      const parameter = key?.[1] ?? (Object.keys(made).length === 0 ? plainParameter(tool) : null)
      const value = parseLiteral(text, at)
      if (value.kind === 'broken' || parameter === null || parameter === undefined || Object.hasOwn(made, parameter)) return null
      at = value.end
      skip()
      if (text.charAt(at) !== ',' && text.charAt(at) !== ')') return null
      made[parameter] = value.value
    }
  }

  skip('[')
  while (at < text.length) {
    let called = name()
    let brackets = 1
    if (called === 'print' && text.charAt(at) === '(') {
      at += 1
      brackets = 2
      called = name()
    }
    const written = called.replace(/\.call$/, '')
    const tool = findTool(tools, written)
    skip()
    if (tool === null || text.charAt(at) !== '(') return null
    at += 1
    const made = values(tool)
    if (made === null) {
      const problem = `Give the arguments of ${tool.name} by name, as values: one JSON object {"name": "${tool.name}", "arguments": {…}}.`
      return [...found, { kind: 'broken', name: toolName(tools, written), text, problem }]
    }
    found.push({ kind: 'call', name: toolName(tools, written), arguments: made })
    if (brackets === 2 && text.charAt(at) === ')') at += 1
    skip('],;')
  }
  return found.length === 0 ? null : found
}
