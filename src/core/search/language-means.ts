import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Language } from '../../contract/library.ts'
import { dot, toVector } from './vector-math.ts'

/** The weight of the prior, in documents: without it a single document of a language *is* its mean and scores nothing. */
export const priorWeight = 10

export type Priors = Partial<Record<Language, Float32Array>>

/** μ = (Σ document means + 10 · prior) / (documents + 10). */
export function meanWithPrior(sumOfDocumentMeans: Float32Array, documents: number, prior: Float32Array | null): Float32Array {
  const weight = prior ? priorWeight : 0
  const total = documents + weight
  const mean = new Float32Array(sumOfDocumentMeans.length)
  if (total === 0) return mean
  for (let index = 0; index < mean.length; index++) mean[index] = (sumOfDocumentMeans[index]! + weight * (prior?.[index] ?? 0)) / total
  return mean
}

/** The live mean of each language group, from the documents as they are now. */
export function readMeans(reader: DatabaseSyncInstance, modelId: number, dimensions: number, priors: Priors): Map<Language, Float32Array> {
  const sums = new Map<Language, { sum: Float32Array; documents: number }>()
  for (const language of Object.keys(priors) as Language[]) sums.set(language, { sum: new Float32Array(dimensions), documents: 0 })
  const rows = reader.prepare('SELECT language, count, sum FROM content_means WHERE model_id = ?').iterate(modelId)
  for (const row of rows as Iterable<{ language: Language; count: number; sum: Uint8Array }>) {
    if (row.count <= 0 || row.sum.byteLength !== dimensions * 4) continue
    let entry = sums.get(row.language)
    if (!entry) sums.set(row.language, (entry = { sum: new Float32Array(dimensions), documents: 0 }))
    const vector = toVector(row.sum)
    const { sum } = entry
    const scale = 1 / row.count
    for (let index = 0; index < dimensions; index++) sum[index] = sum[index]! + vector[index]! * scale
    entry.documents++
  }
  const means = new Map<Language, Float32Array>()
  for (const [language, { sum, documents }] of sums)
    means.set(language, meanWithPrior(sum, documents, priors[language] ?? priorOfAll(priors)))
  return means
}

/** A language without neutral texts of its own takes the middle of the others. */
function priorOfAll(priors: Priors): Float32Array | null {
  const known = Object.values(priors)
  const first = known[0]
  if (!first) return null
  const middle = new Float32Array(first.length)
  for (const prior of known)
    for (let index = 0; index < middle.length; index++) middle[index] = middle[index]! + prior[index]! / known.length
  return dot(middle, middle) > 0 ? middle : null
}
