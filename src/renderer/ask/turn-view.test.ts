import { expect, test } from 'vitest'
import type { TurnEvent } from '../../contract/answer.ts'
import { endedTurn, foldTurnEvent, isWithoutModel, newTurnView } from './turn-view.ts'

const events: TurnEvent[] = [
  { seq: 0, type: 'turn-start', turnId: 't', chatId: 'c', question: 'q', model: null, mode: 'answer', at: 5 },
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

const agent: TurnEvent[] = [
  { seq: 0, type: 'turn-start', turnId: 't', chatId: 'c', question: 'q', model: null, mode: 'agent', at: 5 },
  { seq: 1, type: 'text-delta', text: 'Let me look.' },
  { seq: 2, type: 'text-reset' },
  { seq: 3, type: 'call-start', callId: 'a', tool: 'write_note', line: 'Writes', arguments: {}, access: 'write', parentCallId: null },
  { seq: 4, type: 'call-start', callId: 'b', tool: 'calculate', line: 'Computes', arguments: {}, access: 'read', parentCallId: null },
  {
    seq: 5,
    type: 'approval-request',
    approval: {
      approvalId: 'p',
      callId: 'a',
      tool: 'write_note',
      access: 'write',
      line: 'Writes',
      arguments: {},
      site: '/notes',
      digest: 'd',
      dangerous: false,
    },
  },
]

test('a tool call takes the place of the words that led to it', () => {
  const view = agent.slice(0, 4).reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  expect([view.answer, view.before, view.calls.length]).toEqual(['', '', 1])
})

test('text that was not the answer stays only until new text comes', () => {
  const reset = agent.slice(0, 3).reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  const after = foldTurnEvent(reset, { seq: 3, type: 'text-delta', text: 'It is 4.' })
  expect([reset.answer, reset.before, after.answer, after.before]).toEqual(['', 'Let me look.', 'It is 4.', ''])
})

test('an approval waits until it is answered, and its word stays with its call alone', () => {
  const asked = agent.reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  const answered = foldTurnEvent(asked, { seq: 6, type: 'approval-end', approvalId: 'p', callId: 'a', decision: 'refuse' })
  expect([asked.approvals.length, answered.approvals.length, answered.calls.map((call) => call.decision)]).toEqual([1, 0, ['refuse', null]])
})

test('a turn that ends while calls run leaves nothing running or waiting', () => {
  const timings = { searchMs: null, firstTextMs: null, totalMs: 20 }
  const end: TurnEvent = { seq: 6, type: 'turn-end', outcome: 'stopped', error: null, usage: null, timings }
  const view = [...agent, end].reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  expect([view.calls.map((call) => call.status), view.approvals, view.running]).toEqual([['cancelled', 'cancelled'], [], false])
})

test('“without a model” is said only where it is known: not of a turn that a crash cut off', () => {
  const cut = endedTurn(newTurnView('t', 'c', 'q', 5), 'stopped')
  const extract = events.reduce(foldTurnEvent, newTurnView('t', 'c', 'q', 5))
  const chosen = endedTurn(newTurnView('t', 'c', 'q', 5, true), 'stopped')
  expect([cut, extract, chosen].map(isWithoutModel)).toEqual([false, true, true])
})
