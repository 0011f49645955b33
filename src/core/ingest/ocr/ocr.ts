import type { Reason } from '../../../contract/library.ts'
import type { CoreDeps } from '../../deps.ts'
import { createPool, startChild, type PoolResult } from '../../work/work.ts'
import type { OcrApi, OcrInput, OcrOutcome } from './ocr-api.ts'

export type { OcrInput, OcrOutcome } from './ocr-api.ts'

/** Text recognition in a process of its own, a page at a time. */
export interface PageReader {
  /** Never rejects: how it went is a value. */
  page(input: OcrInput, options: { signal: AbortSignal }): Promise<PoolResult<OcrOutcome>>
  close(): void
}

/** Raised whenever the same page would be recognised differently: names what is stored of it. */
export const recognitionVersion = 4

/** The models take about half of it on a page of A4 at 200 dpi; the rest is for large pictures while they are unpacked. */
const memoryLimitBytes = 1_200_000_000
const pageTimeoutMs = 120_000
const idleMs = 60_000
/** Whatever else the machine does goes first. */
const niceness = 10
const pagesPerChild = 500

export function createPageReader(deps: CoreDeps): PageReader {
  const pool = createPool<OcrApi>({
    start: () => startChild<OcrApi>(deps.startProcess, deps.workerUrl('ocr-process'), { name: 'ocr-process', memoryLimitBytes, niceness }),
    size: 1,
    idleMs,
    jobsPerChild: pagesPerChild,
  })
  return {
    page: (input, { signal }) => pool.run('page', input, { timeoutMs: pageTimeoutMs, signal }),
    close: () => pool.close(),
  }
}

/** Why a page was given up; null when it was only cancelled. */
export function pageProblem(result: Exclude<PoolResult<OcrOutcome>, { kind: 'ok' }>): Reason | null {
  switch (result.kind) {
    case 'cancelled':
      return null
    case 'timed-out':
      return { code: 'too-slow', message: 'Text recognition took too long on this page and was stopped.' }
    case 'out-of-memory':
      return { code: 'too-much-memory', message: 'Text recognition needed too much memory on this page and was stopped.' }
    case 'crashed':
      return { code: 'reader-crashed', message: 'Text recognition ended unexpectedly on this page.' }
    case 'failed':
      return { code: 'internal', message: result.error.message }
  }
}
