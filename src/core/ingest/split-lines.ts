import type { LineTokenizer } from './split-tokens.ts'

export interface LinesOptions {
  maxTokens: number
  overlap: number
}

export interface LinePiece {
  text: string
  tokens: number
  /** Offsets in the source text of the first and the last character that the piece took from it, its overlap included. */
  start: number
  end: number
}

interface SourceLine {
  text: string
  start: number
}

/** As Python's `splitlines` and `strip` have it: a byte-order mark is not white space, `\x1c` to `\x1f` and `\x85` are. */
const lineEnd = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g
const leading = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const white = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

function strip(text: string, start: number): SourceLine {
  const skipped = leading.exec(text)?.[0].length ?? 0
  let end = text.length
  while (end > skipped && white.test(text[end - 1]!)) end -= 1
  return { text: text.slice(skipped, end), start: start + skipped }
}

function* sourceLines(text: string): Generator<SourceLine> {
  let from = 0
  for (const match of text.matchAll(lineEnd)) {
    yield strip(text.slice(from, match.index), from)
    from = match.index + match[0].length
  }
  if (from < text.length) yield strip(text.slice(from), from)
}

/** A stretch of a piece and where in the source it came from; a break has no source of its own. */
interface Part {
  text: string
  start: number
}

function textOf(parts: Part[]): string {
  return parts.map((part) => part.text).join('')
}

/** The parts that make up the text from `offset` on. */
function tail(parts: Part[], offset: number): Part[] {
  const kept: Part[] = []
  let at = 0
  for (const part of parts) {
    const from = Math.max(0, offset - at)
    if (from < part.text.length) kept.push({ text: part.text.slice(from), start: part.start + from })
    at += part.text.length
  }
  return kept
}

/** The offset at which the last `count` characters (code points) begin. */
function lastCharacters(text: string, count: number): number {
  let offset = text.length
  for (let taken = 0; taken < count && offset > 0; taken++) {
    const low = text.charCodeAt(offset - 1)
    const high = offset > 1 ? text.charCodeAt(offset - 2) : 0
    offset -= low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? 2 : 1
  }
  return offset
}

/** The line-wise rule of the classic small RAG, to the letter; pure. */
export function splitByLines(text: string, tokenizer: LineTokenizer, options: LinesOptions): LinePiece[] {
  const { maxTokens, overlap } = options
  const budget = Math.max(1, maxTokens - overlap)
  const pieces: LinePiece[] = []
  /** The piece being filled, and the parts of the last one closed. */
  let open: Part[] | null = null
  let count = 0
  let closed: Part[] | null = null

  function emit(parts: Part[]): void {
    const piece = textOf(parts)
    closed = parts
    if (piece.trim() === '') return
    const placed = parts.filter((part) => part.text.trim() !== '')
    pieces.push({
      text: piece,
      tokens: tokenizer.count(piece),
      start: Math.min(...placed.map((part) => part.start)),
      end: Math.max(...placed.map((part) => part.start + part.text.length)),
    })
  }
  function close(): void {
    if (open !== null) emit(open)
    open = null
    count = 0
  }

  for (const line of sourceLines(text)) {
    const tokens = tokenizer.count(line.text)
    if (tokens > maxTokens) {
      close()
      const { ends } = tokenizer.tokens(line.text)
      let from = 0
      let before: Part[] = []
      for (let token = budget; from < line.text.length; token += budget) {
        const to = ends[Math.min(token, ends.length) - 1]!
        if (to <= from) continue
        const parts: Part[] = [...before, { text: line.text.slice(from, to), start: line.start + from }]
        emit(parts)
        const own = tokenizer.tokens(textOf(parts)).ends
        before = overlap === 0 ? [] : tail(parts, own.length > overlap ? own[own.length - overlap - 1]! : 0)
        from = to
      }
    } else if (count + tokens + 1 <= budget) {
      // A piece that is still empty counts the break and does not show it.
      if (open !== null) open.push({ text: '\n', start: line.start }, { text: line.text, start: line.start })
      else if (line.text !== '') open = [{ text: line.text, start: line.start }]
      count += tokens + 1
    } else {
      close()
      // `closed` is set inside `close`, which the compiler does not see.
      const last = closed as Part[] | null
      const carried = last === null || overlap === 0 ? [] : tail(last, lastCharacters(textOf(last), overlap))
      const own = { text: line.text, start: line.start }
      open = carried.length === 0 ? [own] : [...carried, { text: '\n', start: line.start }, own]
      count = tokenizer.count(textOf(carried)) + 1 + tokens
    }
  }
  close()
  return pieces
}
