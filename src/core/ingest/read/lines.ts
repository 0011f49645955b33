/** Longer lines come in parts, so that one line of hundreds of megabytes is never in one string with its copies. */
export const longestPart = 32_768

/** In characters. A whole book fits; what is longer was not written as a line, and the rest of it is left out. */
export const longestLine = 1 << 20

export interface Line {
  text: string
  /** From 1. Parts of one long line share it. */
  number: number
}

/**
 * Lines end with CR, LF or CRLF, wherever the borders of the parts fall. A NUL, which no text has, is shown as a replacement
 * character; a block of them, which a disk leaves where nothing was written any more, is left out, and `onBlock` is told.
 */
export function* linesOf(parts: Iterable<string>, onBlock?: () => void): Generator<Line> {
  let number = 1
  let open = ''
  let pending = false
  let afterReturn = false
  for (const part of parts) {
    let from = 0
    const text = part.includes('\0') ? withoutNulls(part, onBlock) : part
    if (afterReturn && text.charCodeAt(0) === 10) from = 1
    if (text.length > 0) afterReturn = false
    const breaks = /\r\n?|\n/g
    breaks.lastIndex = from
    for (let match = breaks.exec(text); match !== null; match = breaks.exec(text)) {
      yield* partsOfLine(open + text.slice(from, match.index), number)
      open = ''
      number += 1
      from = match.index + match[0].length
      afterReturn = match[0] === '\r' && from === text.length
    }
    open += text.slice(from)
    while (open.length > 2 * longestPart) {
      const cut = safeCut(open, longestPart)
      yield { text: open.slice(0, cut), number }
      open = open.slice(cut)
    }
    pending = open.length > 0
  }
  if (pending) yield* partsOfLine(open, number)
}

const leastBlock = 16

function withoutNulls(part: string, onBlock: (() => void) | undefined): string {
  return part.replace(/\0+/g, (run) => {
    if (run.length < leastBlock) return '\uFFFD'.repeat(run.length)
    onBlock?.()
    return ''
  })
}

function* partsOfLine(text: string, number: number): Generator<Line> {
  let from = 0
  while (text.length - from > longestPart) {
    const cut = safeCut(text, from + longestPart)
    yield { text: text.slice(from, cut), number }
    from = cut
  }
  yield { text: from === 0 ? text : text.slice(from), number }
}

/** At a blank near the end of the part if there is one, never inside a surrogate pair. */
function safeCut(text: string, at: number): number {
  const blank = text.lastIndexOf(' ', at)
  if (blank > at - 200) return blank + 1
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

/** So many times the longest: what follows such a line is not looked for any more. */
const hopeless = 16

/** The lines, with what goes beyond the longest left out; `onCut` is told the first of those. */
export function* cutLines(lines: Iterable<Line>, onCut: (number: number) => void, longest = longestLine): Generator<Line> {
  let number = 0
  let length = 0
  let isAnyCut = false
  for (const line of lines) {
    length = line.number === number ? length + line.text.length : line.text.length
    number = line.number
    if (length > longest * hopeless) return
    if (length <= longest) yield line
    else if (!isAnyCut) {
      isAnyCut = true
      onCut(number)
    }
  }
}
