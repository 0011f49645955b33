import { isUtf8 } from 'node:buffer'
import { costOfText, type Candidate, type Costs } from './encoding-costs.ts'

/** Encodings whose characters hold no byte below `0x30` but the first: a line break is one in each. */
export type Lined = Exclude<Candidate, 'utf-8' | 'utf-16le' | 'utf-16be'>

type Chunks = () => Iterable<Uint8Array>

const longestLine = 1 << 16
const mostWithoutBorder = 1 << 20
/** What UTF-8 must be better by to be taken for a line, in eighths of a nat. */
const lineMargin = 40
/** Two bytes of UTF-8 are easily a character of two bytes. */
const unsureMargin = 120
const switchCost = 60
const brokenCost = 250

function hasHighByte(line: Uint8Array): boolean {
  for (const byte of line) if (byte >= 0x80) return true
  return false
}

/** Lines with their ends; longer ones in parts, cut where no character of any of these encodings is cut. */
export function* byteLines(chunks: Iterable<Uint8Array>): Generator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    const data = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk])
    let from = 0
    for (;;) {
      const end = data.indexOf(10, from)
      const to = end === -1 ? data.length : end + 1
      while (to - from > longestLine) {
        const cut = borderBefore(data, from, from + longestLine)
        if (cut === null && to - from < mostWithoutBorder) break
        const at = cut ?? from + mostWithoutBorder
        if (at >= to) break
        yield data.subarray(from, at)
        from = at
      }
      if (end === -1) break
      yield data.subarray(from, to)
      from = to
    }
    rest = data.subarray(from)
  }
  if (rest.length > 0) yield rest
}

function borderBefore(data: Buffer, from: number, before: number): number | null {
  for (let at = before; at > from; at -= 1) if (data[at - 1]! < 0x30) return at
  return null
}

/** What is in lines that are no UTF-8 and is none itself, and whether anything else looks as if it were. */
export function strangeLines(chunks: Chunks): { lines: () => Iterable<Uint8Array>; hasUtf8: boolean } {
  let hasUtf8 = false
  for (const line of byteLines(chunks())) {
    if (hasHighByte(line) && (isUtf8(line) || holdsUtf8(line))) {
      hasUtf8 = true
      break
    }
  }
  function* lines(): Iterable<Uint8Array> {
    for (const line of byteLines(chunks())) if (!isUtf8(line)) yield* holdsUtf8(line) ? withoutUtf8(line) : [line]
  }
  return { lines, hasUtf8 }
}

/** Bytes of the character of UTF-8 that begins there; 0: none does. */
function utf8Length(line: Uint8Array, at: number): number {
  const first = line[at]!
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  return length > 0 && at + length <= line.length && (length === 1 || isUtf8(line.subarray(at, at + length))) ? length : 0
}

/** Two characters of three bytes in a row, which other encodings rarely make by chance. */
function holdsUtf8(line: Uint8Array): boolean {
  for (let at = 0; at + 6 <= line.length; at += 1) {
    if (line[at]! < 0xe0 || line[at]! >= 0xf0 || line[at + 3]! < 0xe0 || line[at + 3]! >= 0xf0) continue
    if (utf8Length(line, at) === 3 && utf8Length(line, at + 3) === 3) return true
  }
  return false
}

/** The stretches between runs of at least two characters of three bytes. */
function* withoutUtf8(line: Uint8Array): Generator<Uint8Array> {
  let from = 0
  for (let at = 0; at < line.length;) {
    let end = at
    while (end < line.length && line[end]! >= 0xe0 && utf8Length(line, end) === 3) end += 3
    if (end - at < 6) {
      at += 1
      continue
    }
    if (at > from) yield line.subarray(from, at)
    from = end
    at = end
  }
  if (from < line.length) yield line.subarray(from)
}

/** Bytes of the character that begins there, whether or not it is one. */
function lengthIn(encoding: Lined, first: number, second: number | undefined): number {
  if (first < 0x80 || second === undefined || encoding.startsWith('windows')) return 1
  switch (encoding) {
    case 'gb18030':
      return first === 0x80 || first === 0xff || second < 0x30 || second === 0x7f ? 1 : second < 0x3a ? 4 : second < 0x40 ? 1 : 2
    case 'big5':
    case 'euc-kr':
      return first === 0x80 || first === 0xff || second < 0x40 ? 1 : 2
    case 'shift_jis':
      return (first >= 0xa0 && first < 0xe0) || first > 0xfc || second < 0x40 ? 1 : 2
    default:
      return second < 0xa1 ? 1 : first === 0x8f ? 3 : 2
  }
}

