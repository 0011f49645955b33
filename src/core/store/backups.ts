import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import type { Backup, Backups } from '../../contract/settings.ts'
import { freeName, stamp } from './migrate.ts'
import { restoreLibrary } from './restore.ts'
import type { Store } from './store-types.ts'

/** Names a backup that takes the library's place before the store is opened next. */
const restoreNext = 'restore-next'
const backupName = /^siku-?.*\.db$/

function directoryOf(dataDir: string): string {
  return join(dataDir, 'backups')
}

function scheduled(dataDir: string): string | null {
  const path = join(dataDir, restoreNext)
  if (!existsSync(path)) return null
  const name = readFileSync(path, 'utf8').trim()
  return backupName.test(name) && basename(name) === name && existsSync(join(directoryOf(dataDir), name)) ? name : null
}

/** The copies of the library in its backups folder, the newest first, and the one that is to be put back. */
export function listBackups(dataDir: string): Backups {
  const directory = directoryOf(dataDir)
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => backupName.test(name)) : []
  const backups = names.map((name): Backup => {
    const { size, mtimeMs } = statSync(join(directory, name))
    return { name, sizeBytes: size, madeAt: Math.trunc(mtimeMs) }
  })
  return { directory, backups: backups.sort((one, other) => other.madeAt - one.madeAt), restoreNext: scheduled(dataDir) }
}

/** Where a backup that is made now goes: in the backups folder, under a free name. */
export function backupFile(dataDir: string, now: number): string {
  return freeName((suffix) => join(directoryOf(dataDir), `siku-${stamp(now)}${suffix}.db`))
}

export async function makeBackup(dataDir: string, store: Pick<Store, 'backup'>, now: number): Promise<Backups> {
  mkdirSync(directoryOf(dataDir), { recursive: true })
  await store.backup(backupFile(dataDir, now))
  return listBackups(dataDir)
}

/** A running library cannot be replaced: the backup is noted, and put back before the next start. Null takes that back. */
export function restoreAtStart(dataDir: string, name: string | null): Backups {
  const note = join(dataDir, restoreNext)
  if (name === null) rmSync(note, { force: true })
  else {
    const known = listBackups(dataDir).backups.some((backup) => backup.name === name)
    if (!known) throw new SikuError('not-found', `there is no backup named ${name}`)
    writeFileSync(note, name, { mode: 0o600 })
  }
  return listBackups(dataDir)
}

/**
 * Before the store is opened. A backup that cannot be put back keeps nobody from starting; it stays noted, so that the interface still shows
 * it, and is tried again.
 */
export async function restoreScheduled(dataDir: string, now: () => number, onFailed: (error: unknown) => void): Promise<void> {
  const name = scheduled(dataDir)
  if (name === null) return
  try {
    await restoreLibrary({ dataDir, file: join(directoryOf(dataDir), name), now })
    rmSync(join(dataDir, restoreNext), { force: true })
  } catch (error) {
    onFailed(error)
  }
}
