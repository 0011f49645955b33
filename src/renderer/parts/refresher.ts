/**
 * Reads again what changed, one read at a time: a change while a read goes on leads to one more after it. So the last change is
 * always read, no answer overtakes a newer one, and changes that come faster than answers starve nothing.
 */
export class Refresher {
  #reading = false
  #changed = false
  #stopped = false
  readonly #read: () => Promise<void>

  /** `read` deals with its own failures. */
  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  changed(): void {
    this.#changed = true
    if (!this.#reading) void this.#run()
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(): Promise<void> {
    this.#reading = true
    try {
      while (this.#changed && !this.#stopped) {
        this.#changed = false
        await this.#read()
      }
    } finally {
      this.#reading = false
    }
  }
}

/** Numbers the requests for one thing. An answer is let go when that of a later request is shown already. */
export class Requests {
  #begun = 0
  #shown = 0

  /** Gives what says, once, whether the answer may be shown. */
  begin(): () => boolean {
    const number = (this.#begun += 1)
    return () => {
      if (number < this.#shown) return false
      this.#shown = number
      return true
    }
  }
}
