import { backup, DatabaseSync } from '@photostructure/sqlite'
import { copyFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import { checkCopy } from './check-copy.ts'
import { openWriter } from './connection.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { lockFile } from './lock.ts'
import { freeName, headerVersion, refuseNewer, stamp } from './migrate.ts'
import { isDamage, toStoreError } from './store-error.ts'

interface RestoreOptions {
  dataDir: string
  /** What `backup` wrote. */
  file: string
  now: () => number
}

/** The library as it is now, in one file in backups/; a damaged one as it lies there. Null when there is none. */
async function keepCurrent(databasePath: string, target: string): Promise<string | null> {
  if (!existsSync(databasePath)) return null
  try {
    const current = openWriter(databasePath)
    try {
      await backup(current, `${target}.partial`)
      // Leaves one file, so that no log of the old library is taken for one of the new.
      current.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
    } finally {
      current.close()
    }
    checkCopy(`${target}.partial`)
    renameSync(`${target}.partial`, target)
  } catch (error) {
    if (!isDamage(error)) throw error
    rmSync(`${target}.partial`, { force: true })
    for (const part of ['', '-wal', '-shm']) {
      if (existsSync(databasePath + part)) copyFileSync(databasePath + part, target + part)
    }
    for (const part of ['-wal', '-shm']) rmSync(databasePath + part, { force: true })
  }
  return target
}

function isLibrary(path: string): boolean {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const sql =
      "SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('folders', 'documents', 'contents', 'passages', 'chats', 'settings')"
    return (database.prepare(sql).get() as { count: number }).count === 6
  } finally {
    database.close()
  }
}

/**
 * Puts a backup in the library's place, with no store open. The backup is copied and checked first and takes its place in one
 * step; what was there is kept in backups/. Answers with where that is. The search index, a cache, is made anew.
 */
export async function restoreLibrary({ dataDir, file, now }: RestoreOptions): Promise<string | null> {
  try {
    if (!existsSync(file)) throw new SikuError('not-found', `there is no backup at ${file}`)
    const databasePath = join(dataDir, 'siku.db')
    if (existsSync(databasePath) && realpathSync(file) === realpathSync(databasePath)) {
      throw new SikuError('bad-input', `${file} is the library itself`)
    }
    prepareDataDirectory(dataDir)
    mkdirSync(join(dataDir, 'backups'), { recursive: true })
    const lock = lockFile(join(dataDir, 'siku.db.lock'))
    if (!lock) throw new SikuError('busy', 'Siku is running', { hint: 'Close it and try again.', retryable: true })
    const incoming = join(dataDir, 'siku.db.incoming')
    try {
      refuseNewer(headerVersion(file))
      copyFileSync(file, incoming)
      checkCopy(incoming)
      if (!isLibrary(incoming)) throw new SikuError('bad-input', `${file} is not a backup of a Siku library`)
      const kept = await keepCurrent(
        databasePath,
        freeName((suffix) => join(dataDir, 'backups', `siku-replaced-${stamp(now())}${suffix}.db`)),
      )
      rmSync(join(dataDir, 'index'), { recursive: true, force: true })
      renameSync(incoming, databasePath)
      return kept
    } finally {
      rmSync(incoming, { force: true })
      lock.release()
    }
  } catch (error) {
    throw toStoreError(error)
  }
}
