/** What the splitter asks of the embedding model's tokenizer. Ids are without special tokens. */
export interface SplitTokenizer {
  encode(text: string): Int32Array
  encodeWithOffsets(text: string): { ids: Int32Array; starts: Int32Array }
}

/** A text tokenised once: counts and ids of any stretch come from the same ids. */
export interface TokenisedText {
  readonly text: string
  readonly total: number
  /** Close to the exact count; off by one or two where a stretch begins or ends inside a word. */
  count(start: number, end: number): number
  /** Exactly the ids of the stretch by itself. Only what a cut inside a word touches is tokenised again. */
  ids(start: number, end: number): Int32Array
  /** The offset at which the token that stands `tokens` after the one at `start` begins. */
  offsetAfter(start: number, tokens: number): number
}

/** White space as the tokenizer sees it: words on its two sides never share a token. */
const space = /[\t\n\r\f \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]/

/** Sections one after the other, each after its joint. */
export function tokeniseSections(texts: readonly string[], joints: readonly string[], tokenizer: SplitTokenizer): TokenisedText {
  const runs: string[] = []
  // A word that goes on in the next section has tokens only as a whole.
  texts.forEach((text, index) => {
    if (index > 0 && joints[index] === '') runs[runs.length - 1] += text
    else runs.push(index === 0 ? text : joints[index]! + text)
  })
  const parts = runs.map((run) => tokenizer.encodeWithOffsets(run))
  if (parts.length === 1) return tokenised(runs[0]!, parts[0]!.ids, parts[0]!.starts, tokenizer)
  const total = parts.reduce((sum, part) => sum + part.ids.length, 0)
  const ids = new Int32Array(total)
  const starts = new Int32Array(total)
  let at = 0
  let offset = 0
  parts.forEach((part, index) => {
    ids.set(part.ids, at)
    starts.set(
      part.starts.map((start) => start + offset),
      at,
    )
    at += part.ids.length
    offset += runs[index]!.length
  })
  return tokenised(runs.join(''), ids, starts, tokenizer)
}

function tokenised(text: string, ids: Int32Array, starts: Int32Array, tokenizer: SplitTokenizer): TokenisedText {
  const spaceAt = (at: number): boolean => at < 0 || at >= text.length || space.test(text[at]!)

  /** The first token that begins at or behind `at`. */
  function indexOf(at: number): number {
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! < at) low = middle + 1
      else high = middle
    }
    return low
  }
  /** A word's first token may begin with the space before it. */
  function wordIndex(at: number): number {
    let from = at
    while (from > 0 && spaceAt(from - 1)) from -= 1
    return indexOf(from)
  }
  const isBorder = (at: number): boolean => spaceAt(at - 1) || spaceAt(at)

  return {
    text,
    total: ids.length,
    count: (start, end) =>
      Math.max(0, (isBorder(end) ? wordIndex(end) : indexOf(end)) - (isBorder(start) ? wordIndex(start) : indexOf(start))),
    offsetAfter(start, tokens) {
      const index = wordIndex(start) + tokens
      return index >= starts.length ? text.length : starts[index]!
    },
    ids(start, end) {
      let from = start
      let to = end
      let head: Int32Array | null = null
      let last: Int32Array | null = null
      if (!isBorder(start)) {
        while (from < end && !spaceAt(from)) from += 1
        head = tokenizer.encode(text.slice(start, from))
      }
      if (!isBorder(end) && from < end) {
        while (to > from && !spaceAt(to - 1)) to -= 1
        last = tokenizer.encode(text.slice(to, end))
      }
      const middle = from < to ? ids.subarray(wordIndex(from), wordIndex(to)) : ids.subarray(0, 0)
      if (head === null && last === null) return middle.slice()
      const all = new Int32Array((head?.length ?? 0) + middle.length + (last?.length ?? 0))
      if (head !== null) all.set(head)
      all.set(middle, head?.length ?? 0)
      if (last !== null) all.set(last, all.length - last.length)
      return all
    },
  }
}
