import type { Message } from '../../contract/message.ts'

/** Messages that are kept or left out together. */
export interface Block {
  messages: Message[]
  /** Where it stands in the history and the current messages after it, `to` excluded. */
  from: number
  to: number
  current: boolean
  /** The question, or what was just said to the model: never left out. */
  pinned: boolean
}

/**
 * Parts a transcript: an earlier turn is one block, so that what is kept begins with a question; of the current turn each
 * round is one, its calls together with their results. What is not whole (a result without its call, a call without its
 * result) is taken out: servers refuse such a transcript. What lies before `done` is left out but for the question, so that a
 * long transcript costs what is still told of it.
 */
export function blocksOf(history: Message[], current: Message[], done = 0): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  let from = Math.min(done, history.length)
  while (from > 0 && from < history.length && history[from]?.role !== 'user') from--
  for (const group of groupsOf(history, from, 0)) {
    if (open === null || group.messages[0]?.role === 'user') {
      open = { ...group, messages: [...group.messages], current: false, pinned: false }
      blocks.push(open)
    } else {
      open.messages.push(...group.messages)
      open.to = group.to
    }
  }
  let asked = 0
  while (current[asked]?.role === 'user') asked++
  const add = (group: Group, pinned: boolean): void => void blocks.push({ ...group, current: true, pinned })
  for (const group of groupsOf(current.slice(0, asked), 0, history.length)) add(group, true)
  from = Math.max(asked, Math.min(done - history.length, current.length))
  while (from > asked && current[from]?.role === 'tool') from--
  for (const group of groupsOf(current, from, history.length)) {
    add(group, group.messages[0]?.role === 'user' && group.to === history.length + current.length)
  }
  return blocks
}

interface Group {
  messages: Message[]
  from: number
  to: number
}

/** From the message at `start` on; places are counted from `offset`. */
function groupsOf(messages: Message[], start: number, offset: number): Group[] {
  const groups: Group[] = []
  let index = start
  while (index < messages.length) {
    const from = index
    const message = messages[index++]!
    if (message.role === 'tool') continue
    if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) {
      groups.push({ messages: [message], from: offset + from, to: offset + index })
      continue
    }
    const results: Message[] = []
    while (messages[index]?.role === 'tool') results.push(messages[index++]!)
    const whole = wholeRound(message, results)
    if (whole.length > 0) groups.push({ messages: whole, from: offset + from, to: offset + index })
  }
  return groups
}

/** A memo and no state: messages never change, and a long turn asks for the same rounds again and again. */
const rounds = new WeakMap<Message, { results: Message[]; whole: Message[] }>()

/** A message that calls and its results, those only that belong to each other. */
function wholeRound(message: Message, results: Message[]): Message[] {
  const known = rounds.get(message)
  if (known?.results.length === results.length && known.results.every((result, index) => result === results[index])) return known.whole
  const whole = madeRound(message, results)
  rounds.set(message, { results, whole })
  return whole
}

function madeRound(message: Message, results: Message[]): Message[] {
  const calls = message.toolCalls ?? []
  const waiting = new Set(calls.map((call) => call.id))
  const kept = results.filter((result) => result.toolCallId !== undefined && waiting.delete(result.toolCallId))
  if (waiting.size === 0) return [message, ...kept]
  const answered = calls.filter((call) => !waiting.has(call.id))
  if (answered.length > 0) return [{ ...message, toolCalls: answered }, ...kept]
  const { toolCalls: _unanswered, ...plain } = message
  return plain.content.length === 0 ? [] : [plain]
}
