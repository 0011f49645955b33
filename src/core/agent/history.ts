import type { Turn } from '../../contract/answer.ts'
import type { Message } from '../../contract/message.ts'
import { withoutMarkers } from '../answer/answer.ts'

/** Of an earlier turn's result, so much is given again. */
const resultCharacters = 1500
const stoppedWords = '(I was stopped here.)'

/** Earlier turns as messages: questions, calls with their results shortened, answers without markers and thoughts. */
export function historyMessages(before: Turn[], messagesOf: (turnId: string) => Message[], canSee: boolean): Message[] {
  return before.flatMap((turn) => (turn.outcome === null || turn.outcome === 'not-found' ? [] : turnMessages(turn, messagesOf, canSee)))
}

function turnMessages(turn: Turn, messagesOf: (turnId: string) => Message[], canSee: boolean): Message[] {
  const answer = withoutMarkers(turn.answer).trim()
  const stored = turn.mode === 'agent' ? messagesOf(turn.id) : []
  const rounds = wholeRounds(stored)
  if (answer === '' && rounds.length === 0) return []
  const asked = stored[0]?.role === 'user' ? withoutUnseen(stored[0], canSee) : ({ role: 'user', content: turn.question } as const)
  return [asked, ...rounds, { role: 'assistant', content: answer === '' ? stoppedWords : answer }]
}

/** Calls and their results, only where every call has one. */
function wholeRounds(messages: Message[]): Message[] {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId ?? '', message] as const] : [])))
  return messages.flatMap((message) => {
    const calls = message.toolCalls ?? []
    if (message.role !== 'assistant' || calls.length === 0) return []
    const answered = calls.map((call) => results.get(call.id))
    if (answered.includes(undefined)) return []
    const { role, content, toolCalls } = message
    return [{ role, content, toolCalls }, ...answered.flatMap((result) => (result === undefined ? [] : [shortResult(result)]))]
  })
}

function shortResult({ role, name, toolCallId, content }: Message): Message {
  const text = typeof content === 'string' ? content : ''
  const isLong = text.length > resultCharacters
  const fence = text.startsWith('<data') ? '\n</data>' : ''
  return { role, name, toolCallId, content: isLong ? `${text.slice(0, resultCharacters)}…${fence}` : text }
}

function withoutUnseen({ role, content }: Message, canSee: boolean): Message {
  if (typeof content === 'string') return { role, content }
  return { role, content: content.filter((part) => part.type !== 'audio' && (canSee || part.type !== 'image')) }
}
