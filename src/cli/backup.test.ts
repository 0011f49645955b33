import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { builtCli, type Ran } from '../../test/fakes/built-cli.ts'
import { testDeps } from '../../test/fakes/core.ts'
import { openShared } from '../core/host/shared-core.ts'
import { openReader } from '../core/store/store.ts'

const cli = builtCli()
let directory: string
let home: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'siku-backup-'))
  home = join(directory, 'home')
  mkdirSync(join(directory, 'papers'))
  writeFileSync(join(directory, 'papers', 'lease.md'), '# Lease\n\nThe tenant gives ninety days of notice.\n')
  expect(await siku(['index', join(directory, 'papers'), '--json'])).toMatchObject({ code: 0 })
})
afterAll(() => {
  cli.killAll()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

function siku(args: string[], { at = home, env = {} }: { at?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  return cli.run(args, { home: at, env })
}

/** What is remembered in a library that nobody has open. */
function memories(at = home): string[] {
  const library = openReader(join(at, 'siku.db'))
  try {
    const rows = z.array(z.object({ text: z.string() })).parse(library.prepare('SELECT text FROM memories ORDER BY text').all())
    return rows.map(({ text }) => text)
  } finally {
    library.close()
  }
}

const madeSchema = z.object({ path: z.string(), sizeBytes: z.number() }).strict()
const restoredSchema = z.object({ restored: z.string(), replaced: z.string().nullable() }).strict()

test('a backup holds the library at its moment, on another computer too, and what it replaces is kept', async () => {
  expect(await siku(['memory', 'add', 'The key hangs in the hall'])).toMatchObject({ code: 0 })
  const file = join(directory, 'copies', 'one.db')
  const made = madeSchema.parse(JSON.parse((await siku(['backup', file, '--json'])).stdout))
  expect(made).toEqual({ path: file, sizeBytes: statSync(file).size })
  expect(await siku(['memory', 'add', 'Later'])).toMatchObject({ code: 0 })

  const elsewhere = join(directory, 'new-computer')
  expect(restoredSchema.parse(JSON.parse((await siku(['restore', file, '--json'], { at: elsewhere })).stdout))).toEqual({
    restored: file,
    replaced: null,
  })
  expect(memories(elsewhere)).toEqual(['The key hangs in the hall'])
  expect((await siku(['search', 'notice', '--json'], { at: elsewhere })).stdout).toContain('ninety days of notice')

  const { replaced } = restoredSchema.parse(JSON.parse((await siku(['restore', file, '--json'])).stdout))
  expect(memories()).toEqual(['The key hangs in the hall'])
  // And back again, by the name of what was kept.
  expect(await siku(['restore', replaced!.split(/[\\/]/).at(-1)!])).toMatchObject({ code: 0 })
  expect(memories()).toEqual(['Later', 'The key hangs in the hall'])
})

test('without a name it goes into the backups folder; a file that is there is never overwritten', async () => {
  const before = readdirSync(join(home, 'backups')).length
  const { path } = madeSchema.parse(JSON.parse((await siku(['backup', '--json'])).stdout))
  expect([path.startsWith(join(home, 'backups')), readdirSync(join(home, 'backups')).length]).toEqual([true, before + 1])
  const { mtimeMs } = statSync(path)
  const again = await siku(['backup', path])
  expect([again.code, again.stdout]).toEqual([1, ''])
  expect(again.stderr).toContain('is there already')
  expect([statSync(path).mtimeMs, existsSync(`${path}.partial`)]).toEqual([mtimeMs, false])
})

test('while a host runs a backup is made, and a restore is refused with what to do', async () => {
  const host = await openShared(testDeps(home))
  try {
    await host.client.memory.add({ text: 'Added by the host' })
    const file = join(directory, 'while-running.db')
    expect(await siku(['backup', file])).toMatchObject({ code: 0, stderr: '' })
    const refused = await siku(['restore', file])
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/Siku is running[^]*Settings, Backups/)
    expect((await siku(['restore', file], { env: { LANG: 'zh_CN.UTF-8' } })).stderr).toMatch(/四库正在运行[^]*“设置”的“备份”/)
    const elsewhere = join(directory, 'from-running')
    expect(await siku(['restore', file], { at: elsewhere })).toMatchObject({ code: 0 })
    expect(memories(elsewhere)).toContain('Added by the host')
  } finally {
    await host.close()
  }
})

test('what is no backup is refused, and the library stays as it is', async () => {
  const before = memories()
  const wrong = join(directory, 'wrong.db')
  writeFileSync(wrong, 'no database, but long enough to be taken for one '.repeat(100))
  for (const [file, says] of [
    [wrong, /siku: /],
    [join(directory, 'nothing.db'), /There is no backup at .*nothing\.db[^]*Backups lie in/],
    [join(home, 'siku.db'), /is the library itself/],
  ] as const) {
    const ran = await siku(['restore', file])
    expect([ran.code, ran.stdout]).toEqual([1, ''])
    expect(ran.stderr).toMatch(says)
  }
  expect(memories()).toEqual(before)
  const none = await siku(['backup', join(directory, 'none.db')], { at: join(directory, 'no-home') })
  expect([none.code, existsSync(join(directory, 'none.db')), existsSync(join(directory, 'no-home'))]).toEqual([1, false, false])
  expect(none.stderr).toContain('there is no library')
})

test('their help is in the language of the terminal', async () => {
  expect((await siku(['backup', '--help'])).stdout).toContain('It may be made while Siku is running')
  expect((await siku(['restore', '--help'], { env: { LANG: 'zh_CN.UTF-8' } })).stdout).toContain('四库不能正在运行')
})