export interface MixedReader {
  /** The text of a line, and whether any of it was UTF-8 beyond ASCII. */
  read(line: Uint8Array): { text: string; usedUtf8: boolean }
}

/** Reads lines that are in UTF-8, in another encoding, or in both, each part in its own. */
export function createMixedReader(encoding: Lined, costs: Record<Candidate, Costs>): MixedReader {
  const other = new TextDecoder(encoding)
  const utf8 = new TextDecoder()
  const otherCosts = costs[encoding]
  const utf8Costs = costs['utf-8']
  const costsByBytes = new Map<number, number>()

  function otherCost(line: Uint8Array, at: number, length: number): number {
    let key = 0
    for (let index = at; index < at + length; index += 1) key = key * 256 + (line[index] ?? 0)
    const known = costsByBytes.get(key)
    if (known !== undefined) return known
    const text = other.decode(line.subarray(at, at + length))
    const cost = text.includes('\uFFFD') ? brokenCost : costOfText(text, otherCosts)
    costsByBytes.set(key, cost)
    return cost
  }

  function readWhole(line: Uint8Array): { text: string; usedUtf8: boolean } {
    const asUtf8 = utf8.decode(line)
    const asOther = other.decode(line)
    const isSure = encoding.startsWith('windows') || line.some((byte) => byte >= 0xe0 && byte < 0xf5)
    const margin = isSure ? lineMargin : unsureMargin
    const usedUtf8 = costOfText(asUtf8, utf8Costs) + margin < costOfText(asOther, otherCosts)
    return { text: usedUtf8 ? asUtf8 : asOther, usedUtf8 }
  }

  /** The likeliest way through the line, character by character in one encoding or the other. */
  function readParts(line: Uint8Array): { text: string; usedUtf8: boolean } {
    const size = line.length
    const cost = [new Float64Array(size + 5).fill(Infinity), new Float64Array(size + 5).fill(Infinity)] as const
    const length = [new Uint8Array(size + 5), new Uint8Array(size + 5)] as const
    const before = [new Uint8Array(size + 5), new Uint8Array(size + 5)] as const
    cost[0][0] = 0
    cost[1][0] = 0
    function step(state: 0 | 1, at: number, bytes: number, price: number): void {
      const other = state === 0 ? 1 : 0
      const stays = cost[state][at]! <= cost[other][at]! + switchCost
      const total = (stays ? cost[state][at]! : cost[other][at]! + switchCost) + price
      if (total >= cost[state][at + bytes]!) return
      cost[state][at + bytes] = total
      length[state][at + bytes] = bytes
      before[state][at + bytes] = stays ? state : other
    }
    for (let at = 0; at < size; at += 1) {
      if (cost[0][at] === Infinity && cost[1][at] === Infinity) continue
      const own = utf8Length(line, at)
      if (own > 0) step(0, at, own, costOfText(utf8.decode(line.subarray(at, at + own)), utf8Costs))
      const bytes = Math.min(lengthIn(encoding, line[at]!, line[at + 1]), size - at)
      step(1, at, bytes, otherCost(line, at, bytes))
    }
    const pieces: string[] = []
    let usedUtf8 = false
    let state: 0 | 1 = cost[0][size]! < cost[1][size]! ? 0 : 1
    let end = size
    for (let at = size; at > 0;) {
      const from = at - length[state][at]!
      const next = before[state][at] === 0 ? 0 : 1
      if (next !== state || from === 0) {
        const piece = line.subarray(from, end)
        pieces.push((state === 0 ? utf8 : other).decode(piece))
        usedUtf8 ||= state === 0 && hasHighByte(piece)
        end = from
      }
      at = from
      state = next
    }
    return { text: pieces.reverse().join(''), usedUtf8 }
  }

  return {
    read(line) {
      if (!hasHighByte(line)) return { text: utf8.decode(line), usedUtf8: false }
      if (isUtf8(line)) return readWhole(line)
      return holdsUtf8(line) ? readParts(line) : { text: other.decode(line), usedUtf8: false }
    },
  }
}
