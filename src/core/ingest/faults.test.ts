import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildEntry } from '../../../test/build-entry.ts'
import { kills } from '../../../test/fixtures/how-often.ts'
import { countRows, findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, statuses, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
let entry: URL
beforeAll(async () => {
  entry = await buildEntry(new URL('../../../test/fixtures/ingest-entry.ts', import.meta.url))
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})
afterAll(() => rmSync(dirname(fileURLToPath(entry)), { recursive: true, force: true }))

async function open(dataDir: string): Promise<TestIngest> {
  const library = await openTestIngest(dataDir, scriptedEmbedder())
  opened.push(library)
  return library
}

/** Runs the indexing program; `killAfterMs` counts from when it is at work. Null: it was killed, else what it said. */
function runHost(dataDir: string, folder: string, killAfterMs: number | null): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(entry), dataDir, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.on('data', (piece: Buffer) => {
      if (output === '' && killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      output += piece.toString()
    })
    child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
    child.on('close', (code) => (code === null ? resolve(null) : code === 0 ? resolve(output) : reject(new Error(errors))))
  })
}

/** What is finished, by its number: a thing done again has another. */
function finished({ store }: TestIngest): { contents: Map<string, number>; vectors: number[] } {
  const contents = store.reader.prepare("SELECT path, content_id AS id FROM documents WHERE status = 'ready'").all() as {
    path: string
    id: number
  }[]
  const vectors = store.reader.prepare('SELECT id FROM vectors WHERE vector IS NOT NULL').all() as { id: number }[]
  return { contents: new Map(contents.map(({ path, id }) => [path, id])), vectors: vectors.map(({ id }) => id) }
}

test(
  `killed at ${kills} moments, indexing resumes, ends complete, and does nothing finished again`,
  async () => {
    const [dataDir, folder] = [directories.make(), directories.make()]
    const files = kills * 6
    const paragraphs = (index: number): string =>
      Array.from({ length: 30 }, (_, part) => `## Part ${part}\n\nword${index}x${part} ${'and more of it '.repeat(40)}\n`).join('\n')
    writeFiles(folder, Object.fromEntries(Array.from({ length: files }, (_, index) => [`${index}.md`, paragraphs(index)])))
    let killed = 0
    let before: ReturnType<typeof finished> = { contents: new Map(), vectors: [] }
    let slowestMs = 0
    for (let round = 0; round < kills; round++) {
      if ((await runHost(dataDir, folder, 100 + Math.floor(Math.random() * 900))) === null) killed += 1
      const startedAt = performance.now()
      const library = await openTestIngest(dataDir, null)
      const known = [...before.contents.keys()].at(-1)
      const found = known === undefined ? [] : findWord(library.store, `word${basename(known, '.md')}x0`)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      expect(found).toEqual(known === undefined ? [] : [known])
      await library.ingest.pause()
      const { integrity_check } = library.store.reader.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
      expect([integrity_check, library.store.documents.counts().failed]).toEqual(['ok', 0])
      const after = finished(library)
      expect([...before.contents].filter(([path, id]) => after.contents.get(path) !== id)).toEqual([])
      const vectors = new Set(after.vectors)
      expect(before.vectors.filter((id) => !vectors.has(id))).toEqual([])
      before = after
      await library.close()
    }
    if (kills > 10) process.stderr.write(`${killed} of ${kills} killed, ${before.contents.size} ready, slowest start ${slowestMs} ms\n`)
    expect(killed).toBeGreaterThan(0)
    await runHost(dataDir, folder, null)
    const last = (await runHost(dataDir, folder, null)) ?? ''
    expect(last.trim().split('\n').at(-1)).toBe('done 0')
    const { store } = await open(dataDir)
    expect(store.documents.counts()).toMatchObject({ total: files, ready: files })
    expect([findWord(store, 'word59x29').length, countRows(store, 'pending_texts'), countRows(store, 'contents')]).toEqual([1, 0, files])
  },
  120_000 + kills * 6000,
)

