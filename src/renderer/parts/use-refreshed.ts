import { useEffect, useRef } from 'react'
import { useConnection } from '../client.ts'
import { Refresher } from './refresher.ts'

/**
 * Calls `read` at once for each `key`, and again whenever `version` changes or the core was lost and is back. Another key ends what
 * is being read; another version waits for it. `key` null reads nothing.
 */
export function useRefreshed(key: string | null, version: string, read: (signal: AbortSignal) => Promise<void>): void {
  const generation = useConnection((connection) => connection.generation)
  const state = `${generation} ${version}`
  const latest = useRef(read)
  const refresher = useRef<Refresher | null>(null)
  const asked = useRef('')
  useEffect(() => {
    latest.current = read
  })
  useEffect(() => {
    if (key === null) return
    const stop = new AbortController()
    const own = new Refresher(() => latest.current(stop.signal))
    refresher.current = own
    asked.current = ''
    return () => {
      stop.abort()
      own.stop()
      refresher.current = null
    }
  }, [key])
  useEffect(() => {
    if (refresher.current === null || asked.current === state) return
    asked.current = state
    refresher.current.changed()
  }, [key, state])
}
