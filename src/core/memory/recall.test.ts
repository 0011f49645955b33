import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { recallQuality, recallSet } from '../../../test/fakes/recall-quality.ts'
import { createBuiltInEmbedder } from '../embed/built-in.ts'
import { forkProcess } from '../work/work.ts'

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

/**
 * What was measured when the rule was chosen, less a little: a change that makes memories worse is seen here. The model's
 * vectors differ a little with the batch that a text is in, which moves one or two answers.
 */
test.each([
  ['tuned', true, { precision: 0.78, recall: 0.72, disturbed: 0.12 }],
  ['held', true, { precision: 0.85, recall: 0.78, disturbed: 0.12 }],
  ['tuned', false, { precision: 0.8, recall: 0.3, disturbed: 0.06 }],
  ['held', false, { precision: 0.85, recall: 0.3, disturbed: 0.06 }],
] as const)('memories that fit are given and others are not: %s, by meaning %s', async (name, byMeaning, least) => {
  const figures = await recallQuality(recallSet(root, name), { embedder, resourcesDir, byMeaning })
  expect(figures.precision).toBeGreaterThanOrEqual(least.precision)
  expect(figures.recall).toBeGreaterThanOrEqual(least.recall)
  expect(figures.disturbed).toBeLessThanOrEqual(least.disturbed)
})
