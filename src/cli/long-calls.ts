import type { TurnEvent } from '../contract/answer.ts'

/** Milliseconds after which a call that still runs is spoken of. */
export const longCallMs = 10_000

/** Watches the calls of a turn. `tell` is called once for each that runs for long, but not while the user is asked about it. */
export function createLongCalls(tell: (callId: string, limitMs: number) => void): { follow(event: TurnEvent): void } {
  const limits = new Map<string, number>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function begin(callId: string): void {
    const limitMs = limits.get(callId)
    // A terminal that has nothing else to wait for ends.
    if (limitMs !== undefined && limitMs > longCallMs) timers.set(callId, setTimeout(tell, longCallMs, callId, limitMs).unref())
  }

  return {
    follow(event) {
      if (event.type === 'call-start') {
        if (event.limitMs !== undefined) limits.set(event.callId, event.limitMs)
        begin(event.callId)
      } else if (event.type === 'call-end') clearTimeout(timers.get(event.callId))
      else if (event.type === 'approval-request') clearTimeout(timers.get(event.approval.callId))
      else if (event.type === 'approval-end' && event.decision !== null && event.decision !== 'refuse') {
        begin(event.callId)
      } else if (event.type === 'turn-end') for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
