import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import type { ExtractResult, Reason, Section, SplitPiece, SplitStrategy } from '../../contract/library.ts'
import type { CoreDeps } from '../deps.ts'
import { tokenizerKey } from '../embed/embed.ts'
import type { Store } from '../store/store.ts'
import { createPool, startChild, type Pool, type PoolResult } from '../work/work.ts'
import type { FileInput, HashResult, ReadingApi, ReadResult, ReadSlice } from './reading-api.ts'
import { readingRecipe, type HeardSegment, type RecognisedLine } from './read/read.ts'
import { kindOf } from './read/kind.ts'

export type { HashResult, ReadResult, ReadSlice } from './reading-api.ts'

export interface SplitOptions {
  strategy?: SplitStrategy
  maxTokens?: number
  overlap?: number
}

/** What text recognition read of these bytes, or was heard in them. */
export interface RecognisedPages {
  hash: string
  pages: ReadonlyMap<number, RecognisedLine[]>
  heard?: readonly HeardSegment[]
}

export interface Extracted extends ExtractResult {
  /** Pages that text recognition could read. */
  pagesToRecognise: number[]
}

/** The reading processes: each document alone in one, under the limits of the settings. */
export interface DocumentReader {
  /** Documents worth reading at one time. */
  readonly jobs: number
  /** From now on this file gets more time and memory than the settings give. */
  giveMore(path: string): void
  /** Names how documents are read and split now. */
  recipe(): Promise<string>
  /** Names how this one is when its time did not suffice for all of it. */
  shortRecipe(path: string, recipe: string): string
  read(
    path: string,
    options: {
      signal: AbortSignal
      recognised?: RecognisedPages | null
      password?: string
      onSlice: (slice: ReadSlice) => void | Promise<void>
    },
  ): Promise<PoolResult<ReadResult>>
  hash(path: string, options: { signal: AbortSignal }): Promise<PoolResult<HashResult>>
  kind(path: string, options: { signal: AbortSignal }): Promise<PoolResult<ReadResult['kind']>>
  extract(path: string, options?: { signal?: AbortSignal; recognised?: RecognisedPages; password?: string }): Promise<Extracted>
  /** Whether a password opens a document; the reason why not. */
  tryPassword(path: string, password: string, signal?: AbortSignal): Promise<Reason | null>
  /** The bytes of a document inside another; the reason why there are none. */
  bytes(path: string, onPart: (part: Uint8Array) => Promise<void>, signal?: AbortSignal): Promise<Reason | null>
  split(path: string, options: SplitOptions, signal?: AbortSignal): Promise<SplitPiece[]>
  close(): void
}

/** One core is left to what shows and answers; more than two would only take memory from the embedding. */
const processes = Math.min(2, availableParallelism())
/** What a file gets that was given more. */
const more = { time: 10, memory: 3 }
/** Of its time: then reading ends by itself and what it has is kept. Of one that does not come to it, nothing is. */
const ownEnd = 0.75
/** pdf.js and others never give all of it back. */
const jobsPerChild = 1000

function recognisedInput(recognised: RecognisedPages | null | undefined): Pick<FileInput, 'recognised' | 'recognisedOf' | 'heard'> {
  if (recognised === null || recognised === undefined) return {}
  const { hash, pages, heard } = recognised
  return { recognised: pages, recognisedOf: hash, ...(heard === undefined ? {} : { heard }) }
}

function passwordInput(password: string | undefined): Pick<FileInput, 'password'> {
  return password === undefined ? {} : { password }
}

/** Null: it was cancelled, which is no failure. */
export function failureOf(result: Exclude<PoolResult<unknown>, { kind: 'ok' }>): Reason | null {
  switch (result.kind) {
    case 'cancelled':
      return null
    case 'timed-out':
      return { code: 'too-slow', message: 'Reading took too long and was stopped.' }
    case 'out-of-memory':
      return { code: 'too-much-memory', message: 'Reading needed too much memory and was stopped.' }
    case 'crashed':
      return { code: 'reader-crashed', message: 'The reader ended unexpectedly on this document.' }
    case 'failed':
      return { code: 'internal', message: result.error.message }
  }
}

