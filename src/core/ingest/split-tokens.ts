/** cl100k_base with js-tiktoken's ranks and pattern. Its own merge loop is quadratic on long runs; this one is not, with the same tokens. */
export interface ByteTokens {
  /** The end of each token as an offset in UTF-16 units; a token that ends inside a character ends where the character does. */
  ends: Int32Array
}

export interface LineTokenizer {
  count(text: string): number
  tokens(text: string): ByteTokens
}

/** Pieces longer than this are merged with a heap. */
const shortBytes = 48

/** The table takes a moment to unpack: keep what this gives. */
export async function loadLineTokenizer(): Promise<LineTokenizer> {
  const module = await import('js-tiktoken/ranks/cl100k_base')
  return createLineTokenizer(module.default)
}

function createLineTokenizer(data: { pat_str: string; bpe_ranks: string }): LineTokenizer {
  const ranks = new Map<string, number>()
  for (const line of data.bpe_ranks.split('\n')) {
    const [, offset, ...tokens] = line.split(' ')
    if (offset === undefined) continue
    tokens.forEach((token, index) => ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(offset) + index))
  }
  const pattern = new RegExp(data.pat_str, 'gu')

  /** Calls `each` with the end of every token, in bytes from the start of `text`. */
  function scan(text: string, each: (end: number) => void): void {
    let base = 0
    for (const match of text.matchAll(pattern)) {
      const bytes = Buffer.from(match[0], 'utf8').toString('latin1')
      if (ranks.has(bytes)) each(base + bytes.length)
      else if (bytes.length <= shortBytes) mergeShort(bytes, ranks, (end) => each(base + end))
      else mergeLong(bytes, ranks, (end) => each(base + end))
      base += bytes.length
    }
  }

  return {
    count(text) {
      let count = 0
      scan(text, () => (count += 1))
      return count
    },
    tokens(text) {
      const byteEnds: number[] = []
      scan(text, (end) => byteEnds.push(end))
      const ends = new Int32Array(byteEnds.length)
      let bytes = 0
      let units = 0
      for (let token = 0; token < byteEnds.length; token++) {
        while (bytes < byteEnds[token]!) {
          const code = text.codePointAt(units)!
          bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
          units += code > 0xffff ? 2 : 1
        }
        ends[token] = units
      }
      return { ends }
    },
  }
}

type Ranks = ReadonlyMap<string, number>

function mergeShort(bytes: string, ranks: Ranks, each: (end: number) => void): void {
  const starts: number[] = []
  for (let index = 0; index <= bytes.length; index++) starts.push(index)
  for (;;) {
    let best = Infinity
    let at = -1
    for (let index = 0; index + 2 < starts.length; index++) {
      const rank = ranks.get(bytes.slice(starts[index], starts[index + 2]))
      if (rank !== undefined && rank < best) {
        best = rank
        at = index
      }
    }
    if (at < 0) break
    starts.splice(at + 1, 1)
  }
  for (let index = 1; index < starts.length; index++) each(starts[index]!)
}

/** The same merges in the same order (lowest rank, then leftmost), by a heap over a linked list. */
function mergeLong(bytes: string, ranks: Ranks, each: (end: number) => void): void {
  const length = bytes.length
  const next = new Int32Array(length + 1)
  const before = new Int32Array(length + 1)
  const version = new Int32Array(length + 1)
  for (let index = 0; index <= length; index++) {
    next[index] = index + 1
    before[index] = index - 1
  }
  const heap: { rank: number; at: number; version: number }[] = []
  const less = (a: number, b: number): boolean => {
    const left = heap[a]!
    const right = heap[b]!
    return left.rank < right.rank || (left.rank === right.rank && left.at < right.at)
  }
  const swap = (a: number, b: number): void => {
    const held = heap[a]!
    heap[a] = heap[b]!
    heap[b] = held
  }
  function push(at: number): void {
    const middle = next[at]!
    if (at < 0 || middle >= length) return
    version[at] = version[at]! + 1
    const rank = ranks.get(bytes.slice(at, next[middle]))
    if (rank === undefined) return
    heap.push({ rank, at, version: version[at]! })
    let child = heap.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!less(child, parent)) break
      swap(child, parent)
      child = parent
    }
  }
  function pop(): { rank: number; at: number; version: number } | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined || heap.length === 0) return top
    heap[0] = last
    let parent = 0
    for (;;) {
      let child = parent * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && less(child + 1, child)) child += 1
      if (!less(child, parent)) break
      swap(child, parent)
      parent = child
    }
    return top
  }
  for (let index = 0; index < length - 1; index++) push(index)
  for (let top = pop(); top !== undefined; top = pop()) {
    if (version[top.at] !== top.version) continue
    const middle = next[top.at]!
    const after = next[middle]!
    next[top.at] = after
    if (after <= length) before[after] = top.at
    version[middle] = -1
    version[top.at] = version[top.at]! + 1
    if (after < length) push(top.at)
    if (before[top.at]! >= 0) {
      const previous = before[top.at]!
      version[previous] = version[previous]! + 1
      push(previous)
    }
  }
  for (let index = 0; index < length; index = next[index]!) each(next[index]!)
}
