import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEntry } from '../../../test/build-entry.ts'
import { createDice, createFolderModel } from '../../../test/fixtures/folder-model.ts'
import { randomSeed, randomSteps } from '../../../test/fixtures/how-often.ts'
import { openTestIngest, testDirectories, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { countRows } from '../../../test/fixtures/open-test-store.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { SikuError } from '../../contract/errors.ts'

const directories = testDirectories()
let entry: URL
beforeAll(async () => {
  entry = await buildEntry(new URL('../../../test/fixtures/ingest-entry.ts', import.meta.url))
})
afterAll(() => {
  directories.clear()
  rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true })
})

/** A host that is killed while `changes` happen. */
async function killedHost(dataDir: string, folder: string, killAfterMs: number, changes: () => void): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(entry), dataDir, folder], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  changes()
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await ended
  clearTimeout(timer)
}

/** What the library says of each path: its text when it is ready, else its status; nothing when it changes meanwhile. */
function shown({ store }: TestIngest, folder: string): Record<string, string> {
  const { documents } = store.documents.list({ offset: 0, limit: 100_000 })
  if (documents.some(({ status }) => status === 'waiting' || status === 'reading')) return {}
  try {
    return Object.fromEntries(
      documents.map(({ id, path, status, passages, embedded }) => {
        const text = store.documents
          .sections(id, 0, 100)
          .sections.map((section) => section.text)
          .join('\n\n')
        return [path.slice(folder.length + 1), status === 'ready' && passages === embedded ? text : `(${status} ${embedded}/${passages})`]
      }),
    )
  } catch (error) {
    if (error instanceof SikuError && error.code === 'not-found') return {}
    throw error
  }
}

test(
  `${randomSteps} random adds, edits, renames, moves, deletes, restarts and kills: the library is the disk`,
  { timeout: 60_000 + randomSteps * 2000 },
  async () => {
    const dice = createDice(randomSeed)
    const [dataDir, folder] = [directories.make(), directories.make()]
    const model = createFolderModel(folder, dice)
    const log: string[] = []
    let library = await openTestIngest(dataDir, scriptedEmbedder())
    await library.ingest.add([folder])
    const said = { restarts: 0, kills: 0 }

    function step(): void {
      log.push(model.change())
    }
    async function agree(): Promise<void> {
      const expected = Object.fromEntries([...model.files].map(([path, text]) => [path, text === '' ? '(failed 0/0)' : text]))
      const wanted = JSON.stringify(Object.entries(expected).sort())
      const end = performance.now() + 30_000
      while (JSON.stringify(Object.entries(shown(library, folder)).sort()) !== wanted) {
        if (performance.now() > end) {
          expect(shown(library, folder), `seed ${randomSeed}, step ${log.length}: ${log.slice(-12).join('; ')}`).toEqual(expected)
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { counts } = library.ingest.folders()[0]!
      expect([counts.total, counts.ready + counts.failed]).toEqual([model.files.size, model.files.size])
    }

    try {
      while (log.length < randomSteps) {
        const what = dice.below(20)
        if (what === 0) {
          said.restarts += 1
          await library.close()
          for (let more = dice.below(6); more > 0; more -= 1) step()
          library = await openTestIngest(dataDir, scriptedEmbedder())
        } else if (what === 1) {
          said.kills += 1
          await library.close()
          await killedHost(dataDir, folder, dice.below(1200), () => {
            for (let more = 1 + dice.below(6); more > 0; more -= 1) step()
          })
          library = await openTestIngest(dataDir, scriptedEmbedder())
        } else for (let more = 1 + dice.below(8); more > 0; more -= 1) step()
        await agree()
      }
      await library.ingest.whenIdle()
      // Nothing is left of what went: one content for each text, however many paths have it.
      await library.store.contents.sweep()
      expect(countRows(library.store, 'contents')).toBe(contentsOf(model.files))
      if (randomSteps >= 150) expect([said.restarts > 0, said.kills > 0]).toEqual([true, true])
    } finally {
      await library.close()
    }
  },
)

/** The same bytes under names of two kinds are two contents. */
function contentsOf(files: ReadonlyMap<string, string>): number {
  const kindOf = (path: string): string => /\.(md|html)$/.exec(join(path))?.[1] ?? 'text'
  return new Set([...files].filter(([, text]) => text !== '').map(([path, text]) => `${kindOf(path)} ${text}`)).size
}
