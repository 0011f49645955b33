import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keepPrivate, prepareDataDirectory } from './data-directory.ts'
import { toStoreError } from './store-error.ts'

export interface WriterLock {
  release(): void
}

/**
 * One data directory has one writer. The lock is the operating system's, held on a small file of its own by SQLite, on every
 * system alike: a process that dies in whatever way frees it. Nobody else may open that file: on POSIX, closing any
 * descriptor of it in the holding process would drop the lock. Null: somebody else has it.
 */
export function lockFile(path: string): WriterLock | null {
  let database: DatabaseSyncInstance | null = null
  try {
    // SQLite "locks" a file that it may only read, too.
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    keepPrivate(path, 0o600)
    const held = database
    return {
      release() {
        if (held.isOpen) held.close()
      },
    }
  } catch (error) {
    database?.close()
    const problem = toStoreError(error)
    if (problem.code === 'busy') return null
    throw problem
  }
}

/** For hosts: whoever has it opens the library for writing and serves the others. */
export async function acquireWriterLock(dataDir: string): Promise<WriterLock | null> {
  prepareDataDirectory(dataDir)
  return lockFile(join(dataDir, 'siku.lock'))
}
