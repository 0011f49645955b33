import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'

/** Waiting that is longer than this asks how long it may go on. */
const longMs = 5000

interface Props {
  /** Left out: since it was first shown. */
  since?: number
  /** Milliseconds after which it is ended: told once one has waited for long. */
  limitMs?: number | undefined
}

/** Seconds since a moment, counted while one waits. */
export function Elapsed({ since, limitMs }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [start] = useState(() => since ?? Date.now())
  const [now, setNow] = useState(start)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const waitedMs = Math.floor((now - start) / 1000) * 1000
  if (waitedMs < 1000) return null
  const told = limitMs !== undefined && waitedMs >= longMs
  const waited = format.duration(waitedMs)
  return (
    <span className="tabular-nums">
      {told ? t('agent.waitedOf', { waited, limit: format.duration(Math.ceil(limitMs / 1000) * 1000) }) : waited}
    </span>
  )
}
