import { toSikuError, type SikuError } from '../../contract/errors.ts'
import { toTrouble, type Trouble } from './trouble.ts'
import { createBell, keepRunning, waitFor } from './wait.ts'

export interface PacedQueueOptions<Item extends { documentId: number; path: string }> {
  /** Some that wait now; none: it sleeps until it is woken. */
  refill: () => Item[]
  /** Whoever passed something over looks at it again. */
  onWake?: () => void
  /** Rejects only for what is not the item's fault: everything waits then, and goes on by itself. */
  work: (item: Item, signal: AbortSignal) => Promise<void>
  /** False while the user does not want it. */
  enabled: () => boolean
  /** True while others should have the machine for themselves. */
  hold: () => boolean
  /** Something began, ended or came to rest. */
  onChange: () => void
  /** Nothing goes on until it is tried again. */
  onTrouble: (problem: SikuError) => void
  onStumble: (error: unknown) => void
  retryMs?: number | undefined
}

export interface PacedQueue {
  start(): void
  /** Something may wait, or what was passed over may be there again. */
  wake(): void
  setPaused(paused: boolean): void
  /** Those of a document are not taken until the next wake. */
  drop(documentId: number): void
  /** Nothing is left that can be done now. */
  readonly idle: boolean
  /** The document that is worked on just now. */
  readonly current: string | null
  readonly trouble: Trouble | null
  close(): Promise<void>
}

const holdMs = 200

/** Slow work on documents, one at a time and after everything else. What runs when it is paused is finished. */
export function createPacedQueue<Item extends { documentId: number; path: string }>(options: PacedQueueOptions<Item>): PacedQueue {
  const { retryMs = 5000 } = options
  const closing = new AbortController()
  const bell = createBell()
  let ready: Item[] = []
  let paused = false
  let drained = true
  let current: string | null = null
  let trouble: Trouble | null = null

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (paused || !options.enabled()) ready = []
      else if (ready.length === 0) ready = options.refill()
      drained = ready.length === 0
      if (drained) {
        options.onChange()
        await bell.sleep(closing.signal)
        continue
      }
      if (options.hold()) {
        await waitFor(holdMs, closing.signal)
        continue
      }
      const next = ready.shift()!
      try {
        current = next.path
        await options.work(next, closing.signal)
        trouble = null
      } catch (error) {
        if (closing.signal.aborted) return
        const problem = toSikuError(error)
        trouble = toTrouble(problem)
        options.onTrouble(problem)
        ready = []
        options.onChange()
        await bell.sleep(closing.signal, retryMs)
      } finally {
        current = null
      }
    }
  }
  const loop = keepRunning(run, closing.signal, options.onStumble)

  return {
    start: loop.start,
    wake() {
      options.onWake?.()
      ready = []
      drained = paused || !options.enabled()
      bell.ring()
    },
    setPaused(next) {
      paused = next
      bell.ring()
    },
    drop(documentId) {
      ready = ready.filter((item) => item.documentId !== documentId)
    },
    get idle() {
      return current === null && (paused || drained || !options.enabled())
    },
    get current() {
      return current
    },
    get trouble() {
      return trouble
    },
    async close() {
      closing.abort()
      bell.ring()
      await loop.ended()
    },
  }
}
