import type { Embedder } from '../../src/core/embed/embed.ts'

const dimensions = 48
const concepts = new Map<string, number>()
const lexicon = [
  ['lease', 'rent', '租约', '租金'],
  ['river', 'bridge', '河流', '桥'],
  ['engine', 'motor', '发动机'],
  ['painting', 'museum', '绘画', '博物馆'],
  ['medicine', 'patient', '药品', '病人'],
  ['tax', '税'],
  ['volcano', '火山'],
  ['library', '图书馆'],
]
lexicon.forEach((words, concept) => {
  for (const word of words) concepts.set(word, concept)
})

/**
 * Vectors as a real model gives them, as far as search is concerned: far from the origin, further apart between languages than
 * between matters, and near for the same matter in both.
 */
export function conceptVector(text: string): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[40] = 3
  vector[/\p{Script=Han}/u.test(text) ? 41 : 42] = 1.5
  const lower = text.toLowerCase()
  for (const [word, concept] of concepts) if (lower.includes(word)) vector[concept] = 1
  // Every text is a little different.
  let hash = 2166136261
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619) >>> 0
  for (let place = 10; place < 40; place++) {
    hash = (Math.imul(hash, 1664525) + 1013904223) >>> 0
    vector[place] = (hash / 4294967296 - 0.5) * 0.3
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

export function conceptEmbedder(key = 'concepts'): Embedder & { passages: number } {
  const embedder = {
    passages: 0,
    open: () => Promise.resolve({ key, dimensions, maxTokens: 512 }),
    embedPassages(inputs: { text: string }[]) {
      embedder.passages += inputs.length
      return Promise.resolve(inputs.map(({ text }) => ({ kind: 'ok' as const, vector: conceptVector(text) })))
    },
    embedQuestion: (text: string) => Promise.resolve(conceptVector(text)),
    close: () => Promise.resolve(),
  }
  return embedder
}
