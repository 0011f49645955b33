/** Tells of changes, at most once in `ms` milliseconds; the last one is always told, however soon it follows another. */
export class Pace {
  #timer: ReturnType<typeof setTimeout> | null = null
  #toldAt = Number.NEGATIVE_INFINITY
  readonly #ms: number
  readonly #tell: () => void

  constructor(ms: number, tell: () => void) {
    this.#ms = ms
    this.#tell = tell
  }

  changed(): void {
    if (this.#timer !== null) return
    const wait = Math.max(0, this.#toldAt + this.#ms - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#toldAt = performance.now()
      this.#tell()
    }, wait)
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
