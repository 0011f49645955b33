import type { CallRecord } from '../../contract/agent.ts'
import type { Turn, TurnEvent } from '../../contract/answer.ts'
import type { NewTurnEvent } from './turn-log.ts'

function eventsOfCall({ status, elapsedMs, result, cutFrom, decision, ...start }: CallRecord): NewTurnEvent[] {
  const { callId } = start
  // A kill leaves calls without an end.
  const ended = status === 'running' ? 'cancelled' : status
  return [
    { type: 'call-start', ...start },
    ...(decision === null ? [] : [{ type: 'approval-end' as const, approvalId: `stored-${callId}`, callId, decision }]),
    { type: 'call-end', callId, status: ended, elapsedMs, result, cutFrom },
  ]
}

/** A turn that has ended, as the events that it was: what watching it later gives. */
export function eventsOfTurn(turn: Turn): TurnEvent[] {
  const events: NewTurnEvent[] = [
    {
      type: 'turn-start',
      turnId: turn.id,
      chatId: turn.chatId,
      question: turn.question,
      model: turn.model,
      mode: turn.mode,
      at: turn.askedAt,
    },
  ]
  const early = turn.steps.filter((step) => ['rewrite', 'search', 'summarise', 'round'].includes(step.kind))
  const late = turn.steps.filter((step) => !early.includes(step))
  const addSteps = (steps: Turn['steps'], from: number): void => {
    for (const [index, step] of steps.entries()) {
      const stepId = `${from + index}`
      events.push({ type: 'step-start', stepId, kind: step.kind }, { type: 'step-end', stepId, ...step })
    }
  }
  if (turn.memories.length > 0) events.push({ type: 'memories-used', memories: turn.memories })
  addSteps(early, 0)
  if (turn.plan.length > 0) events.push({ type: 'plan', items: turn.plan })
  for (const call of turn.calls) events.push(...eventsOfCall(call))
  if (turn.sources.length > 0) events.push({ type: 'sources', sources: turn.sources })
  for (const note of turn.notes) events.push({ type: 'note', note })
  if (turn.contextUse !== null) events.push({ type: 'context-use', use: turn.contextUse })
  if (turn.thinking !== '')
    events.push({ type: 'thinking-start' }, { type: 'thinking-delta', text: turn.thinking }, { type: 'thinking-end' })
  if (turn.answer !== '') events.push({ type: 'text-start' }, { type: 'text-delta', text: turn.answer }, { type: 'text-end' })
  addSteps(late, early.length)
  if (turn.sentences.length > 0 || turn.citations.length > 0) {
    const droppedMarkers = turn.notes.find((note) => note.code === 'markers-dropped')?.count ?? 0
    events.push({ type: 'answer-checked', answer: turn.answer, sentences: turn.sentences, citations: turn.citations, droppedMarkers })
  }
  const timings = turn.timings ?? { searchMs: null, firstTextMs: null, totalMs: 0 }
  events.push({ type: 'turn-end', outcome: turn.outcome ?? 'stopped', error: turn.error, usage: turn.usage, timings })
  return events.map((event, seq) => ({ ...event, seq }))
}
