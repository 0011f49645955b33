import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEntry } from '../../../test/build-entry.ts'
import { conceptEmbedder } from '../../../test/fakes/concept-embedder.ts'
import { openScratchLibrary } from '../../../test/fakes/scratch-library.ts'

let entry: URL
let dataDir: string
beforeAll(async () => {
  entry = await buildEntry(new URL('../../../test/fixtures/ending-entry.ts', import.meta.url))
  dataDir = mkdtempSync(join(tmpdir(), 'siku-ending-'))
  const library = await openScratchLibrary({ dataDir, embedder: conceptEmbedder() })
  const folder = await library.addFolder('/a')
  await library.add(
    folder,
    Array.from({ length: 3000 }, (_, index) => ({
      path: `/a/${index}.txt`,
      passages: [`Note ${index} about the river and page ${index}.`],
    })),
  )
  await library.embed()
  await library.close()
}, 120_000)
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true })
})

test.each(['close', 'leave', 'grow'])(
  'a host that ends (%s) while native code of the index runs or is awaited does not crash',
  (how) => {
    for (const afterMs of [0, 5, 20, 40, 80, 160]) {
      const { status, signal, stderr } = spawnSync(process.execPath, [fileURLToPath(entry), dataDir, how, String(afterMs)], {
        encoding: 'utf8',
        cwd: process.cwd(),
      })
      expect([status, signal, stderr]).toEqual([0, null, ''])
    }
  },
  120_000,
)
