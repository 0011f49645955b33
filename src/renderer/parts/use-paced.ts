import { useEffect, useRef, useState } from 'react'
import { Pace } from './pace.ts'

/** The value as it was at most `ms` milliseconds ago: it changes no oftener than that, and ends as the last one. */
export function usePaced<Value>(value: Value, ms: number): Value {
  const [paced, setPaced] = useState(value)
  const latest = useRef(value)
  const pace = useRef<Pace | null>(null)
  useEffect(() => {
    pace.current = new Pace(ms, () => setPaced(() => latest.current))
    return () => pace.current?.stop()
  }, [ms])
  useEffect(() => {
    if (Object.is(latest.current, value)) return
    latest.current = value
    pace.current?.changed()
  }, [value])
  return paced
}
