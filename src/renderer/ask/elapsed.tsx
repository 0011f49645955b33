import { useEffect, useState } from 'react'
import { useFormat } from '../format.ts'

/** Seconds since a moment, counted while one waits. `since` left out: since it was first shown. */
export function Elapsed({ since }: { since?: number }) {
  const format = useFormat()
  const [start] = useState(() => since ?? Date.now())
  const [now, setNow] = useState(start)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.floor((now - start) / 1000)
  return seconds < 1 ? null : <span className="tabular-nums">{format.duration(seconds * 1000)}</span>
}
