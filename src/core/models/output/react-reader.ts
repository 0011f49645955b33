import type { ToolSpec } from '../chat-model.ts'
import { broken, longestCall } from './call-reader.ts'
import { callsOf, findTool, isPlainText, madeCall, plainParameter, readArguments, toolName, typedValue, type Found } from './call-shape.ts'
import { isSpace, parseLoose } from './loose-json.ts'
import { pythonCalls } from './python-call.ts'
import { findLabel, type Label, type Section } from './react-labels.ts'
import { Source, type Reading } from './source.ts'
import type { Piece } from './text-state.ts'

const nothing = /^(?:none|null|n\/a|nil|no action|无|没有)?\.?$/i

export interface ReactReader {
  push(text: string): Piece[]
  end(cut: boolean): Piece[]
  /** The model began to write its own observation: nothing more is heard. */
  readonly over: boolean
  /** The label that was read last. */
  readonly label: Label | null
  /** What is written of an action so far. */
  readonly action: string
}

/** Thought, action, observation, as a model without tools of its own writes them: in English or Chinese, labels in any dress. */
export function createReactReader(tools: ToolSpec[]): ReactReader {
  const source = new Source()
  const out: Piece[] = []
  let section: Section = 'text'
  let lastLabel: Label | null = null
  let space = ''
  let begun = false
  let labelled = false
  let called = false
  let over = false
  let bold = false
  let action = ''
  let input: string | null = null
  let cut = false

  function* read(): Reading<void> {
    let lineStart = true
    for (;;) {
      if ((yield* source.peek(1)) === '') break
      const label = lineStart && section !== 'final' ? yield* findLabel(source, section) : null
      lineStart = false
      if (label !== null) {
        source.take(label.length)
        lastLabel = label
        if (!enter(label.section)) return
        bold = label.bold
        continue
      }
      if (bold && (yield* source.sees('**'))) source.take(2)
      bold = false
      const lineBreak = source.text.indexOf('\n', source.at)
      const line = source.take((lineBreak === -1 ? source.text.length : lineBreak + 1) - source.at)
      lineStart = line.endsWith('\n')
      hear(line)
    }
    leave()
  }

  /** False when nothing more counts. */
  function enter(next: Label['section']): boolean {
    labelled = true
    space = ''
    if (next === 'input' && section === 'action') {
      section = next
      input = ''
      return true
    }
    leave()
    // What is said of a result before there is one is made up.
    over = next === 'observation' || (next === 'final' && called)
    if (over) return false
    section = next
    begun = false
    return true
  }

  /** What an action asks for, once it is over. */
  function leave(): void {
    if (section !== 'action' && section !== 'input') return
    // Where no tool was offered, what looks like an action is none.
    const found = tools.length === 0 ? [] : readAction(action, input, tools, cut)
    action = ''
    input = null
    section = 'text'
    begun = false
    if (typeof found === 'string') out.push({ kind: 'text', text: found })
    else for (const one of found) out.push({ kind: 'found', found: one })
    if (typeof found !== 'string' && found.length > 0) called = true
  }

  function hear(line: string): void {
    if (section === 'action' && action.length < longestCall) action += line
    else if (section === 'input' && (input ?? '').length < longestCall) input = (input ?? '') + line
    else if (section !== 'action' && section !== 'input') say(line, section === 'thought' ? 'thinking' : 'text')
  }

  /** White space beside a label belongs to nobody. */
  function say(line: string, kind: 'text' | 'thinking'): void {
    let start = 0
    if (!begun && (labelled || kind === 'thinking')) while (start < line.length && isSpace(line.charCodeAt(start))) start += 1
    let end = line.length
    while (end > start && isSpace(line.charCodeAt(end - 1))) end -= 1
    if (end > start) {
      out.push({ kind, text: space + line.slice(start, end) })
      space = line.slice(end)
      begun = true
    } else space += line.slice(start)
  }

  const reading = read()
  reading.next()

  return {
    get over() {
      return over
    },
    get label() {
      return lastLabel
    },
    get action() {
      return action
    },
    push(text) {
      if (over) return []
      source.feed(text)
      reading.next()
      return out.splice(0)
    },
    end(isCut) {
      cut = isCut
      source.ended = true
      reading.next()
      if (!labelled && space !== '') out.push({ kind: 'text', text: space })
      return out.splice(0)
    },
  }
}

