import { backup, DatabaseSync } from '@photostructure/sqlite'
import { SikuError } from '../../contract/errors.ts'
import { serveRpc } from '../work/work.ts'
import { openWriter } from './connection.ts'
import { keepPrivate } from './data-directory.ts'
import { writeChecked } from './copy-library.ts'
import { toStoreError } from './store-error.ts'
import { prepareDatabase, type PrepareOptions, type Prepared } from './migrate.ts'
import { createWriteContext, type WriteContext } from './write-context.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'
import { durabilityOf, writes, type WriteName } from './writes.ts'

/** The only writing connection. */
interface Opened {
  database: ReturnType<typeof openWriter>
  context: WriteContext
  queue: WriteQueue
}
let opened: Opened | null = null
/** Copies that are being made beside the thread. */
const copies = new Set<Promise<unknown>>()

function tracked<Value>(work: Promise<Value>): Promise<Value> {
  const copy = work.finally(() => copies.delete(copy))
  copies.add(copy)
  return copy
}

function writer(): Opened {
  if (!opened) throw new SikuError('internal', 'the store is not open')
  return opened
}

/** SQLite's errors get their meaning here, before they cross to the other thread. */
async function meaningful<Value>(work: () => Promise<Value> | Value): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}

const api = {
  open: (options: PrepareOptions): Promise<Prepared> =>
    meaningful(async () => {
      const prepared = await tracked(prepareDatabase(options))
      const database = openWriter(options.databasePath)
      // What SQLite makes beside it later takes these permissions from it.
      for (const part of ['', '-wal', '-shm']) keepPrivate(options.databasePath + part, 0o600)
      const context = createWriteContext(database)
      opened = { database, context, queue: createWriteQueue(context) }
      return prepared
    }),

  write: ({ name, input }: { name: WriteName; input: unknown }): Promise<unknown> =>
    meaningful(() => {
      const { context, queue } = writer()
      const run = writes[name] as (context: WriteContext, input: unknown) => unknown
      return queue.enqueue(durabilityOf(name), () => run(context, input))
    }),

  quickCheck: (): Promise<string[]> =>
    meaningful(() => {
      const rows = writer().database.prepare('PRAGMA quick_check').all() as { quick_check: string }[]
      return rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
    }),

  backup: ({ file }: { file: string }): Promise<void> =>
    meaningful(async () => {
      const source = new DatabaseSync(writer().context.database.location() ?? '', { readOnly: true })
      try {
        await writeChecked(file, (partial) => tracked(backup(source, partial, { rate: 2000 })))
      } finally {
        source.close()
      }
    }),

  close: (): Promise<void> =>
    meaningful(async () => {
      if (!opened) return
      const { database, queue } = opened
      await queue.whenEmpty()
      await Promise.allSettled(copies)
      opened = null
      // Statements keep a closed connection half alive until they are collected, so the log is emptied by hand.
      database.exec('PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    }),
}
export type WriterApi = typeof api

serveRpc<WriterApi>(api, { beforeEnd: () => Promise.allSettled(copies) })
