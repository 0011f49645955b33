import type { Found } from './call-shape.ts'
import { isSpace } from './loose-json.ts'

export type Piece =
  { kind: 'text'; text: string } | { kind: 'thinking'; text: string } | { kind: 'found'; found: Found } | { kind: 'was-thinking' }

const longestSpace = 4096
const longestTail = 65_536
const longestLine = 64

/**
 * What goes out, and what of it is known: where in a line the text stands, and the white space beside calls and thoughts,
 * which belongs to neither side. A call without a mark of its own waits here until it is certain that it ends the turn.
 */
export class TextState {
  readonly out: Piece[] = []
  /** Something that is no white space was said. */
  said = false
  called = false
  /** Only white space since the last call. */
  justCalled = false
  /** Nothing at all since a call: brackets here are too many of it. */
  besideCall = false
  /** A call was shown as an example: later ones without a mark are examples too. */
  exampleSeen = false
  waiting: { found: Found[]; raw: string } | null = null
  /** The beginning of the line, and the character before. */
  line = ''
  last = ''
  /** The beginning of the last line before this one that is not blank. */
  private lineBefore = ''
  /** The last character that is neither white space nor a mark of emphasis. */
  private lastInk = ''
  /** The end of what was thought, for a call that the model left in there. */
  tail = ''
  /** A lone end of thoughts came: what was said before it was one, if anything follows. */
  private endedLate = false
  private space = ''
  private spaceAfter = ''
  private separators = ''
  private trimming = false

  get lineBlank(): boolean {
    return this.line.trim() === ''
  }

  get inQuotation(): boolean {
    return this.line.trimStart().startsWith('>') || (this.last !== '' && '"\'“‘「『《`'.includes(this.last))
  }

  /** The line before announces an example: it ends with a colon, or is a heading. */
  get introduced(): boolean {
    return (this.lastInk !== '' && ':：'.includes(this.lastInk)) || /^\s*(?:#{1,6}\s|\*\*[^*]*\*\*\s*$)/.test(this.lineBefore)
  }

  say(text: string): void {
    if (text === '') return
    this.besideCall = false
    let end = text.length
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1
    if (this.waiting !== null) {
      if (end === 0) {
        this.waiting.raw += text
        return
      }
      const { raw } = this.waiting
      this.waiting = null
      this.exampleSeen = true
      this.say(raw)
    }
    this.place(text)
    if (end === 0) this.saySpace(text)
    else this.sayWords(text, end)
  }

  private saySpace(text: string): void {
    if (this.trimming) return
    if (this.justCalled) this.spaceAfter = (this.spaceAfter + text).slice(0, longestSpace)
    else this.space += text
    if (this.space.length <= longestSpace) return
    this.out.push({ kind: 'text', text: this.space })
    this.space = ''
  }

  private sayWords(text: string, end: number): void {
    this.withdraw()
    let start = 0
    if (this.trimming || this.justCalled) while (isSpace(text.charCodeAt(start))) start += 1
    const between = this.space !== '' ? this.space : this.justCalled ? this.spaceAfter + text.slice(0, start) : ''
    const before = this.called && !this.said ? '' : between
    this.out.push({ kind: 'text', text: before + this.separators + text.slice(start, end) })
    this.space = text.slice(end)
    this.spaceAfter = ''
    this.separators = ''
    this.trimming = false
    this.justCalled = false
    this.said = true
  }

  private place(text: string): void {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        if (!this.lineBlank) this.lineBefore = this.line.slice(0, longestLine)
        this.line = ''
      }
      if (this.line.length < longestLine) this.line += part.slice(0, longestLine)
    }
    this.last = text.charAt(text.length - 1)
    this.lastInk = /[^\s*_](?=[\s*_]*$)/.exec(text.slice(-longestLine))?.[0] ?? this.lastInk
  }

  think(text: string): void {
    if (text === '') return
    this.out.push({ kind: 'thinking', text })
    this.tail += text
    if (this.tail.length > 2 * longestTail) this.tail = this.tail.slice(-longestTail)
  }

  /** The white space around thoughts belongs to nobody. */
  beforeThoughts(): void {
    if (!this.said) this.space = ''
  }

  /** An end without a beginning. */
  loneEnd(): void {
    if (this.said && !this.called && this.waiting === null) {
      this.endedLate = true
      this.space = ''
    }
    this.afterThoughts()
  }

  private withdraw(): void {
    if (!this.endedLate) return
    this.endedLate = false
    this.said = false
    this.out.push({ kind: 'was-thinking' })
  }

  afterThoughts(): void {
    this.trimming = true
    this.last = ''
  }

  /** A comma or semicolon between calls: said only if words follow. */
  separate(char: string): void {
    this.besideCall = false
    if (this.waiting !== null) this.waiting.raw += char
    else this.separators += char
  }

  /** A call without a mark: at once where nothing was said before and it is plain, else when the turn ends with it. */
  settle(found: Found[], raw: string, plain = true): void {
    this.besideCall = true
    if (this.waiting !== null || this.said || !plain) {
      this.waiting = { found: [...(this.waiting?.found ?? []), ...found], raw: (this.waiting?.raw ?? '') + raw }
    } else this.call(found)
  }

  call(found: Found[]): void {
    this.certain()
    this.withdraw()
    for (const one of found) {
      if (one.kind === 'call' && one.thought !== undefined) this.think(one.thought)
      this.out.push({ kind: 'found', found: one })
    }
    this.called = true
    this.justCalled = true
    this.besideCall = true
    this.separators = ''
    this.last = ''
  }

  /** A part of a call that carries nothing. */
  drop(text: string): void {
    if (this.waiting !== null) this.waiting.raw += text
  }

  /** What waits is a call. */
  certain(): void {
    const { waiting } = this
    this.waiting = null
    if (waiting !== null) this.call(waiting.found)
  }

  end(): void {
    this.certain()
    if (!this.called && this.space !== '') this.out.push({ kind: 'text', text: this.space })
    this.space = ''
  }
}
