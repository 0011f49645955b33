import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import type Iconv from 'iconv-lite'

export interface Decoded {
  encoding: string
  /** True when nothing read it strictly and windows-1252 is only a guess. */
  guessed: boolean
  /** The text in order. Without its byte-order mark; no part ends inside a character. */
  parts: Iterable<string>
}

type Chunks = () => Iterable<Uint8Array>

interface Strict {
  decode(chunk?: Uint8Array, options?: { stream: boolean }): string
}

/** A decoder that throws at the first sequence its encoding does not have; null when this encoding is not known here. */
function strictDecoder(label: string): Strict | null {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    if (label !== 'gb18030') return null
    // Only where the runtime was built without this encoding.
    const iconv = createRequire(import.meta.url)('iconv-lite') as typeof Iconv
    const decoder = iconv.getDecoder('gb18030')
    return {
      decode(chunk, options) {
        const text =
          (chunk === undefined ? '' : decoder.write(Buffer.from(chunk))) + (options?.stream === true ? '' : (decoder.end() ?? ''))
        if (text.includes('\uFFFD')) throw new TypeError('not gb18030')
        return text
      },
    }
  }
}

function* decodeParts(chunks: Chunks, decoder: Strict): Generator<string> {
  for (const chunk of chunks()) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

function readsStrictly(chunks: Chunks, label: string): boolean {
  const decoder = strictDecoder(label)
  if (decoder === null) return false
  try {
    for (const part of decodeParts(chunks, decoder)) void part
    return true
  } catch {
    return false
  }
}

/** Bytes of a Latin text with single accents (`na\xEFve`) read as GB18030 too: a letter before, a letter after, and never two high bytes in a row. */
function looksLatin(chunks: Chunks): boolean {
  let before = 0
  let beforeThat = 0
  for (const chunk of chunks()) {
    for (const byte of chunk) {
      if (before >= 0x80 && (byte >= 0x80 || !isLetter(byte) || !isLetter(beforeThat))) return false
      beforeThat = before
      before = byte
    }
  }
  return true
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

function decodeAs(chunks: Chunks, label: string, guessed = false): Decoded {
  const decoder = guessed || label.startsWith('utf-16') ? new TextDecoder(label) : (strictDecoder(label) ?? new TextDecoder(label))
  return { encoding: label, guessed, parts: decodeParts(chunks, decoder) }
}

/**
 * Byte-order mark, then the encoding a page declares if it reads strictly, then strict UTF-8, then strict GB18030, each over
 * the whole file; what neither reads is shown as windows-1252 and said to be a guess.
 */
export function decode(chunks: Chunks, declared?: string | null): Decoded {
  const first: number[] = []
  for (const chunk of chunks()) {
    first.push(...chunk.subarray(0, 2))
    if (first.length >= 2) break
  }
  if (first[0] === 0xff && first[1] === 0xfe) return decodeAs(chunks, 'utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return decodeAs(chunks, 'utf-16be')
  if (declared && !/^utf-?8$/i.test(declared) && readsStrictly(chunks, declared)) return decodeAs(chunks, declared)
  if (isWholeUtf8(chunks)) return decodeAs(chunks, 'utf-8')
  if (!looksLatin(chunks) && readsStrictly(chunks, 'gb18030')) return decodeAs(chunks, 'gb18030')
  return decodeAs(chunks, 'windows-1252', true)
}

function isWholeUtf8(chunks: Chunks): boolean {
  const iterator = chunks()[Symbol.iterator]()
  const first = iterator.next()
  if (first.done === true) return true
  if (iterator.next().done === true) return isUtf8(first.value)
  return readsStrictly(chunks, 'utf-8')
}
