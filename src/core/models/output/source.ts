/** Waits for more text when it has none: a reader is a generator, so that it is written as if all text were there. */
export type Reading<T> = Generator<undefined, T, undefined>

/** Text that comes in pieces, with a small look ahead. Only what is not yet taken is kept. */
export class Source {
  text = ''
  at = 0
  ended = false
  /** All that was taken since `record`, for giving it back. */
  private taken: string | null = null

  record(): void {
    this.taken = ''
  }

  recorded(): string {
    const text = this.taken ?? ''
    this.taken = null
    return text
  }

  feed(piece: string): void {
    this.text = this.at >= this.text.length ? piece : this.text.slice(this.at) + piece
    this.at = 0
  }

  /** Puts back what was taken, to be read in another way. */
  unread(text: string): void {
    this.text = text + this.text.slice(this.at)
    this.at = 0
  }

  /** Gives back what was just taken while recording or not. */
  give(text: string): void {
    this.unread(text)
    if (this.taken !== null && text !== '') this.taken = this.taken.slice(0, -text.length)
  }

  /** The next character, taken; '' at the end. */
  *next(): Reading<string> {
    while (this.at >= this.text.length) {
      if (this.ended) return ''
      yield
    }
    return this.take(1)
  }

  /** The next `count` characters, not taken; fewer only at the end. */
  *peek(count: number): Reading<string> {
    while (this.text.length - this.at < count && !this.ended) yield
    return this.text.slice(this.at, this.at + count)
  }

  take(count: number): string {
    const taken = this.text.slice(this.at, this.at + count)
    this.at += taken.length
    if (this.taken !== null) this.taken += taken
    return taken
  }

  /** Whether this text comes next; not taken. */
  *sees(text: string): Reading<boolean> {
    for (let count = 1; count <= text.length; count += 1) {
      if (!text.startsWith(yield* this.peek(count)) || this.text.length - this.at < count) return false
    }
    return true
  }

  /** White space, taken. */
  *space(limit = 1000): Reading<string> {
    let taken = ''
    while (taken.length < limit) {
      const char = yield* this.peek(1)
      if (char === '' || !/\s/.test(char)) break
      taken += this.take(1)
    }
    return taken
  }
}
