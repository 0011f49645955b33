import { cancelled, SikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import { createPool, startThread } from '../work/work.ts'
import type { SandboxLimits, SandboxResult } from './sandbox-run.ts'
import type { SandboxApi } from './sandbox-thread.ts'

export type { SandboxLimits, SandboxResult } from './sandbox-run.ts'

export interface Sandbox {
  /** One after another. Rejects only when it is cancelled or the thread cannot be had. */
  run(code: string, signal: AbortSignal): Promise<SandboxResult>
  close(): void
}

const idleMs = 30_000
/** Of the thread, beyond the interpreter's own limit: then the whole thread is ended. */
const graceMs = 1000

/** The thread is kept for the next run, and ended when it holds on to the processor or has nothing to do. */
export function createSandbox(deps: Pick<CoreDeps, 'workerUrl'>, limits: SandboxLimits): Sandbox {
  const pool = createPool<SandboxApi>({
    start: () =>
      startThread<SandboxApi>(deps.workerUrl('sandbox-thread'), {
        name: 'sandbox-thread',
        resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, codeRangeSizeMb: 16 },
      }),
    size: 1,
    idleMs,
  })
  const ended = (outcome: SandboxResult['outcome']): SandboxResult => ({ outcome, text: '', printed: '', printedCut: false })
  return {
    async run(code, signal) {
      const result = await pool.run('run', { code, limits }, { signal, timeoutMs: limits.timeoutMs + graceMs })
      switch (result.kind) {
        case 'ok':
          return result.value
        case 'timed-out':
          return ended('timeout')
        case 'out-of-memory':
          return ended('memory')
        case 'cancelled':
          throw cancelled()
        case 'failed':
          throw result.error
        case 'crashed':
          throw new SikuError('internal', 'The sandbox ended.', { retryable: true })
      }
    },
    close: () => pool.close(),
  }
}
