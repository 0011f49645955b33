import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEntry } from '../../../test/build-entry.ts'
import { createDice, createFolderModel, type ModelDocument } from '../../../test/fixtures/folder-model.ts'
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

/** Where library and folder are not the same, path by path, documents that still change among them. */
function differences({ store }: TestIngest, folder: string, expected: Record<string, string>): string[] {
  const { documents } = store.documents.list({ offset: 0, limit: 100_000 })
  const known = new Map(documents.map((document) => [document.path.slice(folder.length + 1), document]))
  return [...new Set([...known.keys(), ...Object.keys(expected)])].flatMap((path) => {
    const document = known.get(path)
    const wanted = expected[path]
    if (document === undefined) return [`${path}: not in the library; it should say "${wanted}"`]
    const { status, reason, passages, embedded } = document
    const said = `${status} ${reason?.code ?? ''} ${embedded}/${passages}`
    if (wanted === undefined) return [`${path}: not in the folder, and ${said} in the library`]
    if (wanted === '(failed 0/0)') return status === 'failed' ? [] : [`${path}: ${said}; it should be empty`]
    if (status !== 'ready' || passages !== embedded) return [`${path}: ${said}; it should say "${wanted}"`]
    const { sections } = store.documents.sections(document.id, 0, 100)
    const text = sections.map((section) => section.text).join('\n\n')
    return text === wanted ? [] : [`${path}: it says "${text}", and should say "${wanted}"`]
  })
}

function stateOf({ ingest }: TestIngest): object {
  const { phase, current, trouble, folders } = ingest.snapshot()
  return { phase, current, trouble, folders: folders.map(({ state, counts }) => ({ state, counts })) }
}

/** A loaded machine takes its time: what the watcher lost is found by a look that comes later the longer the last one took. */
const longestWaitMs = 180_000

test(
  `${randomSteps} random adds, edits, renames, moves, deletes, restarts and kills: the library is the disk`,
  { timeout: 60_000 + randomSteps * 2000 },
  async () => {
    const dice = createDice(randomSeed)
    const [dataDir, folder] = [directories.make(), directories.make()]
    const model = createFolderModel(folder, dice)
    const log: string[] = []
    /** Steps from here on are told when something is wrong. */
    let before = 0
    let library = await openTestIngest(dataDir, scriptedEmbedder())
    await library.ingest.add([folder])
    const said = { restarts: 0, kills: 0 }

    function step(): void {
      log.push(`${new Date().toISOString().slice(11, 23)} ${model.change()}`)
    }
    async function agree(): Promise<void> {
      const documents = model.documents()
      const expected = Object.fromEntries([...documents].map(([path, { text }]) => [path, text ?? '(failed 0/0)']))
      const wanted = JSON.stringify(Object.entries(expected).sort())
      const end = performance.now() + longestWaitMs
      while (JSON.stringify(Object.entries(shown(library, folder)).sort()) !== wanted) {
        if (performance.now() > end) {
          const steps = log.slice(before).map((what, index) => `${before + index + 1} ${what}`)
          const at = { seed: randomSeed, steps, state: stateOf(library), logs: library.logs.slice(-10) }
          expect({ ...at, differences: differences(library, folder, expected) }, JSON.stringify(at, null, 1)).toEqual({
            ...at,
            differences: [],
          })
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { counts } = library.ingest.folders()[0]!
      expect([counts.total, counts.ready + counts.failed]).toEqual([documents.size, documents.size])
    }

    try {
      while (log.length < randomSteps) {
        before = Math.max(0, log.length - 12)
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
      expect(countRows(library.store, 'contents')).toBe(contentsOf(model.documents()))
      if (randomSteps >= 150) expect([said.restarts > 0, said.kills > 0]).toEqual([true, true])
    } finally {
      await library.close()
    }
  },
)

/** The same bytes under names of two kinds are two contents. */
function contentsOf(documents: ReadonlyMap<string, ModelDocument>): number {
  return new Set([...documents.values()].filter(({ text }) => text !== null).map(({ kind, source }) => `${kind} ${source}`)).size
}
