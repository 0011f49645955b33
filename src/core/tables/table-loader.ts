import { basename, extname } from 'node:path'
import { toSikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import type { Store } from '../store/store.ts'
import { startThread, type RpcClient } from '../work/work.ts'
import type { SheetEvent } from './tables-database.ts'
import type { TablesApi } from './tables-thread.ts'

/** `changed`: the file holds other bytes by now; it is loaded when they are read. `later`: nothing can be said of it now. */
export type TablesRead = { kind: 'ok' } | { kind: 'changed' } | { kind: 'later' } | { kind: 'failed'; problem: string }

export type ReadTables = (
  file: { path: string; hash: string },
  options: { signal: AbortSignal; onEvents: (events: SheetEvent[]) => Promise<void> },
) => Promise<TablesRead>

export interface TableLoader {
  start(): void
  putSummary(key: string, summary: string): Promise<void>
  whenIdle(): Promise<void>
  close(): Promise<void>
}

interface LoaderOptions {
  deps: Pick<CoreDeps, 'workerUrl' | 'now' | 'log'>
  store: Store
  databasePath: string
  read: ReadTables
}

/** Many documents are stored one after the other: they are looked at together. */
const gatherMs = 200

/** Keeps tables.db equal to the sheets of the library: what the store has and it has not is loaded, the rest goes. */
export function createTableLoader({ deps, store, databasePath, read }: LoaderOptions): TableLoader {
  const closing = new AbortController()
  const known = new Map<string, string>()
  let thread: RpcClient<TablesApi> | null = null
  let running: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null
  let stopListening: (() => void) | null = null
  /** The file that was changed or away is tried again when the store says something new. */
  const putOff = new Set<string>()

  async function writer(): Promise<RpcClient<TablesApi>> {
    if (thread !== null && !thread.dead) return thread
    const started = startThread<TablesApi>(deps.workerUrl('tables-thread'), { name: 'tables-thread', native: true })
    thread = started
    const sources = await started.call('open', { databasePath })
    known.clear()
    for (const { hash, state } of sources) known.set(hash, state)
    return started
  }

  function wanted(): { hash: string; path: string }[] {
    return store.reader
      .prepare(
        `SELECT hash, min(path) AS path FROM live_documents
         WHERE kind = 'sheet' AND status IN ('ready', 'partial') AND content_id IS NOT NULL AND hash IS NOT NULL GROUP BY hash ORDER BY min(size)`,
      )
      .all() as { hash: string; path: string }[]
  }

  /** Removed folders count until the next start: they may come back. */
  function kept(): Set<string> {
    const rows = store.reader.prepare("SELECT DISTINCT hash FROM documents WHERE kind = 'sheet' AND hash IS NOT NULL").all()
    return new Set((rows as { hash: string }[]).map((row) => row.hash))
  }

  async function load(tables: RpcClient<TablesApi>, { hash, path }: { hash: string; path: string }): Promise<void> {
    await tables.call('begin', { hash, name: basename(path, extname(path)) })
    const result = await read({ path, hash }, { signal: closing.signal, onEvents: (events) => tables.call('take', events) })
    if (result.kind === 'ok') await tables.call('finish', { hash })
    else if (result.kind === 'failed') await tables.call('fail', { hash, problem: result.problem })
    else {
      await tables.call('remove', { hashes: [hash] })
      putOff.add(hash)
      return
    }
    known.set(hash, result.kind)
  }

  async function reconcile(): Promise<void> {
    // No thread is begun, and no file made, in a library without sheets.
    if (thread === null && wanted().length === 0) return
    const tables = await writer()
    const keep = kept()
    const gone = [...known.keys()].filter((hash) => !keep.has(hash))
    if (gone.length > 0) {
      await tables.call('remove', { hashes: gone })
      for (const hash of gone) known.delete(hash)
    }
    for (const next of wanted()) {
      if (closing.signal.aborted) return
      if (!known.has(next.hash) && !putOff.has(next.hash)) await load(tables, next)
    }
  }

  async function run(): Promise<void> {
    do {
      again = false
      try {
        await reconcile()
      } catch (error) {
        if (closing.signal.aborted) return
        // A full disk, mostly. The next change of the library tries again.
        deps.log('warn', 'sheets could not be loaded', { code: toSikuError(error).code, message: toSikuError(error).message })
      }
    } while (again && !closing.signal.aborted)
  }

  function wake(): void {
    if (closing.signal.aborted) return
    again = true
    running ??= run().finally(() => {
      running = null
      if (again) wake()
    })
  }

  function changed(): void {
    putOff.clear()
    timer ??= setTimeout(() => {
      timer = null
      wake()
    }, gatherMs)
    timer.unref()
  }

  return {
    start() {
      if (store.mode === 'read-only' || stopListening !== null) return
      stopListening = store.onChange((what) => {
        if (what === 'documents' || what === 'folders') changed()
      })
      wake()
    },
    putSummary: async (key, summary) => {
      if (store.mode === 'read-only' || closing.signal.aborted) return
      await (await writer()).call('putSummary', { key, summary, at: deps.now() })
    },
    async whenIdle() {
      while (timer !== null || running !== null) {
        if (timer !== null) {
          clearTimeout(timer)
          timer = null
          wake()
        }
        await running
      }
    },
    async close() {
      closing.abort()
      stopListening?.()
      if (timer !== null) clearTimeout(timer)
      await running
      if (thread === null) return
      try {
        if (!thread.dead) await thread.call('close', undefined)
      } catch (error) {
        deps.log('warn', 'the tables were not closed cleanly', { error: String(error) })
      }
      thread.kill()
    },
  }
}
