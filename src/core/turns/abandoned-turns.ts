import type { CallRecord } from '../../contract/agent.ts'
import type { Turn } from '../../contract/answer.ts'
import type { Language } from '../../contract/library.ts'
import { languageOfQuestion } from '../search/search.ts'
import type { Store } from '../store/store.ts'

/** Turns that a kill left with calls that ran, those calls ended: a turn is stored before a call that changes something begins. */
export function abandonedTurns({ reader, chats }: Pick<Store, 'reader' | 'chats'>): Turn[] {
  const rows = reader.prepare('SELECT id FROM turns WHERE outcome IS NULL').all() as { id: string }[]
  return rows.flatMap(({ id }) => {
    const turn = chats.turn(id)
    if (turn === null || !turn.calls.some(({ status }) => status === 'running')) return []
    const language = languageOfQuestion(turn.question)
    return [{ ...turn, outcome: 'stopped' as const, calls: turn.calls.map((call) => endedCall(call, language)) }]
  })
}

function endedCall(call: CallRecord, language: Language): CallRecord {
  if (call.status !== 'running') return call
  const result = language === 'zh' ? '它正在进行时四库被结束了；它可能已经发生。' : 'Siku was ended while it ran; it may have happened.'
  return { ...call, status: 'cancelled', result }
}