export function createReader(deps: CoreDeps, store: Store): DocumentReader {
  const { resourcesDir } = deps
  /** By the memory that their processes may take, which is set when they start. */
  const pools = new Map<number, Pool<ReadingApi>>()
  const given = new Set<string>()
  let recipe: Promise<string> | null = null
  let closed = false

  function poolOf(memoryLimitBytes: number, size: number): Pool<ReadingApi> {
    const known = pools.get(memoryLimitBytes)
    if (known !== undefined) return known
    const pool = createPool<ReadingApi>({
      start: () =>
        startChild<ReadingApi>(deps.startProcess, deps.workerUrl('reading-process'), { name: 'reading-process', memoryLimitBytes }),
      size,
      jobsPerChild,
    })
    pools.set(memoryLimitBytes, pool)
    if (closed) pool.close()
    return pool
  }

  function timeoutOf(path: string): number {
    return store.settings.read().readTimeoutMs * (given.has(path) ? more.time : 1)
  }

  function limitsOf(path: string): { pool: Pool<ReadingApi>; timeoutMs: number; timeMs: number } {
    const timeoutMs = timeoutOf(path)
    const times = { timeoutMs, timeMs: Math.round(timeoutMs * ownEnd) }
    const { readMemoryBytes } = store.settings.read()
    if (!given.has(path)) return { pool: poolOf(readMemoryBytes, processes), ...times }
    const memoryBytes = Math.max(readMemoryBytes, Math.min(readMemoryBytes * more.memory, Math.floor(totalmem() / 2)))
    return { pool: poolOf(memoryBytes, 1), ...times }
  }

  function orThrow(reason: Reason | null): Reason {
    if (reason === null) throw new SikuError('cancelled', 'cancelled')
    return reason
  }

  return {
    jobs: processes * 2,
    recipe() {
      recipe ??= tokenizerKey(resourcesDir).then(readingRecipe)
      recipe.catch(() => (recipe = null))
      return recipe
    },
    shortRecipe: (path, full) => `${full}/within-${timeoutOf(path)}`,
    read(path, { signal, recognised, password, onSlice }) {
      const { pool, timeoutMs, timeMs } = limitsOf(path)
      const input = { path, resourcesDir, timeMs, ...recognisedInput(recognised), ...passwordInput(password) }
      return pool.run('read', input, { timeoutMs, signal, onEvent: onSlice })
    },
    hash(path, { signal }) {
      const { pool, timeoutMs } = limitsOf(path)
      return pool.run('hash', { path }, { timeoutMs, signal })
    },
    kind(path, { signal }) {
      const { pool, timeoutMs } = limitsOf(path)
      return pool.run('kind', { path }, { timeoutMs, signal })
    },
    giveMore: (path) => void given.add(path),
    async extract(path, { signal, recognised, password } = {}) {
      const sections: Section[] = []
      const { pool, timeoutMs, timeMs } = limitsOf(path)
      const input = { path, timeMs, ...recognisedInput(recognised), ...passwordInput(password) }
      const result = await pool.run('extract', input, { timeoutMs, signal, onEvent: (part) => void sections.push(...part) })
      if (result.kind !== 'ok') {
        return { path, kind: kindOf(path), status: 'failed', reason: orThrow(failureOf(result)), sections, inner: [], pagesToRecognise: [] }
      }
      const { kind, status, reason, pagesToRecognise = [], inner = [] } = result.value
      const paths = inner.map((each) => join(path, ...each.path.split('/')))
      return { path, kind, status, reason, sections, inner: paths, pagesToRecognise }
    },
    async tryPassword(path, password, signal) {
      const enough = new AbortController()
      const ending = signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal])
      // The first text says enough.
      const { pool, timeoutMs } = limitsOf(path)
      const result = await pool.run('extract', { path, password }, { timeoutMs, signal: ending, onEvent: () => enough.abort() })
      if (enough.signal.aborted) return null
      if (result.kind !== 'ok') return orThrow(failureOf(result))
      const { status, reason, pagesToRecognise = [] } = result.value
      return status === 'failed' && pagesToRecognise.length === 0 ? reason : null
    },
    async bytes(path, onPart, signal) {
      const { pool, timeoutMs } = limitsOf(path)
      const result = await pool.run('bytes', { path }, { timeoutMs, signal, onEvent: onPart })
      return result.kind === 'ok' ? result.value : orThrow(failureOf(result))
    },
    async split(path, { strategy = 'structure', maxTokens, overlap }, signal) {
      const pieces: SplitPiece[] = []
      const { pool, timeoutMs, timeMs } = limitsOf(path)
      const input = { path, resourcesDir, timeMs, strategy, maxTokens, overlap }
      const result = await pool.run('split', input, { timeoutMs, signal, onEvent: (part) => void pieces.push(...part) })
      const reason = result.kind === 'ok' ? result.value.reason : orThrow(failureOf(result))
      const failed = result.kind !== 'ok' || result.value.status === 'failed' || result.value.status === 'skipped'
      if (failed && reason !== null) throw new SikuError(reason.code === 'gone' ? 'not-found' : 'unsupported', reason.message)
      return pieces
    },
    close() {
      closed = true
      for (const pool of pools.values()) pool.close()
    },
  }
}
