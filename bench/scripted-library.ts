import type { Embedder } from '../src/core/embed/embed.ts'
import type { ScratchDocument } from '../test/fakes/scratch-library.ts'

export const dimensions = 384
const clusters = 400

function generator(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 4294967296
  }
}

const random = generator(1)
const words = Array.from({ length: 40_000 }, (_, index) => {
  let word = ''
  for (let rest = index + 7; rest > 0; rest = Math.floor(rest / 19)) word += 'bcdfghjklmnpqrstvwz'[rest % 19]! + 'aeiou'[(rest >> 3) % 5]!
  return index % 7 === 0 ? `${word}s` : word
})
const characters = Array.from({ length: 3000 }, (_, index) => String.fromCharCode(0x4e00 + index * 6))
const middle = Float32Array.from({ length: dimensions }, () => (random() + random() + random() - 1.5) * 1.1)
const centres = Array.from({ length: clusters }, () =>
  Float32Array.from({ length: dimensions }, () => (random() + random() + random() - 1.5) * 0.7),
)

/** Clustered, far from the origin, apart by language: as a model's vectors are, where random ones have no neighbours. */
export function scriptedVector(text: string): Float32Array {
  let hash = 2166136261
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619) >>> 0
  const next = generator(hash)
  const centre = centres[Math.floor(next() * clusters)]!
  const shift = /[\u4e00-\u9fff]/.test(text) ? 0.4 : 0
  const vector = new Float32Array(dimensions)
  for (let index = 0; index < dimensions; index++)
    vector[index] = middle[index]! + centre[index]! + (next() + next() + next() - 1.5) * 0.6 + (index < 40 ? shift : 0)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Passages get scripted vectors at once; a question costs what it costs the real model, and gets a scripted vector too. */
export function scriptedEmbedder(real: Embedder | null): Embedder {
  return {
    open: () => Promise.resolve({ key: 'scripted', dimensions, maxTokens: 512 }),
    embedPassages: (inputs) => Promise.resolve(inputs.map(({ text }) => ({ kind: 'ok', vector: scriptedVector(text) }))),
    async embedQuestion(text, options) {
      await real?.embedQuestion(text, options)
      return scriptedVector(text)
    },
    close: () => Promise.resolve(),
  }
}

function often(count: number, next: () => number): number {
  return Math.min(count - 1, Math.floor(Math.exp(next() * Math.log(count))))
}

/** Three in English for each in Chinese; words as unequally frequent as in real text. */
export function scriptedDocuments(passages: number, perDocument = 10): ScratchDocument[] {
  const next = generator(7)
  const text = (index: number): string => {
    if (index % 4 !== 3)
      return Array.from({ length: 110 }, (_, at) => words[often(words.length, next)]! + (at % 14 === 13 ? '.' : '')).join(' ')
    return Array.from({ length: 220 }, (_, at) => characters[often(characters.length, next)]! + (at % 15 === 14 ? '。' : '')).join('')
  }
  return Array.from({ length: Math.ceil(passages / perDocument) }, (_, document) => ({
    path: `/bench/${document}`,
    passages: Array.from({ length: perDocument }, (_piece, piece) => text(document * perDocument + piece)),
  }))
}

export function scriptedQuestions(count: number): string[] {
  const next = generator(4242)
  return Array.from({ length: count }, (_, index) =>
    index % 4 === 3
      ? `${Array.from({ length: 8 }, () => characters[often(characters.length, next)]).join('')}是什么`
      : `What is the ${Array.from({ length: 5 }, () => words[often(words.length, next)]).join(' ')}?`,
  )
}
