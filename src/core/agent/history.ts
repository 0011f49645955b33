import type { CallRecord } from '../../contract/agent.ts'
import type { Turn } from '../../contract/answer.ts'
import type { Message, MessagePart } from '../../contract/message.ts'
import { withoutMarkers } from '../answer/answer.ts'
import { mediaNote, type MediaPart } from '../models/models.ts'

/** Of an earlier turn's result, so much is given again. */
const resultCharacters = 1500
const stoppedWords = '(I was stopped here.)'
const unknownWords = 'Siku was ended before the result of this call was kept: it may have been made, or not. Look before you make it again.'

/** Earlier turns as messages: questions, calls with their results shortened, answers without markers and thoughts. */
export function historyMessages(before: Turn[], messagesOf: (turnId: string) => Message[], canSee: boolean): Message[] {
  return before.flatMap((turn) => (turn.outcome === null || turn.outcome === 'not-found' ? [] : turnMessages(turn, messagesOf, canSee)))
}

function turnMessages(turn: Turn, messagesOf: (turnId: string) => Message[], canSee: boolean): Message[] {
  const answer = withoutMarkers(turn.answer).trim()
  const stored = turn.mode === 'agent' ? messagesOf(turn.id) : []
  const rounds = wholeRounds(stored, turn.calls)
  if (answer === '' && rounds.length === 0 && turn.outcome !== 'stopped') return []
  const asked = stored[0]?.role === 'user' ? withoutUnseen(stored[0], canSee) : ({ role: 'user', content: turn.question } as const)
  return [asked, ...rounds, { role: 'assistant', content: answer === '' ? stoppedWords : answer }]
}

/**
 * Calls and their results. Results are kept once all calls of a round have theirs: of a round that a kill ended, the turn's own
 * records tell what was done. A round none of whose calls began is left out.
 */
function wholeRounds(messages: Message[], records: readonly CallRecord[]): Message[] {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId ?? '', message] as const] : [])))
  const begun = new Map(records.map((record) => [record.callId, record]))
  return messages.flatMap((message) => {
    const calls = message.toolCalls ?? []
    if (message.role !== 'assistant' || !calls.some(({ id }) => results.has(id) || begun.has(id))) return []
    const { role, content, toolCalls } = message
    const answered = calls.map(({ id, name }): Message => {
      const told = begun.get(id)?.result.trim() || unknownWords
      return results.get(id) ?? { role: 'tool', name, toolCallId: id, content: told }
    })
    return [{ role, content, toolCalls }, ...answered.map(shortResult)]
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
  const isUnseen = (part: MessagePart): part is MediaPart => part.type === 'audio' || (part.type === 'image' && !canSee)
  return { role, content: content.map((part): MessagePart => (isUnseen(part) ? { type: 'text', text: mediaNote(part) } : part)) }
}

/** What came with the questions before and was too long to be given whole. */
export function wholeTexts({ content }: Message): { id: string; text: string }[] {
  if (typeof content === 'string') return []
  return content.flatMap((part) => (part.type === 'document' && part.whole !== undefined ? [part.whole] : []))
}

export function pictures({ role, content }: Message): MediaPart[] {
  if (role !== 'user' || typeof content === 'string') return []
  return content.filter((part): part is MediaPart => part.type === 'image')
}
