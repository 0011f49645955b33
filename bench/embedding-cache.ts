import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Embedder } from '../src/core/embed/embed.ts'

const dimensions = 384
const recordBytes = 32 + dimensions * 4

/** Keeps vectors between runs of a bench, so that only new texts cost time. The file may be deleted at any time. */
export function cachedEmbedder(source: Embedder, file: string, modelKey: string): Embedder {
  const known = new Map<string, Float32Array>()
  mkdirSync(dirname(file), { recursive: true })
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
      const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + 32, bytes.byteOffset + at + recordBytes))
      known.set(bytes.toString('hex', at, at + 32), vector)
    }
  }
  const keyOf = (prefix: string, text: string): string => createHash('sha256').update(`${modelKey}\n${prefix}${text}`).digest('hex')
  function keep(key: string, vector: Float32Array): void {
    known.set(key, vector)
    appendFileSync(file, Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)]))
  }
  return {
    open: () => Promise.resolve({ key: modelKey, dimensions, maxTokens: 512 }),
    async embedPassages(inputs, options) {
      const keys = inputs.map((input) => keyOf('passage: ', input.text))
      const missing = inputs.filter((_input, index) => !known.has(keys[index]!))
      const outcomes = missing.length > 0 ? await source.embedPassages(missing, options) : []
      missing.forEach((input, index) => {
        const outcome = outcomes[index]!
        if (outcome.kind === 'ok') keep(keyOf('passage: ', input.text), outcome.vector)
      })
      return keys.map((key) => {
        const vector = known.get(key)
        return vector ? { kind: 'ok', vector } : { kind: 'bad', reason: 'it could not be embedded' }
      })
    },
    async embedQuestion(text, options) {
      const key = keyOf('query: ', text)
      const cached = known.get(key)
      if (cached) return cached
      const vector = await source.embedQuestion(text, options)
      keep(key, vector)
      return vector
    },
    close: () => source.close(),
  }
}
