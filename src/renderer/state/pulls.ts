import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { PullProgress } from '../../contract/models.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { loadModels } from './models.ts'

export interface Pull {
  name: string
  progress: PullProgress | null
  /** Bytes a second, lately. */
  rate: number | null
  problem: ErrorValue | null
  done: boolean
}

/** Models being fetched. They go on while other screens are shown; the stream is held here, not by a component. */
export const usePulls = create<{ pulls: Pull[] }>(() => ({ pulls: [] }))
const stops = new Map<string, AbortController>()

function put(name: string, change: Partial<Pull>): void {
  usePulls.setState(({ pulls }) => ({ pulls: pulls.map((pull) => (pull.name === name ? { ...pull, ...change } : pull)) }))
}

export function dismissPull(name: string): void {
  stops.get(name)?.abort()
  stops.delete(name)
  usePulls.setState(({ pulls }) => ({ pulls: pulls.filter((pull) => pull.name !== name) }))
}

export async function pullModel(providerId: string, name: string): Promise<void> {
  dismissPull(name)
  const stop = new AbortController()
  stops.set(name, stop)
  usePulls.setState(({ pulls }) => ({ pulls: [...pulls, { name, progress: null, rate: null, problem: null, done: false }] }))
  let mark = { at: performance.now(), bytes: 0 }
  try {
    for await (const progress of await client.models.pull({ providerId, name }, { signal: stop.signal })) {
      const now = performance.now()
      const bytes = progress.completedBytes ?? 0
      const elapsed = now - mark.at
      if (bytes < mark.bytes) mark = { at: now, bytes }
      if (elapsed > 1500 && bytes > mark.bytes) {
        put(name, { progress, rate: ((bytes - mark.bytes) / elapsed) * 1000 })
        mark = { at: now, bytes }
      } else put(name, { progress })
    }
    if (!stop.signal.aborted) put(name, { done: true })
    await loadModels(true)
  } catch (error) {
    if (!stop.signal.aborted) put(name, { problem: problemOf(error) })
  }
}
