import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDeps } from '../../../test/fakes/core.ts'
import type { CoreDeps } from '../deps.ts'
import { openShared, type SharedCore } from './shared-core.ts'

let directory: string
let home: string
let opened: SharedCore[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'siku-home-'))
  home = join(directory, 'home')
  opened = []
})
afterEach(async () => {
  for (const shared of opened) await shared.close()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

async function open(changes: Partial<CoreDeps> = {}): Promise<SharedCore> {
  const shared = await openShared(testDeps(home, changes))
  opened.push(shared)
  return shared
}

async function closeAll(): Promise<void> {
  for (const shared of opened.splice(0)) await shared.close()
}

test.each([
  ['the data directory', '', 'file'],
  ['what holds the data directory', '..', 'file'],
  ['backups/', 'backups', 'file'],
  ['siku.db', 'siku.db', 'directory'],
  ['siku.lock', 'siku.lock', 'directory'],
  ['siku.db.lock', 'siku.db.lock', 'directory'],
])('something else in the place of %s is named, with what to do', async (_what, place, found) => {
  if (place === '..') home = join(home, 'below')
  const path = join(home, place)
  if (found === 'directory') mkdirSync(path, { recursive: true })
  else {
    if (place === 'backups') mkdirSync(home)
    writeFileSync(path, 'kept')
  }
  await expect(open()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(path) as string,
    hint: expect.stringContaining('Move that') as string,
  })
  if (found === 'file') expect(readFileSync(path, 'utf8')).toBe('kept')
})

test('a file in the place of the index is set aside, since an index can be made anew', async () => {
  mkdirSync(home)
  writeFileSync(join(home, 'index'), 'kept')
  const { client } = await open()
  expect((await client.search.query({ query: 'anything' })).hits).toEqual([])
  const aside = readdirSync(home).find((name) => name.startsWith('index.set-aside-'))
  expect(readFileSync(join(home, aside ?? ''), 'utf8')).toBe('kept')
})

test('a damaged library that was set aside is named by the log and the doctor at every later start', async () => {
  await open()
  await closeAll()
  writeFileSync(join(home, 'siku.db'), Buffer.alloc(8192, 7))
  await expect(open()).rejects.toMatchObject({ code: 'store-damaged' })
  const logged: unknown[] = []
  const { client } = await open({ log: (level, message, details) => void logged.push([level, message, details]) })
  const aside = join(home, readdirSync(home).find((name) => /^siku\.damaged-.*\.db$/.test(name)) ?? '')
  const { findings } = await client.doctor.run()
  expect(findings.filter(({ code }) => code.startsWith('store-'))).toEqual([
    expect.objectContaining({ code: 'store-ok' }),
    expect.objectContaining({
      code: 'store-set-aside',
      level: 'warning',
      message: expect.stringContaining(aside) as string,
      remedy: expect.stringContaining('backups') as string,
    }),
  ])
  expect(logged).toContainEqual(['warn', 'a damaged library lies beside this one', { path: aside }])
})

test.skipIf(process.platform === 'win32')(
  'the library and its index are their owner’s alone, also in a directory others may enter',
  async () => {
    mkdirSync(home, { mode: 0o755 })
    const { client } = await open()
    await client.settings.patch({ theme: 'dark' })
    const modes = ['siku.db', 'siku.db-wal', 'siku.db-shm', 'siku.lock', 'siku.db.lock', 'index'].map((name) =>
      (statSync(join(home, name)).mode & 0o777).toString(8),
    )
    expect(modes).toEqual(['600', '600', '600', '600', '600', '700'])
  },
)