/** The calls of one action; a text is the answer of an action that only finishes. */
function readAction(written: string, input: string | null, tools: ToolSpec[], cut: boolean): Found[] | string {
  const text = unquoted(written)
  if (input === null && /^(?:[{[]|```)/.test(text)) return readWhole(text, tools, cut)
  const finish = /^(?:finish|final_answer|final answer)\s*[[(]([^]*)[\])]$/i.exec(text)?.[1]
  if (finish !== undefined)
    return finish
      .trim()
      .replace(/^answer\s*=\s*/, '')
      .replace(/^"([^]*)"$/, '$1')
  const lineBreak = text.indexOf('\n')
  if (lineBreak !== -1 && input === null) return readAction(text.slice(0, lineBreak), text.slice(lineBreak + 1), tools, cut)
  const [name, bracket] = [/^[\w.:/-]+/.exec(text)?.[0] ?? '', text.charAt((/^[\w.:/-]+\s*/.exec(text)?.[0] ?? '').length)]
  if (input === null && bracket === '(' && findTool(tools, name) !== null) return pythonCalls(text, tools) ?? [noReading(name, text)]
  if (input === null && bracket === '[' && text.endsWith(']')) {
    return readAction(name, text.slice(text.indexOf('[') + 1, -1), tools, cut)
  }
  if (text === '') return [broken(null, '', 'After "Action:" the name of a tool is missing.')]
  if (nothing.test(text)) return []
  return [readInput(text, input ?? '', tools, cut)]
}

function readInput(name: string, written: string, tools: ToolSpec[], cut: boolean): Found {
  const text = written.trim()
  const tool = findTool(tools, name)
  if (nothing.test(text)) return madeCall(tools, name, {})
  const fenced = text.startsWith('```') ? text.replace(/^```\w*\s*/, '').replace(/\s*```[^]*$/, '') : text
  if (!isPlainText(fenced)) return readObject(name, fenced, tools, cut)
  const parameter = tool === null ? 'input' : plainParameter(tool)
  if (parameter === null) return noReading(toolName(tools, name), text)
  return { kind: 'call', name: toolName(tools, name), arguments: { [parameter]: typedValue(tool, parameter, unquoted(fenced)) } }
}

/** Words behind the object are waiting for a result: they are no arguments. */
function readObject(name: string, text: string, tools: ToolSpec[], cut: boolean): Found {
  const parsed = parseLoose(text)
  if (parsed.kind === 'broken') return broken(toolName(tools, name), text, parsed.problem)
  const whole = '}]'.includes(text.slice(0, parsed.end).trimEnd().slice(-1)) && readArguments(text.slice(0, parsed.end)).kind === 'ok'
  if (cut && !/[}\]]\s*\S*$/.test(text))
    return broken(toolName(tools, name), text, 'It was cut off at the limit of the answer: write less.')
  return whole || parsed.end === text.length ? madeCall(tools, name, parsed.value) : noReading(toolName(tools, name), text)
}

function readWhole(text: string, tools: ToolSpec[], cut: boolean): Found[] {
  const body = text.replace(/^```\w*\s*/, '').replace(/\s*```$/, '')
  const parsed = parseLoose(body)
  const found = parsed.kind === 'ok' && !cut ? callsOf(parsed.value, { tools, marked: true }) : null
  return found ?? [broken(null, text, parsed.kind === 'broken' ? parsed.problem : 'It names no tool.')]
}

function noReading(name: string, text: string): Found {
  return broken(name, text, `Write the arguments of ${name} as one JSON object after "Action Input:".`)
}

/** Without the marks that models put around a name or a value. */
function unquoted(written: string): string {
  const text = written.trim()
  for (const mark of ['**', '`', '"', "'"]) {
    if (
      text.length > 2 * mark.length &&
      text.startsWith(mark) &&
      text.endsWith(mark) &&
      !text.slice(mark.length, -mark.length).includes(mark)
    ) {
      return text.slice(mark.length, -mark.length).trim()
    }
  }
  return text
}
