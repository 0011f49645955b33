import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pace } from './pace.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a change right after another is told once the time is over, not left out', () => {
  const tell = vi.fn()
  const pace = new Pace(1000, tell)
  pace.changed()
  vi.advanceTimersByTime(1)
  expect(tell).toHaveBeenCalledTimes(1)
  pace.changed()
  vi.advanceTimersByTime(900)
  expect(tell).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(200)
  expect(tell).toHaveBeenCalledTimes(2)
})

test('changes without a pause are told all the while, once in the time', () => {
  const tell = vi.fn()
  const pace = new Pace(1000, tell)
  for (let ms = 0; ms < 9500; ms += 50) {
    pace.changed()
    vi.advanceTimersByTime(50)
  }
  expect(tell).toHaveBeenCalledTimes(10)
})

test('nothing is told after it is stopped', () => {
  const tell = vi.fn()
  const pace = new Pace(1000, tell)
  pace.changed()
  pace.stop()
  vi.advanceTimersByTime(5000)
  expect(tell).not.toHaveBeenCalled()
})
