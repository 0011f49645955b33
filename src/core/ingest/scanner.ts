import { cancelled, SikuError } from '../../contract/errors.ts'
import type { DocumentKind } from '../../contract/library.ts'
import type { CoreDeps } from '../deps.ts'
import { createPool, startThread, type PoolResult } from '../work/work.ts'
import type { FoundFile, ScanEvent, ScanOptions } from './scan.ts'
import type { ScanApi, ScanMessage } from './scan-thread.ts'

/** The scan threads. Nothing here ever waits for a disk on the caller's thread. */
export interface Scanner {
  scan(options: ScanOptions, onEvent: (event: ScanEvent) => void | Promise<void>, signal: AbortSignal): Promise<void>
  hash(paths: string[], signal: AbortSignal): Promise<(string | null)[]>
  kinds(paths: string[], signal?: AbortSignal): Promise<(DocumentKind | null)[]>
  close(): void
}

const idleMs = 60_000

function toEvent(message: ScanMessage): ScanEvent {
  if (message.type !== 'files') return message
  const files: FoundFile[] = message.paths
    .split('\0')
    .map((path, index) => ({ path, sizeBytes: message.sizes[index]!, modifiedMs: message.times[index]! }))
  return { type: 'files', files }
}

function valueOf<Value>(result: PoolResult<Value>): Value {
  if (result.kind === 'ok') return result.value
  if (result.kind === 'failed') throw result.error
  if (result.kind === 'cancelled') throw cancelled()
  throw new SikuError('internal', 'the thread that looks at folders ended', { retryable: true })
}

export function createScanner(deps: CoreDeps, size: number): Scanner {
  const pool = createPool<ScanApi>({
    start: () => startThread<ScanApi>(deps.workerUrl('scan-thread'), { name: 'scan-thread' }),
    size,
    idleMs,
  })
  return {
    async scan(options, onEvent, signal) {
      valueOf(await pool.run('scan', options, { signal, onEvent: (message) => onEvent(toEvent(message)) }))
    },
    hash: async (paths, signal) => (paths.length === 0 ? [] : valueOf(await pool.run('hash', { paths }, { signal }))),
    kinds: async (paths, signal) =>
      paths.length === 0 ? [] : valueOf(await pool.run('kinds', { paths }, { ...(signal === undefined ? {} : { signal }) })),
    close: () => pool.close(),
  }
}
