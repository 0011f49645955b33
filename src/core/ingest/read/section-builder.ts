import type { Block, BlockKind, ReadSection } from './reading.ts'
import { longestPart } from './lines.ts'
import { sectionCharacters } from './reading.ts'

export interface MarkedLine {
  text: string
  number: number
  /** Null: a blank line. */
  block: BlockKind | null
  /** The first line of its block. */
  begins: boolean
}

const blank = /[\s\u0000-\u001f\u007f\u200b-\u200f\ufeff]/

/** From the end: a pattern for blanks at the end looks at each run of blanks from each of its characters. */
function withoutBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && blank.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Gathers lines into one section; blank lines at its edges are left out, so that its place is where its words are. */
export class LineSection {
  private lines: MarkedLine[] = []
  private size = 0

  get characters(): number {
    return this.size
  }

  get last(): MarkedLine | undefined {
    return this.lines.at(-1)
  }

  add(line: MarkedLine): void {
    this.lines.push(line)
    this.size += line.text.length + 1
  }

  /** Takes the last lines off again while they belong to the open paragraph. */
  takeParagraph(): MarkedLine[] {
    let from = this.lines.length
    while (from > 0 && this.lines[from - 1]?.block === 'paragraph') {
      from -= 1
      if (this.lines[from]?.begins === true) break
    }
    const taken = this.lines.splice(from)
    for (const line of taken) this.size -= line.text.length + 1
    return taken
  }

  /** Whether a next line should begin a new section: long, and at a good place or far too long. */
  isFull(atGoodPlace: boolean): boolean {
    return this.size >= 2 * sectionCharacters || (this.size >= sectionCharacters && atGoodPlace) || this.size > 2 * longestPart
  }

  /** The section so far, or null when nothing but blank lines came. Empties itself. */
  take(heading: string[]): ReadSection | null {
    let { lines } = this
    this.lines = []
    this.size = 0
    let from = 0
    let to = lines.length
    while (from < to && withoutBlankEnd(lines[from]!.text) === '') from += 1
    while (to > from && withoutBlankEnd(lines[to - 1]!.text) === '') to -= 1
    if (from === to) return null
    lines = lines.slice(from, to)

    // Blanks at the very end say nothing, and would be a token of their own.
    lines[lines.length - 1] = { ...lines.at(-1)!, text: withoutBlankEnd(lines.at(-1)!.text) }
    const starts: number[] = []
    const blocks: Block[] = []
    const texts: string[] = []
    const first = lines[0]!.number
    let offset = 0
    let open: Block | null = null
    for (const line of lines) {
      // Parts of one long line are joined without a break: they are one line.
      const continues = texts.length > 0 && line.number === first + starts.length - 1
      if (texts.length > 0 && !continues) offset += 1
      texts.push(texts.length > 0 && !continues ? `\n${line.text}` : line.text)
      if (!continues) starts.push(offset)
      const end = offset + line.text.length
      if (line.block === null) open = null
      else if (open === null || (line.begins && !continues) || open.kind !== line.block) {
        open = { kind: line.block, start: offset, end }
        blocks.push(open)
      } else open.end = end
      offset = end
    }
    const to1 = lines.at(-1)!.number
    const place = { kind: 'lines' as const, from: first, to: to1, ...(heading.length === 0 ? {} : { heading }) }
    return { text: texts.join(''), place, heading, blocks, positions: { kind: 'lines', first, starts } }
  }
}
