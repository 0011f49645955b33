import { chmodSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { Log } from '../deps.ts'

type Kind = 'directory' | 'file' | 'missing'

function kindAt(path: string): Kind {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats === undefined ? 'missing' : stats.isDirectory() ? 'directory' : 'file'
  } catch {
    // Below a file, or where nobody may look.
    return 'missing'
  }
}

function inTheWay(path: string, wanted: 'directory' | 'file'): SikuError {
  const [found, expected] = wanted === 'directory' ? ['file', 'a directory'] : ['directory', 'a file']
  return new SikuError('conflict', `a ${found} stands at ${path}, where Siku needs ${expected}`, {
    hint: `Move that ${found} away, or choose another data directory with --home or SIKU_HOME.`,
  })
}

/** Something stands where the library's own things belong, and would give errors nobody understands. */
export function refuseMisplaced(dataDir: string): void {
  for (let path = dataDir; ; path = dirname(path)) {
    const kind = kindAt(path)
    if (kind === 'file') throw inTheWay(path, 'directory')
    if (kind === 'directory' || dirname(path) === path) break
  }
  for (const name of ['siku.db', 'siku.db-wal', 'siku.db-shm', 'siku.lock', 'siku.db.lock']) {
    const path = join(dataDir, name)
    if (kindAt(path) === 'directory') throw inTheWay(path, 'file')
  }
  const backups = join(dataDir, 'backups')
  if (kindAt(backups) === 'file') throw inTheWay(backups, 'directory')
}

/** Made for its owner alone; one that was there keeps its permissions. */
export function prepareDataDirectory(dataDir: string): void {
  refuseMisplaced(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toSikuError(error)
  }
}

/** A directory for what can be made anew, for its owner alone. A file in its place is set aside. */
export function makeCacheDirectory(path: string, now: number, log: Log): void {
  try {
    if (kindAt(path) === 'file') {
      const aside = `${path}.set-aside-${now}`
      renameSync(path, aside)
      log('warn', 'a file stood where a directory belongs and was set aside', { path: aside })
    }
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw toSikuError(error)
  }
  keepPrivate(path, 0o700)
}

/** As far as the system allows: a library on a shared disk still opens. */
export function keepPrivate(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {
    // Not there, another owner's, or a file system without permissions.
  }
}
