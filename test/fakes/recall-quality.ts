import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder } from '../../src/core/embed/embed.ts'
import { createMemoryIndex } from '../../src/core/memory/memory-index.ts'
import { bundledPriorsFile, cachedPriors } from '../../src/core/search/search.ts'

export interface RecallSet {
  memories: Record<string, ['fact' | 'preference', string]>
  questions: [string, string[]][]
}
export type RecallSetName = 'tuned' | 'held'

export function recallSet(root: string, name: RecallSetName): RecallSet {
  const sets = JSON.parse(readFileSync(join(root, 'test', 'fixtures', 'memories.json'), 'utf8')) as Record<RecallSetName, RecallSet>
  return sets[name]
}

export interface RecallQuality {
  precision: number
  recall: number
  /** Part of the questions that no memory fits, and that got one. */
  disturbed: number
}

/** What is given for each question, against what helps it. */
export async function recallQuality(
  { memories, questions }: RecallSet,
  { embedder, resourcesDir, byMeaning }: { embedder: Embedder; resourcesDir: string; byMeaning: boolean },
): Promise<RecallQuality> {
  const model = await embedder.open()
  const index = createMemoryIndex(model.dimensions, cachedPriors('', model, bundledPriorsFile(resourcesDir)))
  const entries = Object.entries(memories).map(([id, [kind, text]]) => ({ id, kind, text }))
  const outcomes = byMeaning ? await embedder.embedPassages(entries) : []
  for (const [position, memory] of entries.entries()) {
    index.set(memory)
    const outcome = outcomes[position]
    if (outcome?.kind === 'ok') index.setVector(memory.id, outcome.vector)
  }
  const counts = { given: 0, right: 0, wanted: 0, unrelated: 0, disturbed: 0 }
  for (const [question, wanted] of questions) {
    const found = index.fitting(question, byMeaning ? await embedder.embedQuestion(question) : null, 5)
    counts.given += found.length
    counts.right += found.filter(({ id }) => wanted.includes(id)).length
    counts.wanted += wanted.length
    if (wanted.length > 0) continue
    counts.unrelated += 1
    counts.disturbed += Number(found.length > 0)
  }
  return {
    precision: counts.right / counts.given,
    recall: counts.right / counts.wanted,
    disturbed: counts.disturbed / counts.unrelated,
  }
}
