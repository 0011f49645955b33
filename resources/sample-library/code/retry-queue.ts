/**
 * A queue that sends sensor readings from the greenhouse and keeps what could not be sent.
 * 温室传感器数据的发送队列：发送失败的数据会保留，并在等待后重试。
 */

export interface Reading {
  sensor: string
  celsius: number
  takenAt: number
}

export type Send = (reading: Reading) => Promise<void>

/** First wait, doubled after each failure. 首次重试等待时间，每失败一次加倍。 */
const firstWaitMs = 500

/** Longest wait between two tries. 两次重试之间最长等待五分钟。 */
const longestWaitMs = 5 * 60_000

/** A reading older than a day helps nobody and is dropped. */
const oldestMs = 24 * 60 * 60_000

export function waitBefore(attempt: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** attempt)
}

export class RetryQueue {
  private readonly waiting: Reading[] = []
  private attempt = 0
  private running = false

  constructor(
    private readonly send: Send,
    private readonly now: () => number,
    private readonly pause: (milliseconds: number) => Promise<void>,
  ) {}

  get length(): number {
    return this.waiting.length
  }

  add(reading: Reading): void {
    this.waiting.push(reading)
    if (!this.running) void this.drain()
  }

  /** Sends in order. One failure stops the line: later readings must not overtake earlier ones. */
  private async drain(): Promise<void> {
    this.running = true
    while (this.waiting.length > 0) {
      const next = this.waiting[0]!
      if (this.now() - next.takenAt > oldestMs) {
        this.waiting.shift()
        continue
      }
      try {
        await this.send(next)
        this.waiting.shift()
        this.attempt = 0
      } catch {
        await this.pause(waitBefore(this.attempt))
        this.attempt += 1
      }
    }
    this.running = false
  }
}
