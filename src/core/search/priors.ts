import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Language } from '../../contract/library.ts'
import type { Embedder } from '../embed/embed.ts'
import type { Priors } from './language-means.ts'
import { neutralTexts } from './neutral-texts.ts'
import { meanOf } from './slab.ts'

/** Raised when the neutral texts change. */
const version = 1

const priorFileSchema = z.object({
  version: z.literal(version),
  key: z.string(),
  dimensions: z.number().int(),
  means: z.record(z.string(), z.string()),
})

interface ModelKey {
  key: string
  dimensions: number
}

function fileOf(directory: string, key: string): string {
  return join(directory, `prior-${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
}

/** Where the bundled model's priors lie, made once from the same neutral texts. */
export function bundledPriorsFile(resourcesDir: string): string {
  return join(resourcesDir, 'models', 'multilingual-e5-small', 'priors.json')
}

/** The priors that were kept for a model, or came with it; none when there is no file or it cannot be used. */
export function cachedPriors(directory: string, model: ModelKey, bundled?: string): Priors {
  const kept = readPriors(fileOf(directory, model.key), model)
  return Object.keys(kept).length > 0 || bundled === undefined ? kept : readPriors(bundled, model)
}

function readPriors(path: string, { key, dimensions }: ModelKey): Priors {
  try {
    const file = priorFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    if (file.key !== key || file.dimensions !== dimensions) return {}
    const priors: Priors = {}
    for (const [language, text] of Object.entries(file.means)) {
      const bytes = Buffer.from(text, 'base64')
      const vector = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
      if (vector.length === dimensions && vector.every(Number.isFinite)) priors[language as Language] = vector
    }
    return priors
  } catch {
    return {}
  }
}

/** Embeds the neutral texts, once for each model. */
export async function makePriors(embedder: Embedder, directory: string, model: ModelKey, readOnly: boolean): Promise<Priors> {
  const priors: Priors = {}
  for (const [language, texts] of Object.entries(neutralTexts) as [Language, readonly string[]][]) {
    const outcomes = await embedder.embedPassages(texts.map((text) => ({ text })))
    const vectors = outcomes.flatMap((outcome) => (outcome.kind === 'ok' ? [outcome.vector] : []))
    if (vectors.length > 0) priors[language] = meanOf(vectors, model.dimensions)
  }
  if (!readOnly) {
    const means = Object.fromEntries(
      Object.entries(priors).map(([language, mean]) => [
        language,
        Buffer.from(mean.buffer, mean.byteOffset, mean.byteLength).toString('base64'),
      ]),
    )
    const path = fileOf(directory, model.key)
    await writeFile(`${path}.tmp`, JSON.stringify({ version, ...model, means }))
    await rename(`${path}.tmp`, path)
  }
  return priors
}
