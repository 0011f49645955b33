import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDeps } from '../../../test/fakes/core.ts'
import { cosine, createEmbedder } from '../embed/embed.ts'
import { createNet } from '../net/net.ts'
import { bundledPriorsFile, cachedPriors, makePriors } from './priors.ts'

test("the bundled model's priors are what its neutral texts give, so that the first question of a library has them", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'siku-priors-'))
  const deps = testDeps(directory)
  const net = createNet({ fetch: deps.fetch, now: deps.now, env: {}, isOffline: () => true, note: () => undefined })
  const embedder = createEmbedder({ kind: 'built-in' }, { deps, net, timeouts: () => ({ connectTimeoutMs: 1000, idleTimeoutMs: 1000 }) })
  const model = await embedder.open()
  const made = await makePriors(embedder, directory, model, true)
  const bundled = cachedPriors(directory, model, bundledPriorsFile(deps.resourcesDir))
  expect(Object.keys(bundled).sort()).toEqual(Object.keys(made).sort())
  for (const language of Object.keys(made) as (keyof typeof made)[]) {
    expect(cosine(bundled[language]!, made[language]!)).toBeGreaterThan(0.9999)
  }
  await embedder.close()
  await net.close()
  rmSync(directory, { recursive: true })
})
