/** The compiled vocabulary of a Unigram tokenizer: `tokenizer.bin`, made from `tokenizer.json` by scripts/build-tokenizer.mjs. */

export const vocabularyMagic = 0x4b544b53
export const vocabularyVersion = 1
/** Int32 fields before the tables: magic, version, bytes of the JSON head, cells, pieces, characters beyond the basic plane. */
export const headerLength = 6
/** In a cell's second word: the low 18 bits are the piece that ends there, the high 14 the character that leads to it. */
export const idBits = 18
export const noPiece = (1 << idBits) - 1

export interface VocabularyHead {
  unknownId: number
  /** In characters (code points). */
  longestPiece: number
  /** Matched in the raw text, before anything else. */
  added: { content: string; id: number }[]
}

/**
 * A double-array trie over dense character numbers: the child of a node with base `b` over character `c` is cell `b + c`,
 * and it is that node's child exactly when the cell carries `c` (no two nodes share a base).
 */
export interface Vocabulary extends VocabularyHead {
  /** Two words a cell: base of its children (-1: none), then character and piece. Padded, so that any base plus character is inside. */
  cells: Int32Array
  /** Log probability by piece; the unknown piece has ten less than the least likely. */
  scores: Float64Array
  unknownScore: number
  /** Dense number of a character; 0: in no piece. */
  basicCharacters: Uint16Array
  otherCharacters: Map<number, number>
}

export function parseVocabulary(bytes: Uint8Array): Vocabulary {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const { buffer, byteOffset, byteLength } = aligned
  if (byteLength < headerLength * 4) throw new Error('the tokenizer file is cut short')
  const header = new Int32Array(buffer, byteOffset, headerLength)
  const [magic, version, headBytes, cellCount, pieceCount, otherCount] = header as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (magic !== vocabularyMagic || version !== vocabularyVersion) throw new Error('the tokenizer file is of another kind')
  const headStart = byteOffset + headerLength * 4
  const basicStart = headStart + headBytes
  const otherStart = basicStart + 65_536 * 2
  const cellStart = otherStart + otherCount * 8
  const scoreStart = cellStart + cellCount * 8
  if (scoreStart + pieceCount * 4 !== byteOffset + byteLength) throw new Error('the tokenizer file is cut short')
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, headStart, headBytes))) as VocabularyHead
  const others = new Int32Array(buffer, otherStart, otherCount * 2)
  const otherCharacters = new Map<number, number>()
  for (let index = 0; index < others.length; index += 2) otherCharacters.set(others[index]!, others[index + 1]!)
  const scores = Float64Array.from(new Float32Array(buffer, scoreStart, pieceCount))
  let least = Infinity
  for (const score of scores) if (score < least) least = score
  const unknownScore = least - 10
  scores[head.unknownId] = unknownScore
  return {
    ...head,
    cells: new Int32Array(buffer, cellStart, cellCount * 2),
    scores,
    unknownScore,
    basicCharacters: new Uint16Array(buffer, basicStart, 65_536),
    otherCharacters,
  }
}
