import { setTimeout as delay } from 'node:timers/promises'

/** What of a terminal's input is needed: `process.stdin`, or a stand-in. */
export interface KeyInput {
  setRawMode?(raw: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  off(event: 'data', listener: (chunk: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Keys pressed before the question could be read are no answer to it. */
const settleMs = 150

/**
 * One key, without Enter; `''` for anything that is more than one character (a paste); null when the signal came first.
 * In raw mode Ctrl-C is a key like any other: it is handed on as the signal that it would have been.
 */
export async function readKey(input: KeyInput, signal: AbortSignal, onInterrupt: () => void, show: () => void): Promise<string | null> {
  if (signal.aborted) return null
  let take: (key: string | null) => void = () => undefined
  const pressed = new Promise<string | null>((done) => (take = done))
  let isSettled = false
  const onData = (chunk: Buffer | string): void => {
    const text = chunk.toString()
    if (text.includes('\u0003')) {
      onInterrupt()
      return
    }
    if (isSettled) take([...text].length === 1 ? text : '')
  }
  const onAbort = (): void => take(null)
  signal.addEventListener('abort', onAbort, { once: true })
  input.setRawMode?.(true)
  input.on('data', onData)
  input.resume()
  try {
    await delay(settleMs)
    isSettled = true
    show()
    return await pressed
  } finally {
    input.off('data', onData)
    input.setRawMode?.(false)
    input.pause()
    signal.removeEventListener('abort', onAbort)
  }
}
