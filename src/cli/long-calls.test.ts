import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TurnEvent } from '../contract/answer.ts'
import { createLongCalls, longCallMs } from './long-calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(callId: string, limitMs?: number): TurnEvent {
  const call = { callId, tool: 'read_web_page', line: 'Read', arguments: {}, access: 'network' as const, parentCallId: null }
  return { seq: 0, type: 'call-start', ...call, ...(limitMs !== undefined && { limitMs }) }
}

const timings = { searchMs: null, firstTextMs: null, totalMs: 1 }

const end = (callId: string): TurnEvent => ({ seq: 0, type: 'call-end', callId, status: 'ok', elapsedMs: 1, result: '', cutFrom: null })

function request(approvalId: string, callId: string): TurnEvent {
  const approval = { approvalId, callId, tool: 'read_web_page', access: 'network' as const, line: '', arguments: {}, site: '', digest: '' }
  return { seq: 0, type: 'approval-request', approval: { ...approval, dangerous: false } }
}

test('a call that runs for long is told once, with its limit; one that ended, a short one and one without a limit are not', () => {
  const told: [string, number][] = []
  const calls = createLongCalls((...each) => told.push(each))
  for (const event of [start('long', 45_000), start('ended', 45_000), start('short', 5000), start('endless'), end('ended')])
    calls.follow(event)
  vi.advanceTimersByTime(10 * longCallMs)
  expect(told).toEqual([['long', 45_000]])
})

test('while the user is asked nothing is told; the time counts from the yes on, and not at all after a no', () => {
  const told: string[] = []
  const calls = createLongCalls((callId) => told.push(callId))
  for (const event of [start('yes', 45_000), request('1', 'yes'), start('no', 45_000), request('2', 'no')]) calls.follow(event)
  vi.advanceTimersByTime(10 * longCallMs)
  calls.follow({ seq: 0, type: 'approval-end', approvalId: '1', callId: 'yes', decision: 'once' })
  calls.follow({ seq: 0, type: 'approval-end', approvalId: '2', callId: 'no', decision: 'refuse' })
  vi.advanceTimersByTime(longCallMs - 1)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['yes'])
})

test('the end of the turn ends every wait', () => {
  const told: string[] = []
  const calls = createLongCalls((callId) => told.push(callId))
  calls.follow(start('left', 45_000))
  calls.follow({ seq: 0, type: 'turn-end', outcome: 'stopped', error: null, usage: null, timings })
  vi.advanceTimersByTime(10 * longCallMs)
  expect(told).toEqual([])
})