test('a document over its time ends alone with its reason, and a retry under other limits reads it', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  // Long enough for the shortest limit there is, on any machine: every line is a passage of its own to tokenise.
  writeFiles(folder, { 'long.md': '# One\n\nwords of many kinds, 字和词\n\n'.repeat(700_000), 'short.md': 'short' })
  const { ingest, store } = await open(dataDir)
  await store.settings.patch({ readTimeoutMs: 1000 })
  await ingest.add([folder])
  await ingest.whenIdle()
  // What was read in time is kept, where anything was.
  expect(statuses(store)).toEqual({
    'long.md': expect.stringMatching(/^(?:failed|partial) too-slow$/) as string,
    'short.md': 'ready',
  })
  writeFileSync(join(folder, 'long.md'), 'not long any more')
  await until(() => statuses(store)['long.md'] === 'ready', 'the shortened document is read')
}, 120_000)

test('a document over its memory fails alone with its reason', async () => {
  const [dataDir, folder] = [directories.make(), directories.make()]
  writeFiles(folder, {
    'huge.html': `<html><body>${'<div><p>many small nodes</p></div>'.repeat(400_000)}</body></html>`,
    'short.md': 'short',
  })
  const { ingest, store } = await open(dataDir)
  await store.settings.patch({ readMemoryBytes: 250_000_000 })
  await ingest.add([folder])
  await ingest.whenIdle()
  expect(statuses(store)).toEqual({ 'huge.html': 'failed too-much-memory', 'short.md': 'ready' })
}, 120_000)

const isRoot = process.getuid?.() === 0
if (!isRoot) process.stderr.write('skipped: a full disk and a file of another user need root\n')

/** A disk of its own, of this many bytes. */
function mountSmall(bytes: number): string | null {
  const directory = directories.make()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory], { stdio: 'pipe' })
    return directory
  } catch {
    process.stderr.write('skipped: a small disk cannot be mounted here\n')
    return null
  }
}

test.skipIf(!isRoot)(
  'a full disk stops the work with a word, and it goes on by itself when there is room',
  async () => {
    const disk = mountSmall(4 << 20)
    if (disk === null) return
    try {
      const folder = directories.make()
      const text = (index: number): string =>
        Array.from({ length: 60 }, (_, part) => `## ${index} ${part}\n\nword${index}x${part} ${'of a long text '.repeat(30)}\n`).join('\n')
      writeFiles(folder, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.md`, text(index)])))
      mkdirSync(join(disk, 'data'))
      const library = await open(join(disk, 'data'))
      const { ingest, store } = library
      await ingest.add([folder])
      await until(() => ingest.snapshot().trouble?.code === 'disk-full', 'the full disk is told')
      expect(ingest.snapshot().counts.failed).toBe(0)
      execFileSync('mount', ['-o', 'remount,size=64m', disk])
      await ingest.whenIdle()
      expect(ingest.snapshot()).toMatchObject({ counts: { total: 30, ready: 30 }, trouble: null })
      expect([findWord(store, 'word29x59').length, countRows(store, 'pending_texts')]).toEqual([1, 0])
      opened.splice(opened.indexOf(library), 1)
      await library.close()
    } finally {
      execFileSync('umount', ['-l', disk])
    }
  },
  120_000,
)

test.skipIf(!isRoot)('a file of another user fails with its reason; nothing else does', async () => {
  const folder = directories.make()
  const dataDir = directories.make()
  writeFiles(folder, { 'mine.md': 'apple', 'secret.md': 'pear' })
  chmodSync(join(folder, 'secret.md'), 0o600)
  chmodSync(folder, 0o755)
  chownSync(dataDir, 65534, 65534)
  chownSync(join(folder, 'mine.md'), 65534, 65534)
  process.seteuid!(65534)
  try {
    const { ingest, store } = await open(dataDir)
    await ingest.add([folder])
    await ingest.whenIdle()
    expect(statuses(store)).toEqual({ 'mine.md': 'ready', 'secret.md': 'failed no-permission' })
    await opened.splice(0)[0]!.close()
  } finally {
    process.seteuid!(0)
  }
})
