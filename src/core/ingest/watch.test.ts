import type { subscribe, SubscribeCallback } from '@parcel/watcher'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findWord } from '../../../test/fixtures/open-test-store.ts'
import { openTestIngest, testDirectories, until, writeFiles, type TestIngest } from '../../../test/fixtures/open-test-ingest.ts'
import { scriptedEmbedder } from '../../../test/fixtures/scripted-embedder.ts'
import { watchFolder } from './watch.ts'

const directories = testDirectories()
const opened: TestIngest[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  directories.clear()
})

/** The system's events but for those that `lost` says, which never arrive. */
async function losing(lost: (path: string) => boolean): Promise<typeof subscribe> {
  const watcher = (await import('@parcel/watcher')).default
  return (directory, listener, options) =>
    watcher.subscribe(
      directory,
      (error, events) => {
        const left = events.filter(({ path }) => !lost(path))
        if (error !== null || left.length > 0) listener(error, left)
      },
      options,
    )
}

async function openWith(files: Record<string, string>, lost: (path: string) => boolean) {
  const folder = directories.make()
  writeFiles(folder, files)
  const subscribing = await losing(lost)
  const library = await openTestIngest(directories.make(), scriptedEmbedder(), 100, undefined, subscribing)
  opened.push(library)
  await library.ingest.add([folder])
  await library.ingest.whenIdle()
  return { ...library, folder }
}

test('an event that the watcher lost beside another is made good by the confirming look', { timeout: 90_000 }, async () => {
  const { store, folder } = await openWith({ 'one.md': 'first words', 'sub/two.md': 'second words', 'gone.md': 'third words' }, (path) =>
    /(moved|two\.md|gone\.md)$/.test(path),
  )
  renameSync(join(folder, 'one.md'), join(folder, 'renamed.md'))
  renameSync(join(folder, 'sub'), join(folder, 'moved'))
  rmSync(join(folder, 'gone.md'))
  await until(() => findWord(store, 'first')[0] === join(folder, 'renamed.md'), 'the rename is seen', 60_000)
  await until(() => findWord(store, 'second')[0] === join(folder, 'moved/two.md'), 'the move is seen', 60_000)
  await until(() => findWord(store, 'third').length === 0, 'the deletion is seen', 60_000)
})

test('a folder in which something happens all the time is confirmed all the same', { timeout: 60_000 }, async () => {
  const folder = directories.make()
  let tell: SubscribeCallback = () => undefined
  let full = 0
  const watch = await watchFolder({
    root: folder,
    single: false,
    onChange: (paths) => Promise.resolve(void (full += Number(paths === null))),
    onFallback: (message) => expect.fail(message),
    log: () => undefined,
    settleMs: 10,
    confirmMs: 500,
    subscribe: (_directory, listener) => {
      tell = listener
      return Promise.resolve({ unsubscribe: () => Promise.resolve() })
    },
  })
  // Never quiet for as long as a confirming look waits for.
  const busy = setInterval(() => tell(null, [{ path: join(folder, 'busy.log'), type: 'update' }]), 20)
  try {
    await until(() => full >= 2, 'everything was looked at', 50_000)
  } finally {
    clearInterval(busy)
    await watch.close()
  }
})

test(
  'what is written into a tree that just came, and into one that took the place of another, is followed',
  { timeout: 90_000 },
  async () => {
    const { store, folder } = await openWith({ 'old/deep/a.md': 'apple', 'next/deep/b.md': 'banana' }, () => false)
    mkdirSync(join(folder, 'new/deep/deeper'), { recursive: true })
    renameSync(join(folder, 'old'), join(folder, 'aside'))
    renameSync(join(folder, 'next'), join(folder, 'old'))
    await until(() => findWord(store, 'banana')[0] === join(folder, 'old/deep/b.md'), 'the exchange is seen', 60_000)
    await until(() => findWord(store, 'apple')[0] === join(folder, 'aside/deep/a.md'), 'the one put aside is seen', 60_000)
    writeFileSync(join(folder, 'new/deep/deeper/c.md'), 'cherry')
    writeFileSync(join(folder, 'old/deep/d.md'), 'damson')
    await until(() => findWord(store, 'cherry').length === 1, 'what came into the new tree is found', 60_000)
    await until(() => findWord(store, 'damson').length === 1, 'what came into the exchanged tree is found', 60_000)
  },
)

test('a directory that came while the watch was being set is followed', { timeout: 120_000, skip: platform() !== 'linux' }, async () => {
  const folder = directories.make()
  writeFileSync(join(folder, 'one.md'), 'first words')
  const watcher = (await import('@parcel/watcher')).default
  const late = join(folder, 'late')
  let set = 0
  const library = await openTestIngest(directories.make(), scriptedEmbedder(), 100, undefined, async (directory, listener, options) => {
    set += 1
    const isFirst = set === 1
    const subscription = await watcher.subscribe(
      directory,
      // Of a directory that is not in it, the watch never hears.
      (error, events) => listener(error, isFirst ? events.filter(({ path }) => !path.startsWith(late)) : events),
      options,
    )
    if (isFirst) mkdirSync(late)
    return subscription
  })
  opened.push(library)
  await library.ingest.add([folder])
  await until(() => set > 1, 'the watch is set anew')
  await library.ingest.whenIdle()
  writeFileSync(join(late, 'two.md'), 'second words')
  await until(() => findWord(library.store, 'second').length === 1, 'what comes into it is found')
})

test('where directories change all the time the watch is not set anew without end', async () => {
  const folder = directories.make()
  let set = 0
  let full = 0
  const watch = await watchFolder({
    root: folder,
    single: false,
    onChange: () => {
      full += 1
      watch.sawAll(Date.now())
      return Promise.resolve()
    },
    onFallback: (message) => expect.fail(message),
    log: () => undefined,
    settleMs: 10,
    subscribe: () => {
      set += 1
      return Promise.resolve({ unsubscribe: () => Promise.resolve() })
    },
  })
  watch.sawAll(Date.now())
  await until(() => full === 2 || platform() !== 'linux', 'it was looked at again')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await watch.close()
  expect([set, full]).toEqual(platform() === 'linux' ? [3, 2] : [1, 0])
})
