import { type ReadSection, type Sections } from './reading.ts'
import { LineSection } from './section-builder.ts'
import type { Line } from './lines.ts'

const itemStart = /^\s*(?:[-*+•·‣▪]\s+|\(?\d{1,3}[.)、．]\s*|[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)\S/

/** Prose: paragraphs are parted by blank lines, list items by their marks. */
export async function* readText(lines: Iterable<Line>): Sections {
  yield* readLines(lines, (line, before) => {
    const item = itemStart.test(line.text)
    return {
      block: item ? 'item' : before?.block === 'item' && /^\s/.test(line.text) ? 'item' : 'paragraph',
      begins: item || (before?.block ?? null) === null,
    }
  })
  return { status: 'ready', reason: null, title: null, pages: null }
}

/** Source: a block is what stands between blank lines. */
export async function* readCode(lines: Iterable<Line>): Sections {
  yield* readLines(lines, (_line, before) => ({ block: 'code', begins: (before?.block ?? null) === null }))
  return { status: 'ready', reason: null, title: null, pages: null }
}

type Mark = (
  line: Line,
  before: { block: 'paragraph' | 'item' | 'code' | null } | undefined,
) => { block: 'paragraph' | 'item' | 'code'; begins: boolean }

function* readLines(lines: Iterable<Line>, mark: Mark): Generator<ReadSection> {
  const open = new LineSection()
  let before: { block: 'paragraph' | 'item' | 'code' | null } | undefined
  for (const line of lines) {
    const blank = line.text.trim() === ''
    if (open.isFull(blank)) {
      const section = open.take([])
      if (section !== null) yield section
      before = undefined
    }
    const marked = blank ? { block: null, begins: false } : mark(line, before)
    open.add({ ...line, ...marked })
    before = marked
  }
  const section = open.take([])
  if (section !== null) yield section
}
