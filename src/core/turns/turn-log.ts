import type { TurnEvent } from '../../contract/answer.ts'

type WithoutSeq<T> = T extends { seq: number } ? Omit<T, 'seq'> : never
export type NewTurnEvent = WithoutSeq<TurnEvent>

/** Later pieces of text are gathered for so long; the first goes at once. */
const gatherMs = 30

export interface TurnLog {
  add(event: NewTurnEvent): void
  /** A piece of text or thought, gathered with those that come close after it. */
  addDelta(type: 'text-delta' | 'thinking-delta', text: string): void
  /** No event comes after this. */
  end(): void
  /** All events from `from` on, then live. Any number may watch; leaving stops nothing. */
  watch(from: number, signal?: AbortSignal): AsyncGenerator<TurnEvent, void>
  readonly ended: boolean
}

/** The events of one turn, in memory, numbered without gaps. */
export function createTurnLog(now: () => number): TurnLog {
  const events: TurnEvent[] = []
  const waiting = new Set<() => void>()
  let ended = false
  let gathered: { type: 'text-delta' | 'thinking-delta'; text: string } | null = null
  let timer: NodeJS.Timeout | null = null
  let lastAt = -Infinity

  function append(event: NewTurnEvent): void {
    events.push({ ...event, seq: events.length })
    for (const wake of [...waiting]) wake()
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (gathered === null) return
    const event = gathered
    gathered = null
    lastAt = now()
    append(event)
  }

  return {
    get ended() {
      return ended
    },
    add(event) {
      if (ended) return
      flush()
      append(event)
    },
    addDelta(type, text) {
      if (ended || text === '') return
      if (gathered !== null && gathered.type !== type) flush()
      gathered = { type, text: (gathered?.text ?? '') + text }
      const sinceMs = now() - lastAt
      if (sinceMs >= gatherMs || sinceMs < 0) flush()
      else timer ??= setTimeout(flush, gatherMs - sinceMs)
    },
    end() {
      flush()
      ended = true
      for (const wake of [...waiting]) wake()
    },
    async *watch(from, signal) {
      for (let at = from; ;) {
        for (let event = events[at]; event !== undefined; event = events[at]) {
          if (signal?.aborted === true) return
          at += 1
          yield event
        }
        if (ended || signal?.aborted === true) return
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            signal?.removeEventListener('abort', wake)
            resolve()
          }
          waiting.add(wake)
          signal?.addEventListener('abort', wake, { once: true })
        })
      }
    },
  }
}
