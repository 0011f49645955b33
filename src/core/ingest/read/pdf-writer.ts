import type { PageText } from './pdf-paragraphs.ts'
import { jointOf } from './pdf-run-on.ts'
import { pageRectangle, type Turn } from './pdf-segments.ts'
import type { Block, BlockKind, PageLine } from './reading.ts'

export interface PageSize {
  number: number
  width: number
  height: number
}

export interface WrittenLine {
  text: string
  x0: number
  x1: number
  y: number
  size: number
}

/** Writes a page's text line by line and keeps where each stands. */
export interface PageWriter {
  result(): Pick<PageText, 'text' | 'blocks' | 'lines' | 'headings'>
  /** Characters so far. */
  offset(): number
  turn(turn: Turn): void
  /** Begins a block, parted from what is before by `separator`. */
  begin(kind: BlockKind, separator: '\n' | '\n\n', size?: number): void
  write(text: string): void
  line(line: WrittenLine): void
  /** The line runs on from the one before: hyphens of a broken word go, Latin words get a space, full-width text none. */
  lineRunningOn(line: WrittenLine): void
}

/** `words` that stand whole on the page: those with hyphens in lower case, whose hyphen stays, and those with capitals inside. */
export function createPageWriter(page: PageSize, words: ReadonlySet<string>): PageWriter {
  const parts: string[] = []
  const blocks: Block[] = []
  const lines: PageLine[] = []
  const headings: { block: Block; size: number }[] = []
  let length = 0
  let turn: Turn = 'right'

  function write(text: string): void {
    if (text === '') return
    parts.push(text)
    length += text.length
    const block = blocks.at(-1)
    if (block !== undefined) block.end = length
  }

  function line(line: WrittenLine): void {
    const start = length
    write(line.text)
    const [above, below] = turn === 'columns' ? [0.5, 0.5] : [0.86, 0.24]
    const rectangle = pageRectangle(turn, line.x0, line.y - line.size * above, line.x1, line.y + line.size * below)
    const x = clamp(rectangle.x / page.width)
    const y = clamp(rectangle.y / page.height)
    const width = clamp((rectangle.x + rectangle.width) / page.width) - x
    const height = clamp((rectangle.y + rectangle.height) / page.height) - y
    lines.push({ start, end: length, box: { page: page.number, x, y, width, height } })
  }

  return {
    result() {
      const text = parts.join('')
      const heads = headings.map(({ block, size }) => ({ offset: block.start, text: text.slice(block.start, block.end), size }))
      return { text, blocks, lines, headings: heads }
    },
    offset: () => length,
    turn: (next) => void (turn = next),
    begin(kind, separator, size) {
      if (length > 0) {
        parts.push(separator)
        length += separator.length
      }
      const block: Block = { kind, start: length, end: length }
      blocks.push(block)
      if (kind === 'heading' && size !== undefined) headings.push({ block, size })
    },
    write,
    line,
    lineRunningOn(next) {
      const before = parts.at(-1) ?? ''
      const { cut, joint } = jointOf(before, next.text, words)
      if (cut > 0) {
        parts[parts.length - 1] = before.slice(0, -cut)
        length -= cut
        const last = lines.at(-1)
        if (last !== undefined) last.end = Math.min(last.end, length)
      }
      write(joint)
      line(next)
    },
  }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
