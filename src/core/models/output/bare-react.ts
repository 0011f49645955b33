import type { ToolSpec } from '../chat-model.ts'
import type { CallContext } from './call-reader.ts'
import { findTool } from './call-shape.ts'
import { findLabel, isEverydayLabel, type Label } from './react-labels.ts'
import { createReactReader, type ReactReader } from './react-reader.ts'
import type { Reading } from './source.ts'
import type { Piece, TextState } from './text-state.ts'

const longestHeld = 32_768

/**
 * ReAct from a model that has tools of its own: `over` when calls were read, and what follows is made up; `read` when thought
 * and answer were told apart; `text`, and nothing taken, when it is neither; null where no label begins it.
 */
export function* readBareReact(context: CallContext, state: TextState): Reading<'over' | 'read' | 'text' | null> {
  const { source, tools } = context
  const label = yield* findLabel(source, 'text')
  if (label === null || (label.section !== 'thought' && label.section !== 'action')) return null
  if (state.said) {
    // After words a thought is one more of them: what counts is the action.
    if (state.introduced) return 'text'
    if (label.section === 'thought') return null
  }
  const reader = createReactReader(tools)
  const pieces: Piece[] = []
  let held = ''
  for (;;) {
    const char = yield* source.peek(1)
    if (char === '') pieces.push(...reader.end(context.cut))
    else {
      held += source.take(1)
      pieces.push(...reader.push(char))
    }
    const answers = reader.label?.section === 'final' && !reader.over
    if (char === '' || reader.over || answers || held.length > longestHeld || !maybeTool(reader, tools, state.said)) break
  }
  if (isCalls(pieces, held, reader, context, state.said)) {
    tell(pieces, state)
    return 'over'
  }
  if (reader.label?.section === 'final' && isAnswer(reader.label, pieces)) {
    tell(pieces, state)
    if (reader.label.bold && (yield* source.sees('**'))) source.take(2)
    return 'read'
  }
  source.give(held)
  return 'text'
}

/** The first line of an action says whether it can be one. */
function maybeTool({ label, action }: ReactReader, tools: ToolSpec[], said: boolean): boolean {
  const line = label?.section === 'action' ? /^\s*(\S[^\n]*)\n/.exec(action)?.[1]?.trim() : undefined
  if (line === undefined) return true
  const bare = line.replace(/^[*`"']+|[*`"']+$/g, '')
  if (/^[{[]/.test(bare) || line.startsWith('```')) return true
  const name = /^[\w.:/-]+/.exec(bare)?.[0] ?? ''
  const rest = bare.slice(name.length).trim()
  return (rest === '' || '(['.includes(rest.charAt(0))) && (findTool(tools, name) !== null || !said)
}

function isCalls(pieces: Piece[], held: string, reader: ReactReader, { tools }: CallContext, said: boolean): boolean {
  const found = pieces.flatMap((piece) => (piece.kind === 'found' ? [piece.found] : []))
  const first = found[0]
  if (first === undefined || pieces.some(({ kind }) => kind === 'text')) return false
  const isKnown = first.name !== null && findTool(tools, first.name) !== null
  if (!said) return isKnown || (first.kind === 'call' && /^[A-Za-z][\w.:-]*$/.test(first.name) && withObject.test(held))
  const block = reader.over ? held.slice(0, held.lastIndexOf('\n') + 1) : held
  return isKnown && /[}\])][*`"'\s]*$/.test(block)
}

const withObject = /(?:input|arguments|输入|参数)[*_]{0,2} ?[:：]\W*\{/i

/** Everyday labels are also those of exercises, and a label alone may be wanted. */
function isAnswer(label: Label, pieces: Piece[]): boolean {
  return !isEverydayLabel(label) && pieces.some(({ kind }) => kind === 'thinking')
}

function tell(pieces: Piece[], state: TextState): void {
  state.beforeThoughts()
  for (const piece of pieces) {
    if (piece.kind === 'thinking') state.think(piece.text)
    else if (piece.kind === 'found') state.call([piece.found])
  }
  state.afterThoughts()
}

/** Behind a call: the model begins to write its result itself. Nothing is taken. */
export function* inventsResult({ source }: CallContext): Reading<boolean> {
  if (yield* source.sees('<tool_response>')) return true
  return (yield* findLabel(source, 'text'))?.section === 'observation'
}
