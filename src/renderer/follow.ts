import { ORPCError } from '@orpc/client'

/** Waits unless the signal ends the wait sooner. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/**
 * Watches a stream of the core to its end, through broken connections: a break is joined again by calling `open` anew,
 * while an answer that is an error of the core ends the watching with that error.
 */
export async function follow<Event>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>,
  receive: (event: Event) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of await open(signal)) {
        if (signal.aborted) return
        receive(event)
      }
      return
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ORPCError) throw error
      await pause(400, signal)
    }
  }
}
