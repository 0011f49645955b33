import { useRef } from 'react'
import type { Counts } from '../../contract/library.ts'

/** Text recognition comes after all reading and has a line of its own. */
export function doneOf(counts: Counts): number {
  return counts.ready + counts.partial + counts.recognising + counts.failed + counts.skipped
}

/** How far reading and embedding are together, from 0 to 1. The passages still to come are taken to be as many as so far. */
export function shareOf(counts: Counts, passages: number, embedded: number): number {
  const done = doneOf(counts)
  if (counts.total === 0) return 0
  if (done === counts.total && embedded >= passages) return 1
  const expected = done === 0 ? 0 : (passages / done) * counts.total
  return Math.min(0.999, 0.4 * (done / counts.total) + 0.6 * (expected === 0 ? done / counts.total : embedded / expected))
}

/** A value that never falls while its key stays: progress does not jump backwards when more work is found. */
export function useRising(key: string, value: number): number {
  const kept = useRef({ key, value })
  // A maximum over time is the point of it: what is shown depends on what was shown.
  /* eslint-disable react-hooks/refs */
  if (kept.current.key !== key || value > kept.current.value) kept.current = { key, value }
  return kept.current.value
  /* eslint-enable react-hooks/refs */
}
