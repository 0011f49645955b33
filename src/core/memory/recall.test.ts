import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createBuiltInEmbedder } from '../embed/built-in.ts'
import { bundledPriorsFile, cachedPriors } from '../search/search.ts'
import { forkProcess } from '../work/work.ts'
import { createMemoryIndex } from './memory-index.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const resourcesDir = join(root, 'resources')
const embedder = createBuiltInEmbedder({
  deps: {
    resourcesDir,
    startProcess: forkProcess,
    workerUrl: (name) => pathToFileURL(join(root, 'out', 'node', `${name}.js`)),
    log: () => undefined,
  },
})
afterAll(() => embedder.close())

interface RecallSet {
  memories: Record<string, ['fact' | 'preference', string]>
  questions: [string, string[]][]
}
const sets = JSON.parse(readFileSync(join(root, 'test', 'fixtures', 'memories.json'), 'utf8')) as Record<'tuned' | 'held', RecallSet>

async function measure({ memories, questions }: RecallSet, withMeaning: boolean) {
  const model = await embedder.open()
  const index = createMemoryIndex(model.dimensions, cachedPriors('', model, bundledPriorsFile(resourcesDir)))
  const entries = Object.entries(memories).map(([id, [kind, text]]) => ({ id, kind, text }))
  const outcomes = withMeaning ? await embedder.embedPassages(entries) : []
  for (const [position, memory] of entries.entries()) {
    index.set(memory)
    const outcome = outcomes[position]
    if (outcome?.kind === 'ok') index.setVector(memory.id, outcome.vector)
  }
  const counts = { given: 0, right: 0, wanted: 0, unrelated: 0, disturbed: 0 }
  for (const [question, wanted] of questions) {
    const found = index.fitting(question, withMeaning ? await embedder.embedQuestion(question) : null, 5)
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
    /** Questions that no memory fits, and that got one. */
    disturbed: counts.disturbed / counts.unrelated,
  }
}

/** What was measured when the rule was chosen, less a little: a change that makes memories worse is seen here. */
test.each([
  ['tuned', true, { precision: 0.8, recall: 0.75, disturbed: 0.12 }],
  ['held', true, { precision: 0.85, recall: 0.78, disturbed: 0.12 }],
  ['tuned', false, { precision: 0.8, recall: 0.3, disturbed: 0.06 }],
  ['held', false, { precision: 0.85, recall: 0.3, disturbed: 0.06 }],
] as const)('memories that fit are given and others are not: %s, by meaning %s', async (name, withMeaning, least) => {
  const figures = await measure(sets[name], withMeaning)
  expect(figures.precision).toBeGreaterThanOrEqual(least.precision)
  expect(figures.recall).toBeGreaterThanOrEqual(least.recall)
  expect(figures.disturbed).toBeLessThanOrEqual(least.disturbed)
})
