import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { SikuError } from '../../contract/errors.ts'
import { toStoreError } from './store-error.ts'

const busyTimeoutMs = 10_000

/** Tables can be read: an opened file shows damage and missing rights only then. */
function probe(database: DatabaseSyncInstance): DatabaseSyncInstance {
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The only kind of connection that writes. */
export function openWriter(databasePath: string): DatabaseSyncInstance {
  const database = new DatabaseSync(databasePath, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
    `)
    return probe(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * A connection for reading. Where the directory cannot be written and no writer has left its log there, the file is read as
 * it stands, without SQLite's own bookkeeping files.
 */
export function openReader(databasePath: string): DatabaseSyncInstance {
  if (!existsSync(databasePath)) throw new SikuError('not-found', `there is no library at ${databasePath}`, { hint: 'Add a folder first.' })
  try {
    return tune(probe(new DatabaseSync(databasePath, { readOnly: true, timeout: busyTimeoutMs })))
  } catch (error) {
    const code = toStoreError(error).code
    if (code !== 'no-permission' && code !== 'read-only') throw toStoreError(error)
  }
  try {
    return tune(probe(new DatabaseSync(`${pathToFileURL(databasePath).href}?mode=ro&immutable=1`, { readOnly: true })))
  } catch (error) {
    throw toStoreError(error)
  }
}

function tune(database: DatabaseSyncInstance): DatabaseSyncInstance {
  database.exec('PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY')
  return database
}
