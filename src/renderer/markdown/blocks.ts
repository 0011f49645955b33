/** The top-level blocks of a growing Markdown text. All but the last are finished: more text never changes them. */
export interface Blocks {
  finished: string[]
  /** Where the unfinished block begins. */
  tailStart: number
  /** The text that was split, to see whether the next one continues it. */
  text: string
}

export const noBlocks: Blocks = { finished: [], tailStart: 0, text: '' }

const fence = /^ {0,3}(`{3,}|~{3,})/
const mathFence = /^ {0,3}(\$\$|\\\[)/
const listItem = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/
const continuation = /^(\s{2,}|\t)\S/

function closesMath(line: string, opener: string): boolean {
  return line.trimEnd().endsWith(opener === '$$' ? '$$' : '\\]')
}

/** Ends of the blocks in `text` from `start` on, each just after the line breaks that end it. */
function blockEnds(text: string, start: number): number[] {
  const ends: number[] = []
  let open: { kind: 'fence' | 'math'; mark: string } | null = null
  let inList = false
  let blankSince = -1
  let begun = false
  for (let at = start; at < text.length;) {
    const lineEnd = text.indexOf('\n', at)
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd)
    const complete = lineEnd >= 0
    const blank = line.trim() === ''
    if (open !== null) {
      if (open.kind === 'fence' ? line.trim().startsWith(open.mark) && /^[`~\s]*$/.test(line) : closesMath(line, open.mark)) open = null
    } else if (blank) {
      if (begun && blankSince < 0 && complete) blankSince = at
    } else {
      const item = listItem.test(line)
      if (blankSince >= 0 && begun) {
        // A line that may yet become a list item or an indented one is not judged before it is whole.
        const undecided = !complete && inList && /^\s*([-*+]|\d{1,9}[.)]?)?\s*$/.test(line)
        if (!undecided && !(inList && (item || continuation.test(line)))) {
          ends.push(at)
          inList = false
        }
        blankSince = -1
      }
      begun = true
      if (item) inList = true
      const fenced = fence.exec(line)?.[1]
      const math = mathFence.exec(line)?.[1]
      if (fenced !== undefined) open = { kind: 'fence', mark: fenced }
      else if (math !== undefined && !closesMath(line.slice(line.indexOf(math) + math.length), math)) open = { kind: 'math', mark: math }
    }
    at = complete ? lineEnd + 1 : text.length
  }
  return ends
}

/** Splits on from where the last split stopped when the text has only grown, else from the beginning. */
export function advanceBlocks(before: Blocks, text: string): Blocks {
  const base = text.startsWith(before.text) ? before : noBlocks
  const finished = [...base.finished]
  let from = base.tailStart
  for (const end of blockEnds(text, base.tailStart)) {
    finished.push(text.slice(from, end))
    from = end
  }
  return finished.length === base.finished.length ? { finished: base.finished, tailStart: from, text } : { finished, tailStart: from, text }
}

/** What is shown of the unfinished block: without half a citation marker at its end. */
export function visibleTail(blocks: Blocks): string {
  return blocks.text.slice(blocks.tailStart).replace(/\[\d{0,3}(,\s*\d{0,3})*$/, '')
}
