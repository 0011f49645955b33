import type { CoreDeps } from '../../deps.ts'
import type { Store } from '../../store/store.ts'
import type { ReadTables } from '../../tables/tables.ts'
import { createPool, startChild } from '../../work/work.ts'
import type { TableProcessApi } from './table-process.ts'

export interface TableReader {
  read: ReadTables
  close(): void
}

/** What may be read by others meanwhile leaves it little of the processor; that it can be read at all is known by then. */
const patience = 10

/** Reads sheets in a process of its own, under the limits of reading, after everything else. */
export function createTableReader(deps: Pick<CoreDeps, 'startProcess' | 'workerUrl'>, store: Pick<Store, 'settings'>): TableReader {
  const pool = createPool<TableProcessApi>({
    start: () =>
      startChild<TableProcessApi>(deps.startProcess, deps.workerUrl('table-process'), {
        name: 'table-process',
        memoryLimitBytes: store.settings.read().readMemoryBytes,
        niceness: 5,
      }),
    size: 1,
    jobsPerChild: 500,
  })
  return {
    async read(file, { signal, onEvents }) {
      const timeoutMs = store.settings.read().readTimeoutMs * patience
      const result = await pool.run('read', file, { signal, timeoutMs, onEvent: onEvents })
      switch (result.kind) {
        case 'ok':
          return result.value
        case 'cancelled':
          return { kind: 'later' }
        case 'failed':
          throw result.error
        case 'timed-out':
          return { kind: 'failed', problem: 'too-slow' }
        case 'out-of-memory':
          return { kind: 'failed', problem: 'too-much-memory' }
        case 'crashed':
          return { kind: 'failed', problem: 'reader-crashed' }
      }
    },
    close: () => pool.close(),
  }
}
