import { interpret, readJson, type CallContext } from './call-reader.ts'
import { madeCall } from './call-shape.ts'
import type { Mark } from './marks.ts'
import type { Reading } from './source.ts'
import type { TextState } from './text-state.ts'

export const longestHeld = 65_536
const longestNested = 4000

/** Thoughts from behind their opening tag to behind their closing one, or to the end. */
export function* readThoughts(context: CallContext, state: TextState): Reading<void> {
  const { source, marks } = context
  let nested = 0
  let trimming = true
  let last = ''
  const run = /[^<◁[]+/y

  function think(text: string): void {
    const kept = trimming ? text.trimStart() : text
    if (kept === '') return
    trimming = false
    last = kept.slice(-1)
    state.think(kept)
  }

  state.beforeThoughts()
  for (;;) {
    const char = yield* source.peek(1)
    if (char === '') return
    const mark = '<◁['.includes(char) && last !== '`' ? yield* marks.find(source) : null
    if (mark?.kind === 'think-end') {
      source.take(mark.text.length)
      break
    }
    if (mark?.kind === 'think') {
      source.take(mark.text.length)
      nested += 1
      trimming = true
      continue
    }
    run.lastIndex = source.at
    think(source.take(run.exec(source.text)?.[0].length ?? 1))
  }
  // Opened twice: what comes before a second end is inside too, if there is one.
  for (; nested > 0; nested -= 1) {
    const inside = yield* untilThoughtsEnd(context, longestNested)
    if (inside === null) break
    state.think(inside)
  }
  state.afterThoughts()
}

/** The text before a closing tag of thoughts, both taken; null, and nothing taken, when none comes near. */
export function* untilThoughtsEnd({ source, marks }: CallContext, limit: number): Reading<string | null> {
  let held = ''
  const run = /[^<◁[]+/y
  for (;;) {
    const char = yield* source.peek(1)
    const mark = char !== '' && '<◁['.includes(char) ? yield* marks.find(source) : null
    if (mark?.kind === 'think-end') {
      source.take(mark.text.length)
      return held
    }
    if (char === '' || held.length > limit || (mark !== null && mark.kind !== 'stray')) {
      source.give(held)
      return null
    }
    run.lastIndex = source.at
    held += source.take(run.exec(source.text)?.[0].length ?? 1)
  }
}

/** One message of gpt-oss, from its first special token: thoughts, a call, or the head of what is said. */
export function* readHarmony(context: CallContext, state: TextState, first: Mark): Reading<boolean> {
  const { source, marks } = context
  source.record()
  source.take(first.text.length)
  let header = first.open === '<|channel|>' ? ' ' : ''
  for (;;) {
    const char = yield* source.peek(1)
    const mark = char === '<' ? yield* marks.find(source) : null
    if (char === '' || header.length > 300) {
      state.say(source.recorded())
      return false
    }
    if (mark?.open === '<|message|>') {
      source.take(mark.text.length)
      break
    }
    header += mark?.kind === 'harmony' ? (source.take(mark.text.length), ' ') : source.take(1)
  }
  source.recorded()
  yield* readMessage(context, state, header)
  return true
}

/** What is behind a head as gpt-oss writes it. */
export function* readMessage(context: CallContext, state: TextState, header: string): Reading<void> {
  const recipient = /\bto=([\w.:/-]{1,100})/.exec(header)?.[1]
  const thoughts = /\banalysis\b/.test(header) || (recipient !== undefined && context.tools.length === 0)
  if (recipient !== undefined && context.tools.length > 0) yield* readAddressed(context, state, recipient)
  else if (thoughts) {
    state.beforeThoughts()
    state.think(yield* messageText(context))
    state.afterThoughts()
  } else state.afterThoughts()
}

function* readAddressed(context: CallContext, state: TextState, name: string): Reading<void> {
  const { source } = context
  yield* source.space()
  if ((yield* source.peek(1)) !== '{') {
    state.call([madeCall(context.tools, name, yield* messageText(context))])
    return
  }
  const json = yield* readJson(context, { bare: false, fenced: false })
  // Only the arguments stand there: the name is put around them.
  const whole = { ...json, raw: `{"name": ${JSON.stringify(name)}, "arguments": ${json.raw}${json.status === 'complete' ? '}' : ''}` }
  state.call(interpret(whole, context, true) ?? [])
}

function* messageText({ source, marks }: CallContext): Reading<string> {
  let text = ''
  const run = /[^<]+/y
  for (;;) {
    const char = yield* source.peek(1)
    const mark = char === '<' ? yield* marks.find(source) : null
    if (char === '' || mark?.kind === 'harmony' || mark?.kind === 'harmony-end') return text
    run.lastIndex = source.at
    text += source.take(run.exec(source.text)?.[0].length ?? 1)
  }
}

/** gpt-oss where the server ate the special tokens: `analysisWe need …assistantfinalFour.`; false, and nothing taken, when it is not that. */
export function* readLeakedHarmony(context: CallContext, state: TextState): Reading<boolean> {
  const { source } = context
  if (yield* source.sees('analysis')) {
    if (!/^[A-Z\u4e00-\u9fff]$/.test((yield* source.peek(9)).slice(8))) return false
    source.take(8)
    const held = yield* untilLeakedEnd(context)
    if (held === null) {
      source.give('analysis')
      return false
    }
    state.think(held)
    if (!(yield* source.sees('commentary'))) return true
  }
  if (!(yield* source.sees('commentary to=')) || context.tools.length === 0) return false
  source.take(14)
  let head = ''
  while (head.length < 120 && /^[^{\n]$/.test(yield* source.peek(1))) head += source.take(1)
  yield* readMessage(context, state, `commentary to=${head.trim().split(/\s/)[0] ?? ''}`)
  return true
}

function* untilLeakedEnd({ source }: CallContext): Reading<string | null> {
  let held = ''
  for (;;) {
    const char = yield* source.peek(1)
    if (char === '' || held.length > longestHeld) {
      source.give(held)
      return null
    }
    if (char === 'a' && (yield* source.sees('assistantfinal'))) {
      source.take(14)
      return held
    }
    if (char === 'a' && (yield* source.sees('assistantcommentary to='))) {
      source.take(9)
      return held
    }
    held += source.take(1)
  }
}
