import { broken, longestCall, readNamed, readSeries, skipFence, type CallContext } from './call-reader.ts'
import { findTool, madeCall, toolName, typedValue, type Found } from './call-shape.ts'
import type { Json } from './loose-json.ts'
import type { Mark } from './marks.ts'
import { pythonCalls } from './python-call.ts'
import type { Reading, Source } from './source.ts'

const empty = 'A call was begun and is empty: write {"name": "…", "arguments": {…}}.'

/** The calls behind a mark that was just taken; null when what follows is none, as where the mark is only spoken of. */
export function* readMarked(context: CallContext, mark: Mark, depth = 0): Reading<Found[] | null> {
  const { source } = context
  if (depth > 4) return null
  if (mark.kind === 'function') return yield* readFunction(context)
  if (mark.kind === 'invoke') return yield* readInvoke(context)
  if (mark.kind === 'named') return [yield* readTokens(context)]
  if (mark.open === 'functools[') source.give('[')
  yield* source.space()
  const fenced = yield* skipFence(source)
  const next = yield* source.peek(1)
  if (next === '[' && /^\[\s?[A-Za-z_]/.test(yield* source.peek(3))) return yield* readPython(context)
  if (next === '{' || next === '[' || next === '｛') {
    const found = yield* readSeries(context, fenced)
    if (fenced) yield* skipFence(source)
    return found
  }
  if (next === '<') {
    const inner = yield* context.marks.find(source)
    if (inner === null || inner.kind.startsWith('think') || inner.kind.startsWith('harmony')) return null
    if (inner.kind === 'stray')
      return inner.open.startsWith('</') && mark.open === `<${inner.open.slice(2)}` ? [broken(null, '', empty)] : null
    source.take(inner.text.length)
    return yield* readMarked(context, inner, depth + 1)
  }
  return yield* readNameFirst(context)
}

function* readName(source: Source): Reading<string> {
  let name = ''
  while (name.length < 100 && /^[\w.:/-]$/.test(yield* source.peek(1))) name += source.take(1)
  return name
}

/** `name{…}`, `name[ARGS]{…}`, `name.call(…)`, or GLM's pairs of keys and values. */
function* readNameFirst(context: CallContext): Reading<Found[] | null> {
  const { source, tools } = context
  const name = yield* readName(source)
  if (name === '') return null
  if ((yield* source.peek(1)) === '(') {
    source.give(name)
    return yield* readPython(context)
  }
  const space = yield* source.space()
  let certain = false
  if (yield* source.sees('[CALL_ID]')) {
    source.take(9)
    yield* readName(source)
  }
  if (yield* source.sees('[ARGS]')) {
    source.take(6)
    certain = true
  }
  yield* source.space()
  if ((yield* source.peek(1)) === '{') return [yield* readNamed(context, name)]
  if (yield* source.sees('<arg_key>')) return [yield* readPairs(context, name)]
  if (certain) return [broken(toolName(tools, name), name, `The arguments of ${name} are missing: write a JSON object.`)]
  const closed = (yield* source.peek(1)) === '<' && (yield* context.marks.find(source))?.kind === 'stray'
  if (closed && findTool(tools, name) !== null) return [madeCall(tools, name, {})]
  source.give(space)
  return null
}

/** Text up to one of these, which is taken; null when none comes. */
function* readUntil(source: Source, end: string): Reading<string | null> {
  let text = ''
  while (text.length < longestCall) {
    const char = yield* source.peek(1)
    if (char === '') return null
    if (char === end.charAt(0) && (yield* source.sees(end))) {
      source.take(end.length)
      return text
    }
    text += source.take(1)
  }
  return null
}

/** Values stand on lines of their own; white space inside is theirs. */
function trimLines(text: string): string {
  return text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
}

function* readPairs(context: CallContext, name: string): Reading<Found> {
  const { source, tools } = context
  const tool = findTool(tools, name)
  const made: [string, Json][] = []
  while (yield* source.sees('<arg_key>')) {
    source.take('<arg_key>'.length)
    const key = yield* readUntil(source, '</arg_key>')
    yield* source.space()
    const opened = yield* source.sees('<arg_value>')
    if (opened) source.take('<arg_value>'.length)
    const value = opened ? yield* readUntil(source, '</arg_value>') : null
    if (key === null || value === null) return broken(toolName(tools, name), name, 'It was cut off inside a value.')
    made.push([key.trim(), typedValue(tool, key.trim(), trimLines(value))])
    yield* source.space()
  }
  return madeCall(tools, name, Object.fromEntries(made))
}

/** `<function=name>{…}</function>`, and Qwen3-Coder's parameters; behind `<function=`. */
function* readFunction(context: CallContext): Reading<Found[] | null> {
  const { source } = context
  const name = yield* readName(source)
  if (name === '') return null
  if ((yield* source.peek(1)) === '>') source.take(1)
  yield* source.space()
  if ((yield* source.peek(1)) === '{') return [yield* readNamed(context, name)]
  return yield* readParameters(context, name, '<parameter=', '</function>')
}

/** `<invoke name="…">` with its parameters; behind `name=`. */
function* readInvoke(context: CallContext): Reading<Found[] | null> {
  const { source } = context
  const name = yield* readQuoted(source)
  return name === null ? null : yield* readParameters(context, name, '<parameter name=', '</invoke>')
}

function* readQuoted(source: Source): Reading<string | null> {
  let text = ''
  while (text.length < 100) {
    const char = yield* source.next()
    if (char === '' || char === '\n') return null
    if (char === '>') return text.trim().replace(/^["']|["']$/g, '')
    text += char
  }
  return null
}

function* readParameters(context: CallContext, name: string, open: string, close: string): Reading<Found[] | null> {
  const { source, tools } = context
  const tool = findTool(tools, name)
  const made: [string, Json][] = []
  for (;;) {
    yield* source.space()
    if (yield* source.sees(close)) {
      source.take(close.length)
      return [madeCall(tools, name, Object.fromEntries(made))]
    }
    if (!(yield* source.sees(open))) break
    source.take(open.length)
    const key = yield* readQuoted(source)
    const value = key === null ? null : yield* readUntil(source, '</parameter>')
    if (key === null || value === null) return [broken(toolName(tools, name), name, 'It was cut off inside a parameter.')]
    made.push([key, typedValue(tool, key, trimLines(value))])
  }
  const ended = (yield* source.peek(1)) === ''
  if (made.length === 0) return ended && tool !== null ? [broken(toolName(tools, name), name, 'It was cut off.')] : null
  return [ended && context.cut ? broken(toolName(tools, name), name, 'It was cut off.') : madeCall(tools, name, Object.fromEntries(made))]
}

const separators = ['<|tool_sep|>', '<|tool_call_argument_begin|>']

/** DeepSeek's and Kimi's special tokens; behind the one that begins a call. */
function* readTokens(context: CallContext): Reading<Found> {
  const { source } = context
  let header = ''
  for (;;) {
    const char = yield* source.next()
    header += char === '｜' ? '|' : char === '▁' ? '_' : char
    const separator = separators.find((mark) => header.endsWith(mark))
    if (separator !== undefined) {
      header = header.slice(0, -separator.length).trim()
      break
    }
    if (char === '' || header.length > 200) return broken(null, header, empty)
  }
  if (header !== 'function') return yield* readNamed(context, header)
  yield* source.space()
  return yield* readNamed(context, yield* readName(source))
}

/** Calls as Python, up to the bracket that closes them. */
export function* readPython(context: CallContext): Reading<Found[] | null> {
  const { source } = context
  let text = ''
  let depth = 0
  let quote = ''
  while (text.length < longestCall) {
    const char = yield* source.next()
    if (char === '') break
    text += char
    if (quote !== '') {
      if (char === '\\') text += yield* source.next()
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) {
      depth -= 1
      if (depth <= 0) break
    }
  }
  return pythonCalls(text, context.tools)
}
