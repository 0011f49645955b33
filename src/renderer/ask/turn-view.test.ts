import { expect, test } from 'vitest'
import type { TurnEvent } from '../../contract/answer.ts'
import { foldTurnEvent, newTurnView } from './turn-view.ts'

const events: TurnEvent[] = [
  { seq: 0, type: 'turn-start', turnId: 't', chatId: 'c', question: 'q', model: null, at: 5 },
  { seq: 1, type: 'step-start', stepId: 's', kind: 'search' },
  { seq: 2, type: 'step-end', stepId: 's', kind: 'search', elapsedMs: 3, count: 4 },
  { seq: 3, type: 'text-start' },
  { seq: 4, type: 'text-delta', text: 'Hel' },
  { seq: 5, type: 'text-delta', text: 'lo [9]' },
  { seq: 6, type: 'text-end' },
  { seq: 7, type: 'answer-checked', answer: 'Hello', sentences: [], citations: [], droppedMarkers: 1 },
  { seq: 8, type: 'turn-end', outcome: 'extractive', error: null, usage: null, timings: { searchMs: 3, firstTextMs: 9, totalMs: 20 } },
]

test('a stream joined again with overlap says nothing twice', () => {
  const once = events.reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  const twice = [...events.slice(0, 6), ...events.slice(2), ...events].reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  expect(twice).toEqual(once)
  expect([once.answer, once.outcome, once.running, once.steps.length, once.next]).toEqual(['Hello', 'extractive', false, 1, 9])
})
