/**
 * Hostile files through a running Siku: how long each is open in a child, what memory that child has meanwhile, what becomes
 * of it, and what is left in memory afterwards. Measured through /proc, so on Linux only.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { loadavg, platform, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { nodeDeps, openShared, type SharedCore } from '../src/server/server.ts'
import { makeHostileFiles } from './hostile-files.ts'

export interface HostileFile {
  name: string
  /** How long it was open, by all children together. */
  seconds: number
  /** The largest that a child was while it had the file open. */
  peakBytes: number
  status: string
  reason: string
}

export interface HostileFigures {
  files: HostileFile[]
  /** Of the main process. */
  main: { beforeBytes: number; peakBytes: number; afterBytes: number }
  /** Of all its children. */
  childrenAfterBytes: number
  wholeSeconds: number
  loads: [before: number, after: number]
}

const pageBytes = 4096
const everyMs = 20
/** Children that have nothing to do are ended, the embedding process as the last, and garbage is collected. */
const restMs = 75_000
/** The C library keeps what was freed for the next time, up to 80 MB here: told not to, it shows what is held. */
const giveBack = { MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TOP_PAD_: '0' }

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
  } catch {
    return 0
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function openFiles(pid: number, folder: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
      try {
        const path = readlinkSync(`/proc/${pid}/fd/${descriptor}`)
        return dirname(path) === folder ? [basename(path)] : []
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

async function whenRead(client: SharedCore['client']): Promise<void> {
  for await (const { counts, folders } of await client.library.progress({}))
    if (counts.total > 0 && counts.waiting + counts.reading === 0 && folders.every(({ state }) => state !== 'scanning')) return
}

/** Null: this system does not tell. */
export async function benchHostile(builtDir: URL): Promise<HostileFigures | null> {
  if (platform() !== 'linux') return null
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'siku-hostile-')))
  const folder = join(directory, 'files')
  const dataDir = join(directory, 'home')
  mkdirSync(folder)
  makeHostileFiles(folder)
  const host = spawn(process.execPath, ['bin/siku.js', '--home', dataDir, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...giveBack },
  })
  await new Promise((resolve) => host.stdout.once('data', resolve))
  const main = host.pid!
  const shared = await openShared(nodeDeps({ builtDir, dataDir, host: 'terminal' }))
  const seen = new Map<string, { ms: number; peakBytes: number }>()
  const loadBefore = loadavg()[0]!
  const beforeBytes = residentBytes(main)
  let peakBytes = 0
  let last = performance.now()
  const sampling = setInterval(() => {
    const now = performance.now()
    peakBytes = Math.max(peakBytes, residentBytes(main))
    for (const child of childrenOf(main)) {
      for (const name of new Set(openFiles(child, folder))) {
        const file = seen.get(name) ?? { ms: 0, peakBytes: 0 }
        seen.set(name, { ms: file.ms + now - last, peakBytes: Math.max(file.peakBytes, residentBytes(child)) })
      }
    }
    last = now
  }, everyMs)
  try {
    const startedAt = performance.now()
    const { folders } = await shared.client.folders.add({ paths: [folder] })
    await whenRead(shared.client)
    const wholeSeconds = (performance.now() - startedAt) / 1000
    const loadAfter = loadavg()[0]!
    // What is embedded of them afterwards is ordinary text.
    await shared.client.library.pause({})
    await wait(restMs)
    clearInterval(sampling)
    const { documents } = await shared.client.documents.list({ folderId: folders[0]!.id, limit: 1000 })
    return {
      files: documents.map(({ name, status, reason }) => {
        const { ms, peakBytes: peak } = seen.get(name) ?? { ms: 0, peakBytes: 0 }
        return { name, seconds: ms / 1000, peakBytes: peak, status, reason: reason?.code ?? '' }
      }),
      main: { beforeBytes, peakBytes, afterBytes: residentBytes(main) },
      childrenAfterBytes: childrenOf(main).reduce((sum, child) => sum + residentBytes(child), 0),
      wholeSeconds,
      loads: [loadBefore, loadAfter],
    }
  } finally {
    clearInterval(sampling)
    await shared.close()
    host.kill('SIGINT')
    await new Promise((resolve) => (host.exitCode === null ? host.once('exit', resolve) : resolve(null)))
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
