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
 * result) is taken out: servers refuse such a transcript.
 */
export function blocksOf(history: Message[], current: Message[]): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  for (const group of groupsOf(history, 0)) {
    if (open === null || group.messages[0]?.role === 'user') {
      open = { ...group, current: false, pinned: false }
      blocks.push(open)
    } else {
      open.messages.push(...group.messages)
      open.to = group.to
    }
  }
  const rounds = groupsOf(current, history.length)
  let asking = true
  for (const [index, group] of rounds.entries()) {
    const isUser = group.messages[0]?.role === 'user'
    asking &&= isUser
    blocks.push({ ...group, current: true, pinned: asking || (isUser && index === rounds.length - 1) })
  }
  return blocks
}

interface Group {
  messages: Message[]
  from: number
  to: number
}

function groupsOf(messages: Message[], offset: number): Group[] {
  const groups: Group[] = []
  let index = 0
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

/** A message that calls and its results, those only that belong to each other. */
function wholeRound(message: Message, results: Message[]): Message[] {
  const calls = message.toolCalls ?? []
  const waiting = new Set(calls.map((call) => call.id))
  const kept = results.filter((result) => result.toolCallId !== undefined && waiting.delete(result.toolCallId))
  if (waiting.size === 0) return [message, ...kept]
  const answered = calls.filter((call) => !waiting.has(call.id))
  if (answered.length > 0) return [{ ...message, toolCalls: answered }, ...kept]
  const { toolCalls: _unanswered, ...plain } = message
  return plain.content.length === 0 ? [] : [plain]
}
