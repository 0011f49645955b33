import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDeps } from '../../../test/fakes/core.ts'
import type { CoreDeps } from '../deps.ts'
import { openShared, type SharedCore } from './shared-core.ts'
import { acquireWriterLock } from '../store/store.ts'

let directory: string
let home: string
let opened: SharedCore[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'siku-shared-'))
  home = join(directory, 'home')
  opened = []
})
afterEach(async () => {
  for (const shared of opened.reverse()) await shared.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

async function open(changes: Partial<CoreDeps> = {}): Promise<SharedCore> {
  const shared = await openShared(testDeps(changes.dataDir ?? home, changes))
  opened.push(shared)
  return shared
}

async function close(shared: SharedCore): Promise<void> {
  opened.splice(opened.indexOf(shared), 1)
  await shared.close()
}

/** Lets a wait for another host run out at once. */
function impatient(): () => number {
  let time = 0
  return () => (time += 10_000)
}

test('the second host sends its calls, streams and errors through the first, and says so', async () => {
  const first = await open()
  const second = await open()
  expect([first.access, second.access]).toEqual(['writer', 'remote'])
  expect(second.explanation).toContain(String(process.pid))

  const papers = join(directory, 'papers')
  mkdirSync(papers)
  writeFileSync(join(papers, 'a.md'), '# Lease\n\nThe lease ends in May.\n')
  await second.client.folders.add({ paths: [papers] })
  for await (const progress of await second.client.library.progress()) if (progress.counts.ready === 1) break
  const { documents } = await first.client.documents.list({})
  expect(documents.map(({ name }) => name)).toEqual(['a.md'])
  const id = documents[0]?.id ?? 0
  expect(await second.documentFile(id)).toEqual(await first.documentFile(id))
  expect(await second.documentFile(4711)).toBeNull()
  await expect(second.client.documents.get({ documentId: 4711 })).rejects.toMatchObject({ code: 'not-found' })
  await expect(second.client.search.query({ query: 'x', k: 0 })).rejects.toMatchObject({ code: 'bad-input' })
})

test('when the writer goes, another host takes over, and calls and streams go on', async () => {
  const first = await open()
  const second = await open()
  const third = await open()
  const seen: number[] = []
  const watching = (async () => {
    for await (const progress of await third.client.library.progress()) {
      seen.push(progress.folders.length)
      if (progress.folders.length === 1) break
    }
  })()
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  const inFlight = Promise.all(Array.from({ length: 20 }, () => second.client.library.status()))
  await close(first)
  expect((await inFlight).map(({ mode }) => mode)).toEqual(Array.from({ length: 20 }, () => 'writer'))
  mkdirSync(join(directory, 'papers'))
  await second.client.folders.add({ paths: [join(directory, 'papers')] })
  await watching
  expect([second.access, third.access].sort()).toEqual(['remote', 'writer'])
})

test('a socket and a note left by a dead host stop nobody', async () => {
  mkdirSync(home)
  writeFileSync(join(home, 'host.sock'), '')
  writeFileSync(join(home, 'host.json'), JSON.stringify({ socket: join(home, 'host.sock'), token: 'x', pid: 1, version: '0.0.0-test' }))
  expect((await open()).access).toBe('writer')
  expect((await open()).access).toBe('remote')
})

test('a host of another version, or one that does not answer, is not spoken to: the library is read only', async () => {
  await open()
  const other = await open({ version: '9.9.9' })
  expect([other.access, (await other.client.library.status()).mode]).toEqual(['read-only', 'read-only'])
  await expect(other.client.folders.add({ paths: [directory] })).rejects.toMatchObject({ code: 'read-only' })

  const silent = join(directory, 'silent')
  await close(await open({ dataDir: silent }))
  const lock = await acquireWriterLock(silent)
  expect((await open({ dataDir: silent, now: impatient() })).access).toBe('read-only')
  lock?.release()
})

test('whoever does not know the word is not let in', async () => {
  const first = await open()
  const note = join(home, 'host.json')
  writeFileSync(note, readFileSync(note, 'utf8').replace(/"token":"[^"]+"/, '"token":"guessed"'))
  expect((await open({ now: impatient() })).access).toBe('read-only')
  expect(first.access).toBe('writer')
})

test.skipIf(process.platform === 'win32')('the socket and the note are their owner’s alone, wherever a long path puts them', async () => {
  const long = join(directory, 'd'.repeat(120))
  await open({ dataDir: long })
  const { socket } = JSON.parse(readFileSync(join(long, 'host.json'), 'utf8')) as { socket: string }
  expect(socket.length).toBeLessThanOrEqual(104)
  expect([statSync(socket).mode & 0o777, statSync(join(long, 'host.json')).mode & 0o777]).toEqual([0o600, 0o600])
  expect((await open({ dataDir: long })).access).toBe('remote')
})

test('what it left is gone when a host has closed', async () => {
  await close(await open())
  expect([existsSync(join(home, 'host.json')), existsSync(join(home, 'host.sock'))]).toEqual([false, false])
})
