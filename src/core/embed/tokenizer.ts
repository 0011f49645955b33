import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import { checksumsOf, modelFolder } from './model-files.ts'
import { createNormalize, type Points } from './normalize.ts'
import { append, createSegment, createSegmented } from './segment.ts'
import { parseVocabulary } from './vocabulary.ts'

export const modelWindow = 512
export const passagePrefix = 'passage: '
export const questionPrefix = 'query: '
/** Before and after every text. */
export const beginId = 0
export const endId = 2
export const paddingId = 1

/** Arrays that a huge text made grow beyond this are let go at the next. */
const largestKept = 1 << 20

/** The bundled model's own tokenizer. Its ids are those of the Hugging Face tokenizer of the same file. */
export interface Tokenizer {
  /** Without prefix and special tokens. The array is the caller's. */
  encode(text: string): Int32Array
  count(text: string): number
  /** `starts`: where each token's text begins, in UTF-16 units; they never decrease. A token that begins with a space starts there. */
  encodeWithOffsets(text: string): { ids: Int32Array; starts: Int32Array }
  /** Tokens that a passage may have, so that it fits the model's window with its prefix and special tokens. */
  readonly passageBudget: number
  readonly passagePrefixIds: Int32Array
  readonly questionPrefixIds: Int32Array
  /** Names the file, so that text split with another one is split again. */
  readonly key: string
}

/** Rejects when the file is missing or not what it was when it was made. About 15 MB and 30 ms; keep one. */
export async function loadTokenizer(resourcesDir: string): Promise<Tokenizer> {
  const folder = modelFolder(resourcesDir)
  try {
    const [bytes, checksums] = await Promise.all([readFile(join(folder, 'tokenizer.bin')), checksumsOf(folder)])
    const checksum = createHash('sha256').update(bytes).digest('hex')
    if (checksum !== checksums.get('tokenizer.bin')) throw new SikuError('embedding', 'The tokenizer of the bundled model is damaged.')
    return createTokenizer(bytes, checksum.slice(0, 8))
  } catch (error) {
    const { message } = toSikuError(error)
    throw new SikuError('embedding', `The bundled model cannot be used: ${message}`, { hint: 'Install Siku again.', cause: error })
  }
}

/** The key of the bundled tokenizer, without loading it. */
export async function tokenizerKey(resourcesDir: string): Promise<string> {
  const checksum = (await checksumsOf(modelFolder(resourcesDir))).get('tokenizer.bin')
  if (checksum === undefined)
    throw new SikuError('embedding', 'The tokenizer of the bundled model is missing.', { hint: 'Install Siku again.' })
  return checksum.slice(0, 8)
}

export function createTokenizer(bytes: Uint8Array, key: string): Tokenizer {
  const vocabulary = parseVocabulary(bytes)
  const normalize = createNormalize(vocabulary)
  const segment = createSegment(vocabulary)
  const addedIds = new Map(vocabulary.added.map(({ content, id }) => [content, id]))
  const escaped = vocabulary.added.map(({ content }) => content.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
  const addedPattern = new RegExp(escaped.join('|'), 'g')
  const addedNumbers = vocabulary.added.map(({ content, id }) => ({
    id,
    numbers: Array.from(content, (character) => vocabulary.basicCharacters[character.codePointAt(0)!]!),
  }))
  let result = createSegmented()

  /** A section that is nothing but a special token after normalisation is that token. */
  function wholeAdded({ numbers, end }: Points): number {
    for (const added of addedNumbers) {
      if (added.numbers.length === end - 1 && added.numbers.every((number, index) => number === numbers[index + 1])) return added.id
    }
    return -1
  }

  function section(text: string, from: number, to: number): void {
    if (from === to) return
    const points = normalize(text, from, to)
    if (points.start === points.end) return
    const before = result.length
    const added = wholeAdded(points)
    if (added !== -1) return append(result, added, from)
    segment(points, result)
    const { origins } = points
    for (let index = before; index < result.length; index++) result.firsts[index] = origins[result.firsts[index]!]!
  }

  function run(text: string): void {
    if (result.ids.length > largestKept) result = createSegmented()
    result.length = 0
    let from = 0
    if (text.includes('<')) {
      for (const match of text.matchAll(addedPattern)) {
        section(text, from, match.index)
        append(result, addedIds.get(match[0])!, match.index)
        from = match.index + match[0].length
      }
    }
    section(text, from, text.length)
  }

  function encode(text: string): Int32Array {
    run(text)
    return result.ids.slice(0, result.length)
  }

  const passagePrefixIds = encode(passagePrefix.trimEnd())
  const questionPrefixIds = encode(questionPrefix.trimEnd())
  return {
    encode,
    count(text) {
      run(text)
      return result.length
    },
    encodeWithOffsets(text) {
      run(text)
      return { ids: result.ids.slice(0, result.length), starts: result.firsts.slice(0, result.length) }
    },
    passageBudget: modelWindow - 2 - passagePrefixIds.length,
    passagePrefixIds,
    questionPrefixIds,
    key,
  }
}
