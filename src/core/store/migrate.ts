import { backup, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import { checkCopy } from './check-copy.ts'
import { openWriter } from './connection.ts'
import { documentOrderSchema } from './document-order-schema.ts'
import { innerSchema } from './inner-schema.ts'
import { recognitionSchema } from './recognition-schema.ts'
import { agentSchema, chatWordsSchema, deskSchema, initialSchema, reachSchema } from './schema.ts'
import { isDamage } from './store-error.ts'
import { transcriptSchema } from './transcript-schema.ts'

/** `siku` in ASCII, in the file's header: what makes a SQLite file ours. */
const applicationId = 0x73696b75

/** In order; the version of a database is how many of them it has had. A released one is never changed. */
export const migrations: readonly string[] = [
  initialSchema,
  agentSchema,
  recognitionSchema,
  reachSchema,
  deskSchema,
  innerSchema,
  transcriptSchema,
  chatWordsSchema,
  documentOrderSchema,
]

export interface PrepareOptions {
  databasePath: string
  /** The time for names of copies, in ms. */
  at: number
  /** For tests: stops at an older version. */
  migrations?: readonly string[]
}

export interface Prepared {
  version: number
  /** The copy that was made before the first migration. */
  backup: string | null
}

function newer(found: number, known: number): SikuError {
  return new SikuError('store-newer', `the library was written by a newer Siku (format ${found}, this one knows ${known})`, {
    hint: 'Update Siku. Nothing was changed.',
  })
}

/** The version in the file's header, read without opening it as a database, which would already touch the directory. */
export function headerVersion(databasePath: string): number {
  if (!existsSync(databasePath)) return 0
  const header = Buffer.alloc(100)
  const descriptor = openSync(databasePath, 'r')
  try {
    if (readSync(descriptor, header, 0, 100, 0) < 100) return 0
  } finally {
    closeSync(descriptor)
  }
  return header.subarray(0, 15).toString('latin1') === 'SQLite format 3' ? header.readUInt32BE(60) : 0
}

export function refuseNewer(found: number, known: number = migrations.length): void {
  if (found > known) throw newer(found, known)
}

export function versionOf(database: DatabaseSyncInstance): number {
  return (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
}

export function stamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
}

export function freeName(path: (suffix: string) => string): string {
  for (let count = 1; ; count++) {
    const candidate = path(count === 1 ? '' : `-${count}`)
    if (!existsSync(candidate)) return candidate
  }
}

/** A damaged library is renamed, with its log, and never replaced without a word. */
function setAside(databasePath: string, at: number, cause: unknown): never {
  const target = freeName((suffix) => join(dirname(databasePath), `siku.damaged-${stamp(at)}${suffix}.db`))
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(databasePath + part)) renameSync(databasePath + part, target + part)
  }
  throw new SikuError('store-damaged', `the library was damaged and has been set aside as ${target}`, {
    hint: 'Restore a backup, or start Siku again to begin anew and add the folders again. Your own files are untouched.',
    cause,
  })
}

async function copyBefore(database: DatabaseSyncInstance, databasePath: string, version: number, at: number): Promise<string> {
  const directory = join(dirname(databasePath), 'backups')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const target = freeName((suffix) => join(directory, `siku-format-${version}-${stamp(at)}${suffix}.db`))
  const partial = `${target}.partial`
  await backup(database, partial)
  checkCopy(partial)
  renameSync(partial, target)
  return target
}

function migrate(database: DatabaseSyncInstance, sql: string, version: number): void {
  // Tables may have to be made anew, which foreign keys would hinder; they are checked before the end.
  database.exec('PRAGMA foreign_keys = OFF')
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec(sql)
    const broken = database.prepare('PRAGMA foreign_key_check').all()
    if (broken.length > 0) throw new SikuError('internal', `migration ${version} broke ${broken.length} references`)
    database.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${applicationId}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  } finally {
    database.exec('PRAGMA foreign_keys = ON')
  }
}

function isSound(databasePath: string): DatabaseSyncInstance {
  const database = openWriter(databasePath)
  try {
    database.prepare('SELECT name FROM sqlite_schema').all()
    if (versionOf(database) > 0) {
      // The first page of each table: a file that was cut or overwritten shows here.
      for (const table of ['folders', 'contents', 'documents', 'passages', 'vectors', 'chats', 'turns', 'settings']) {
        database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get()
      }
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Makes the database what this version needs, or says why it can't. */
export async function prepareDatabase(options: PrepareOptions): Promise<Prepared> {
  const { databasePath, at } = options
  const steps = options.migrations ?? migrations
  refuseNewer(headerVersion(databasePath), steps.length)
  mkdirSync(dirname(databasePath), { recursive: true, mode: 0o700 })
  let database: DatabaseSyncInstance
  try {
    database = isSound(databasePath)
  } catch (error) {
    if (isDamage(error)) setAside(databasePath, at, error)
    throw error
  }
  try {
    const found = versionOf(database)
    refuseNewer(found, steps.length)
    const empty = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number }
    if (found === 0 && empty.count > 0) {
      throw new SikuError('conflict', `${databasePath} is another program's database`, { hint: 'Choose another data directory.' })
    }
    let copy: string | null = null
    for (let version = found; version < steps.length; version++) {
      // A library that is just being made has nothing to copy.
      if (found > 0) {
        const made = await copyBefore(database, databasePath, version, at)
        copy ??= made
      }
      migrate(database, steps[version] ?? '', version + 1)
    }
    return { version: steps.length, backup: copy }
  } finally {
    database.close()
  }
}

/** Files that `setAside` made. */
export const damagedPattern = /^siku\.damaged-.*\.db$/
