import type { ToolSpec } from '../chat-model.ts'
import { readBarePython } from './bare-python.ts'
import { inventsResult, readBareReact } from './bare-react.ts'
import { anotherFollows, interpret, readJson, type CallContext, type JsonText } from './call-reader.ts'
import { findTool, type Found } from './call-shape.ts'
import { readMarked, readPython } from './marked-call.ts'
import { beginsLikeThoughts, createMarks, type Mark } from './marks.ts'
import { Source, type Reading } from './source.ts'
import { TextState, type Piece } from './text-state.ts'
import { longestHeld, readHarmony, readLeakedHarmony, readThoughts, untilThoughtsEnd } from './thoughts.ts'

const callFences = new Set([
  '',
  'json',
  'jsonc',
  'json5',
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'function_call',
  'xml',
  'text',
  'plaintext',
])

export interface TextReader {
  push(text: string): Piece[]
  /** `cut`: the answer ended at its limit, so that what is not closed is not whole. */
  end(cut: boolean): Piece[]
  /** Thoughts came apart from the text: none is expected in it. */
  thoughtsCame(text: string): void
  /** The model began to write the result of its own call: nothing more is heard. */
  readonly over: boolean
}

/** Parts the text of one answer into text, thoughts and calls. Linear in its length; what is held is bounded. */
export function createTextReader(tools: ToolSpec[], expectThinking: boolean): TextReader {
  const source = new Source()
  const marks = createMarks()
  const context: CallContext = { source, marks, tools, cut: false }
  const state = new TextState()
  let thoughtsApart = false
  let harmony = false
  /** Open inline code: how many backticks; an open fence: its marks. */
  let ticks = 0
  let fence = ''
  /** ReAct was looked for once: what looks like it and is not is text. */
  let labelsSeen = false
  let over = false

  function* read(): Reading<void> {
    state.say(yield* source.space())
    if (!thoughtsApart && (expectThinking || (yield* beginsLikeThoughts(source)))) {
      const thoughts = yield* untilThoughtsEnd(context, longestHeld)
      if (thoughts !== null) {
        state.beforeThoughts()
        state.think(thoughts)
        state.afterThoughts()
      }
    }
    if ('ac'.includes((yield* source.peek(1)) || ' ')) yield* readLeakedHarmony(context, state)
    while (!over) {
      const char = yield* source.peek(1)
      if (char === '') break
      yield* step(char)
    }
  }

  function* step(char: string): Reading<void> {
    if ((char === '`' || char === '~') && (yield* ticksOrFence(char))) return
    if (char === '\n') ticks = 0
    else if (fence === '' && ticks === 0) {
      if (tools.length > 0 && state.lineBlank && (yield* unmarked(char))) return
      if ((char === '<' || char === '[' || char === '◁' || (char === 'f' && state.lineBlank)) && (yield* mark())) return
      if (state.besideCall && (char === '}' || char === ']')) {
        state.drop(source.take(1))
        return
      }
      if (char === '{' || char === '｛' || char === '[') {
        if (yield* bareCall(char)) return
      } else if ((state.justCalled || state.waiting !== null) && ',;，；'.includes(char)) {
        source.take(1)
        state.separate(char)
        return
      }
    }
    const run = /[^<[{｛`~\n◁]+/y
    run.lastIndex = source.at + 1
    // After a call each mark between calls is looked at by itself.
    const more =
      state.justCalled || state.waiting !== null || char === '\n' || state.lineBlank ? 0 : (run.exec(source.text)?.[0].length ?? 0)
    state.say(source.take(1 + more))
  }

  /** At the beginning of a line: ReAct, or a call as Python writes it. */
  function* unmarked(char: string): Reading<boolean> {
    if ((state.called || state.waiting !== null) && (yield* inventsResult(context))) {
      state.certain()
      over = true
      return true
    }
    if (state.exampleSeen || /\s/.test(char)) return false
    if (!labelsSeen && state.waiting === null && !state.called) {
      const react = yield* readBareReact(context, state)
      labelsSeen = react !== null
      over = react === 'over'
      if (react === 'over' || react === 'read') return true
    }
    return /[A-Za-z_]/.test(char) && (yield* readBarePython(context, state))
  }

  function* mark(): Reading<boolean> {
    const found = yield* marks.find(source)
    if (found === null) return false
    switch (found.kind) {
      case 'think':
      case 'think-end':
        if (state.last === '`') return false
        source.take(found.text.length)
        if (found.kind === 'think') yield* readThoughts(context, state)
        // Amid a sentence it is spoken of.
        else if (state.last === ' ' && !state.lineBlank && (yield* source.peek(1)) === ' ') state.say(found.text)
        else state.loneEnd()
        return true
      case 'harmony':
        if (yield* readHarmony(context, state, found)) harmony = true
        return true
      case 'harmony-end':
        if (!harmony) return false
        source.take(found.text.length)
        state.afterThoughts()
        return true
      case 'stray':
        if (!state.justCalled && state.waiting === null) return false
        state.drop(source.take(found.text.length))
        return true
      default:
        return yield* markedCall(found)
    }
  }

  function* markedCall(found: Mark): Reading<boolean> {
    if (tools.length === 0 || state.inQuotation) return false
    source.record()
    source.take(found.text.length)
    const calls = yield* readMarked(context, found)
    const raw = source.recorded()
    if (calls !== null && calls.length > 0) state.call(calls)
    // Some models close a call with its opening tag.
    else if (state.justCalled && raw.trim() === found.text && source.ended) state.drop(raw)
    else state.say(raw)
    return true
  }

  /** A call without a mark of its own: JSON, or a list of Python calls. */
  function* bareCall(char: string): Reading<boolean> {
    if (tools.length === 0 || state.exampleSeen || state.inQuotation || /[\w$\\]/.test(state.last)) return false
    if (char === '[') {
      const begins = yield* afterBracket()
      if (begins === 'python') return yield* pythonList()
      if (begins !== 'object') return false
    }
    const unknown = !state.said && state.waiting === null
    const json = yield* readJson(context, { bare: true, fenced: false })
    const found = json.status === 'not-a-call' ? null : interpret(json, context, false, unknown)
    if (found !== null) {
      state.settle(found, json.raw)
      return true
    }
    state.say(json.raw)
    if (json.status !== 'complete' && json.span.depth > 0 && (json.span.event !== null || json.status === 'too-long'))
      yield* passValue(json)
    return true
  }

  function* afterBracket(): Reading<'object' | 'python' | null> {
    for (let count = 2; count < 200; count += 1) {
      const seen = yield* source.peek(count)
      const last = seen.slice(-1)
      if (seen.length < count) return null
      if (last === '{' || last === '｛') return 'object'
      if (/\s/.test(last)) continue
      if (!/[A-Za-z_]/.test(last) || !state.lineBlank) return null
      for (let end = count + 1; end < count + 80; end += 1) {
        const name = (yield* source.peek(end)).slice(count - 1)
        if (name.endsWith('(')) return findTool(tools, name.slice(0, -1)) === null ? null : 'python'
        if (!/^[\w.]+$/.test(name) || name.length < end - count + 1) return null
      }
    }
    return null
  }

  function* pythonList(): Reading<boolean> {
    source.record()
    const found = yield* readPython(context)
    const raw = source.recorded()
    if (found === null) state.say(raw)
    else state.settle(found, raw)
    return true
  }

  /** The rest of a JSON value that is no call: nothing in it is one. An empty line or a fence ends it at the latest. */
  function* passValue({ span }: JsonText): Reading<void> {
    let held = ''
    let blank = false
    for (;;) {
      if (source.at >= source.text.length) {
        state.say(held)
        held = ''
      }
      const char = yield* source.peek(1)
      if (char === '' || (blank && char === '`' && (yield* source.sees('```')))) break
      held += source.take(1)
      if (span.push(char) || (char === '\n' && blank)) break
      blank = char === '\n' || (blank && /\s/.test(char))
    }
    state.say(held)
  }

  function* ticksOrFence(char: string): Reading<boolean> {
    const lineBlank = state.lineBlank
    let count = 0
    while (count < 200 && (yield* source.peek(count + 1)) === char.repeat(count + 1)) count += 1
    if (lineBlank && count >= 3 && ticks === 0) {
      if (fence === '') return yield* openFence(char.repeat(count))
      if (char.repeat(count).startsWith(fence)) fence = ''
    } else if (char === '`' && fence === '') {
      if (ticks === 0) ticks = count
      else if (ticks === count) ticks = 0
    }
    state.say(source.take(count))
    return true
  }

  /** A fence that holds nothing but calls is one; any other is code until it is closed. */
  function* openFence(open: string): Reading<boolean> {
    source.record()
    source.take(open.length)
    let language = ''
    while (language.length < 20 && /^[\w+-]$/.test(yield* source.peek(1))) language += source.take(1)
    let found: Found[] | null = null
    if (tools.length > 0 && !state.exampleSeen && callFences.has(language.toLowerCase())) {
      yield* source.space()
      found = yield* fenced(language)
    }
    if (found !== null) {
      for (;;) {
        yield* source.space()
        const stray = (yield* source.peek(1)) === '<' ? yield* marks.find(source) : null
        if (stray?.kind !== 'stray') break
        source.take(stray.text.length)
      }
      if (yield* source.sees(open)) source.take(open.length)
      else if ((yield* source.peek(1)) !== '') found = null
    }
    const raw = source.recorded()
    if (found === null) {
      fence = open
      state.say(raw)
    } else state.settle(found, raw)
    return true
  }

  function* fenced(language: string): Reading<Found[] | null> {
    const all: Found[] = []
    const char = yield* source.peek(1)
    if (char === '<') {
      const found = yield* marks.find(source)
      if (found === null || found.kind === 'stray' || found.kind.startsWith('think') || found.kind.startsWith('harmony')) return null
      source.take(found.text.length)
      return yield* readMarked(context, found)
    }
    if (language.toLowerCase() === 'tool_code' && char !== '{') return yield* readPython(context)
    if (char !== '{' && char !== '[' && char !== '｛') return null
    do {
      const json = yield* readJson(context, { bare: true, fenced: true })
      const found = json.status === 'not-a-call' ? null : interpret(json, context, false)
      if (found === null) return null
      all.push(...found)
      while ('}]'.includes((yield* source.peek(1)) || ' ')) source.take(1)
    } while (yield* anotherFollows(source))
    return all
  }

  /** Qwen 3 forgets to end its thoughts: a turn that would be empty may have a whole tagged call as their last lines. */
  function lastThought(): Found[] {
    const thought = state.tail.trimEnd()
    const at = thought.startsWith('<tool_call>', thought.lastIndexOf('<tool_call>')) ? thought.lastIndexOf('<tool_call>') : -1
    const opened = at === 0 || (at > 0 && thought.charAt(at - 1) === '\n')
    if (!opened || !thought.endsWith('</tool_call>') || tools.length === 0 || state.said || state.called) return []
    const inner = createTextReader(tools, false)
    const pieces = [...inner.push(thought.slice(at)), ...inner.end(false)]
    const calls = pieces.flatMap((piece) => (piece.kind === 'found' && piece.found.kind === 'call' ? [piece.found] : []))
    return pieces.length === calls.length ? calls : []
  }

  const reading = read()
  reading.next()

  function taken(): Piece[] {
    reading.next()
    return state.out.splice(0)
  }

  return {
    get over() {
      return over
    },
    push(text) {
      if (over) return []
      source.feed(text)
      return taken()
    },
    end(cut) {
      context.cut = cut
      source.ended = true
      reading.next()
      state.end()
      const late = lastThought()
      return [...state.out.splice(0), ...late.map((found) => ({ kind: 'found' as const, found }))]
    },
    thoughtsCame(text) {
      thoughtsApart = true
      state.tail += text
    },
  }
}
