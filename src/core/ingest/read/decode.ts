import { isUtf8 } from 'node:buffer'
import { candidates, makeCosts, type Candidate, type Costs } from './encoding-costs.ts'

export interface Decoded {
  encoding: string
  /** True when the bytes could as well be another encoding's, or some of them are no text in any. */
  guessed: boolean
  /** The text in order. Without its byte-order mark; no part ends inside a character. */
  parts: Iterable<string>
}

type Decoder = InstanceType<typeof TextDecoder>
type Chunks = () => Iterable<Uint8Array>

const costs = makeCosts()

/** So many eighths of a nat the others must be behind: a chance of one in a hundred and more that it is the right one. */
const certain = 40
/** One that is so far behind is not looked at any further. */
const hopeless = 4000
/** For Chinese text of a few characters, which other encodings can explain about as well. */
const headStart: Partial<Record<Candidate, number>> = { 'utf-8': 60, gb18030: 24 }

function* decodeParts(chunks: Chunks, decoder: Decoder): Generator<string> {
  for (const chunk of chunks()) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function decodeAs(chunks: Chunks, label: string, guessed = false): Decoded {
  return { encoding: label, guessed, parts: decodeParts(chunks, new TextDecoder(label)) }
}

function readsStrictly(chunks: Chunks, label: string): boolean {
  try {
    for (const part of decodeParts(chunks, new TextDecoder(label, { fatal: true }))) void part
    return true
  } catch {
    return false
  }
}

/** A word of Latin and Cyrillic letters is a Western word with an accent. */
const mixedWord = 60
const loneLetter = 40

function isLatin(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isCyrillic(code: number): boolean {
  return code >= 0x400 && code <= 0x45f
}

/** A Cyrillic letter stands among its own: by itself, or in a Latin word, it is an accent read wrongly. */
function oddNeighbours(before: number, after: number): number {
  if (isLatin(before) || isLatin(after)) return mixedWord
  return isCyrillic(before) || isCyrillic(after) ? 0 : loneLetter
}

interface Runner {
  label: Candidate
  decoder: Decoder
  costs: Costs
  cost: number
  /** Bytes that are no character of it. */
  broken: number
}

function addCost(runner: Runner, text: string): void {
  let sum = 0
  let broken = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    sum += runner.costs[code]!
    if (code === 0xfffd) broken += 1
    else if (isCyrillic(code)) sum += oddNeighbours(text.charCodeAt(index - 1), text.charCodeAt(index + 1))
  }
  runner.cost += sum
  runner.broken += broken
}

export interface Likeliest {
  encoding: Candidate
  guessed: boolean
  broken: number
  /** Mean of a byte, in eighths of a nat. */
  cost: number
}

/** Reads the bytes as every encoding side by side and takes the text that is likeliest to be one. */
export function likeliestEncoding(chunks: Chunks, among: readonly Candidate[] = candidates): Likeliest {
  let runners = among.map((label): Runner => {
    return { label, decoder: new TextDecoder(label), costs: costs[label], cost: -(headStart[label] ?? 0), broken: 0 }
  })
  let bytes = 0
  let behind = hopeless
  for (const chunk of chunks()) {
    bytes += chunk.length
    // In pieces, so that those without hope are out early.
    for (let at = 0; at < chunk.length; at += 1 << 14) {
      const piece = chunk.subarray(at, at + (1 << 14))
      for (const runner of runners) addCost(runner, runner.decoder.decode(piece, { stream: true }))
      if (runners.length === 1) continue
      const best = Math.min(...runners.map(({ cost }) => cost))
      const left = runners.filter(({ cost }) => cost <= best + hopeless)
      if (left.length < runners.length) behind = hopeless
      runners = left
    }
  }
  for (const runner of runners) addCost(runner, runner.decoder.decode())
  const [best, second] = runners.sort((one, other) => one.cost - other.cost)
  if (second !== undefined) behind = Math.min(behind, second.cost - best!.cost)
  const { label, broken } = best!
  return {
    encoding: label,
    guessed: broken > 0 || behind < certain || label === 'windows-1252',
    broken,
    cost: best!.cost / Math.max(1, bytes),
  }
}

/**
 * Byte-order mark, then the encoding a page declares if it reads strictly, then strict UTF-8; what neither says is decided by
 * what a text of each encoding would look like, over the whole file. Never by the system's locale.
 */
export function decode(chunks: Chunks, declared?: string | null): Decoded {
  const first: number[] = []
  for (const chunk of chunks()) {
    first.push(...chunk.subarray(0, 2))
    if (first.length >= 2) break
  }
  if (first[0] === 0xff && first[1] === 0xfe) return decodeAs(chunks, 'utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return decodeAs(chunks, 'utf-16be')
  if (declared && !/^(?:utf-?8|utf-?16)$/i.test(declared) && readsStrictly(chunks, declared)) return decodeAs(chunks, declared)
  if (isWholeUtf8(chunks)) return decodeAs(chunks, 'utf-8')
  const { encoding, guessed } = likeliestEncoding(chunks)
  return decodeAs(chunks, encoding, guessed)
}

/** A text of two bytes a character that has no mark, by its first bytes. Random bytes are none. */
export function looksWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  if (whole.length < 4 || !whole.includes(0)) return null
  const { encoding, broken, cost } = likeliestEncoding(() => [whole])
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return null
  return broken <= 1 && cost < 36 ? encoding : null
}

/** UTF-8 of whole text; with zero bytes it may be wide text of ASCII. */
function isWholeUtf8(chunks: Chunks): boolean {
  const iterator = chunks()[Symbol.iterator]()
  const first = iterator.next()
  if (first.done === true) return true
  if (first.value.includes(0) && looksWide(first.value.subarray(0, 1 << 14)) !== null) return false
  if (iterator.next().done === true) return isUtf8(first.value)
  return readsStrictly(chunks, 'utf-8')
}
