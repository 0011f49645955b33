import { isUtf8 } from 'node:buffer'
import { candidates, costOfText, makeCosts, wordsGain, type Candidate, type Costs } from './encoding-costs.ts'
import { byteLines, createMixedReader, strangeLines } from './mixed-encodings.ts'
import { isWestern } from './western.ts'

export interface Decoded {
  encoding: string
  /** True when the bytes could as well be another encoding's, or some of them are no text in any. */
  guessed: boolean
  /** Parts of it are UTF-8 and others are not; each is read in its own. */
  mixed: boolean
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
  return { encoding: label, guessed, mixed: false, parts: decodeParts(chunks, new TextDecoder(label)) }
}

function readsStrictly(chunks: Chunks, label: string): boolean {
  try {
    for (const part of decodeParts(chunks, new TextDecoder(label, { fatal: true }))) void part
    return true
  } catch {
    return false
  }
}

const shortText = 256

interface Runner {
  label: Candidate
  decoder: Decoder
  costs: Costs
  cost: number
  /** Bytes that are no character of it. */
  broken: number
  /** The text, while it is short. */
  text: string
}

function addCost(runner: Runner, text: string): void {
  runner.cost += costOfText(text, runner.costs)
  if (runner.text.length < shortText) runner.text += text.slice(0, shortText)
  // Control characters of the upper half are bytes that a Windows code page leaves open.
  runner.broken += countIn(text, runner.label.startsWith('windows') ? /[\u0080-\u009F\uFFFD]/g : /\uFFFD/g)
}

function countIn(text: string, pattern: RegExp): number {
  let count = 0
  while (pattern.test(text)) count += 1
  return count
}

export interface Likeliest {
  encoding: Candidate
  guessed: boolean
  /** Far ahead of all others. */
  isClear: boolean
  broken: number
  /** Mean of a byte, in eighths of a nat. */
  cost: number
}

/** Reads the bytes as every encoding side by side and takes the text that is likeliest to be one. */
export function likeliestEncoding(chunks: Chunks, among: readonly Candidate[] = candidates): Likeliest {
  let runners = among.map((label): Runner => {
    return { label, decoder: new TextDecoder(label), costs: costs[label], cost: -(headStart[label] ?? 0), broken: 0, text: '' }
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
  for (const runner of runners) {
    addCost(runner, runner.decoder.decode())
    runner.cost -= wordsGain(runner.text)
  }
  const [best, second] = runners.sort((one, other) => one.cost - other.cost)
  if (second !== undefined) behind = Math.min(behind, second.cost - best!.cost)
  const { label, broken } = best!
  return {
    encoding: label,
    guessed: broken > 0 || behind < certain,
    isClear: behind >= certain,
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
  const isUtf = isWholeUtf8(chunks)
  if (declared && !/^(?:utf-?8|utf-?16)$/i.test(declared) && readsStrictly(chunks, declared)) {
    const known = candidates.find((candidate) => candidate === new TextDecoder(declared).encoding)
    // What is UTF-8 from end to end by chance is a few characters at most.
    if (isUtf && has(chunks, isHigh) && (known === undefined || likeliestEncoding(chunks, ['utf-8', known]).encoding === 'utf-8'))
      return decodeAs(chunks, 'utf-8')
    return (isUtf || known === undefined ? null : decodeMixed(chunks, known, false)) ?? decodeAs(chunks, declared)
  }
  if (isUtf) return decodeUtf8(chunks)
  const { encoding, guessed } = likeliestEncoding(chunks)
  const mixed = isWide(encoding) ? null : decodeMixed(chunks, null, encoding === 'utf-8')
  return mixed ?? decodeAs(chunks, encoding, guessed || (encoding === 'windows-1252' && !isWestern(westernSample(chunks))))
}

const sampleCharacters = 1 << 18

/** The first lines that have more than ASCII. */
function westernSample(chunks: Chunks): string {
  let text = ''
  const decoder = new TextDecoder('windows-1252')
  for (const line of strangeLines(chunks).lines()) {
    text += decoder.decode(line)
    if (text.length > sampleCharacters) break
  }
  return text
}

function isWide(encoding: Candidate): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be'
}

function has(chunks: Chunks, isWanted: (byte: number) => boolean): boolean {
  for (const chunk of chunks()) if (chunk.some(isWanted)) return true
  return false
}

const isHigh = (byte: number): boolean => byte >= 0x80
const isOfLongCharacter = (byte: number): boolean => byte >= 0xe0
const isControl = (byte: number): boolean => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)

/** So short a text may be UTF-8 by chance. */
const fewBytes = 64

function decodeUtf8(chunks: Chunks): Decoded {
  let bytes = 0
  for (const chunk of chunks()) bytes += chunk.length
  if (bytes > fewBytes || !has(chunks, (byte) => isHigh(byte) || isControl(byte))) return decodeAs(chunks, 'utf-8')
  // Chinese in UTF-8 takes three bytes a character; of two, other encodings make some as well.
  const others = has(chunks, isOfLongCharacter) ? [] : candidates.filter((each) => each !== 'utf-8' && !isWide(each))
  const { encoding, guessed } = likeliestEncoding(chunks, [
    'utf-8',
    ...others,
    ...(bytes % 2 === 0 ? (['utf-16le', 'utf-16be'] as const) : []),
  ])
  return encoding === 'utf-8' ? decodeAs(chunks, 'utf-8') : decodeAs(chunks, encoding, guessed)
}

/**
 * Not UTF-8 as a whole, but some of it is: what is not says what else there is. Null when nothing is mixed, or when it is
 * rather UTF-8 with a few broken bytes.
 */
function decodeMixed(chunks: Chunks, known: Candidate | null, isMostlyUtf8: boolean): Decoded | null {
  const strange = strangeLines(chunks)
  if (!strange.hasUtf8) return null
  // Cut out of its lines, a character at an edge may be broken: that says nothing against it.
  const { encoding, isClear } =
    known === null
      ? likeliestEncoding(
          strange.lines,
          candidates.filter((each) => !isWide(each)),
        )
      : { encoding: known, isClear: true }
  if (encoding === 'utf-8' || encoding === 'utf-16le' || encoding === 'utf-16be') return null
  const reader = createMixedReader(encoding, costs)
  let isMixed = false
  let isBroken = false
  for (const line of byteLines(chunks())) {
    const { text, usedUtf8 } = reader.read(line)
    isMixed ||= usedUtf8
    isBroken ||= text.includes('\uFFFD')
  }
  if (!isMixed) return null
  function* parts(): Generator<string> {
    for (const line of byteLines(chunks())) yield reader.read(line).text
  }
  const isUnsure = !isClear || isBroken || (encoding === 'windows-1252' && known === null && !isWestern(westernSample(chunks)))
  return isUnsure && isMostlyUtf8 ? null : { encoding, guessed: isUnsure, mixed: true, parts: parts() }
}

/** A text of two bytes a character that has no mark, by its first bytes. Random bytes are none. */
export function looksWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  if (whole.length < 4) return null
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
