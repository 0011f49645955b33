/** Resolves after a time or when the signal is aborted, whichever comes first. */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, milliseconds)
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish, { once: true })
  })
}

/** A latch that sleepers wait on: `ring` wakes all who sleep, or the next who would. */
export interface Bell {
  ring(): void
  sleep(signal: AbortSignal, milliseconds?: number): Promise<void>
}

export function createBell(): Bell {
  const sleepers = new Set<() => void>()
  let rung = false
  return {
    ring() {
      rung = true
      for (const wake of [...sleepers]) wake()
    },
    sleep(signal, milliseconds) {
      if (rung || signal.aborted) {
        rung = false
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const timer = milliseconds === undefined ? null : setTimeout(wake, milliseconds)
        function wake(): void {
          if (timer !== null) clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          sleepers.delete(wake)
          rung = false
          resolve()
        }
        signal.addEventListener('abort', wake, { once: true })
        sleepers.add(wake)
      })
    },
  }
}

const stumbleMs = 1000

/** A loop that outlives an error nobody foresaw: a queue that has silently ended would look like one that is at work. */
export function keepRunning(
  run: () => Promise<void>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): { start(): void; ended(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await run()
      } catch (error) {
        onError(error)
        await waitFor(stumbleMs, signal)
      }
    }
  }
  return {
    start: () => void (running = loop()),
    ended: () => running,
  }
}
