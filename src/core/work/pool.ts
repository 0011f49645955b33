import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { RpcApi, RpcClient, RpcEvent, RpcExit, RpcInput, RpcOutput } from './rpc-types.ts'

export type PoolResult<Value> =
  | { kind: 'ok'; value: Value }
  /** The handler threw. */
  | { kind: 'failed'; error: SikuError }
  | { kind: 'cancelled' }
  | { kind: 'timed-out' }
  | { kind: 'out-of-memory' }
  | { kind: 'crashed'; code: number | null }

interface JobOptions<Event> {
  signal?: AbortSignal
  /** Counted from when a child begins the job, not while it waits for one. */
  timeoutMs?: number
  onEvent?: (event: Event) => void | Promise<void>
}

export interface Pool<Api extends RpcApi<Api>> {
  /** Never rejects: how a job went is a value. */
  run<K extends keyof Api & string>(
    name: K,
    input: RpcInput<Api[K]>,
    options?: JobOptions<RpcEvent<Api[K]>>,
  ): Promise<PoolResult<RpcOutput<Api[K]>>>
  readonly running: number
  readonly waiting: number
  setSize(size: number): void
  /** Ends every child; waiting and running jobs are cancelled. */
  close(): void
}

interface PoolOptions<Api extends RpcApi<Api>> {
  /** Makes a child; called when a job waits and none is free. */
  start: () => RpcClient<Api>
  /** Children at most, one job at a time each. */
  size: number
  /** A child that has had nothing to do for so long is ended. */
  idleMs?: number
  /** A child that has not come up within this counts as crashed. */
  startTimeoutMs?: number
  /** A child is replaced after so many jobs. */
  jobsPerChild?: number
}

interface Child<Api extends RpcApi<Api>> {
  client: RpcClient<Api>
  busy: boolean
  jobs: number
  exit: RpcExit | null
  idleTimer: NodeJS.Timeout | undefined
}

/** A cancelled or timed-out handler may stop by itself within this; then its child is ended. */
const graceMs = 250

export function createPool<Api extends RpcApi<Api>>(options: PoolOptions<Api>): Pool<Api> {
  const { start, idleMs = 30_000, startTimeoutMs = 30_000, jobsPerChild = Infinity } = options
  const children = new Set<Child<Api>>()
  const queue: { begin: (child: Child<Api>) => void; fail: (result: PoolResult<never>) => void }[] = []
  let size = options.size
  let closed = false

  function startOne(): Child<Api> {
    const child: Child<Api> = { client: start(), busy: false, jobs: 0, exit: null, idleTimer: undefined }
    children.add(child)
    child.client.onExit((exit) => {
      child.exit = exit
      clearTimeout(child.idleTimer)
      children.delete(child)
      advance()
    })
    return child
  }

  function drop(child: Child<Api>): void {
    clearTimeout(child.idleTimer)
    children.delete(child)
    child.client.kill()
  }

  function advance(): void {
    while (queue.length > 0 && !closed) {
      let child = [...children].find((candidate) => !candidate.busy)
      if (!child) {
        if (children.size >= size) return
        try {
          child = startOne()
        } catch {
          queue.shift()?.fail({ kind: 'crashed', code: null })
          continue
        }
      }
      clearTimeout(child.idleTimer)
      child.busy = true
      child.jobs++
      queue.shift()?.begin(child)
    }
  }

  function release(child: Child<Api>): void {
    child.busy = false
    if (child.exit === null) {
      if (closed || child.jobs >= jobsPerChild || children.size > size) drop(child)
      else {
        child.idleTimer = setTimeout(() => drop(child), idleMs)
        child.idleTimer.unref()
      }
    }
    advance()
  }

  /** Waits a little for the handler to stop; a child whose handler does not is ended. */
  async function settle(child: Child<Api>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), graceMs)))
    if ((await Promise.race([child.client.whenIdle(), late])) === 'late') drop(child)
    clearTimeout(timer)
  }

  async function waitForStart(child: Child<Api>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        drop(child)
        reject(new SikuError('timeout', `${child.client.name} did not start`))
      }, startTimeoutMs)
    })
    try {
      await Promise.race([child.client.ready, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async function perform<K extends keyof Api & string>(
    child: Child<Api>,
    name: K,
    input: RpcInput<Api[K]>,
    job: JobOptions<RpcEvent<Api[K]>>,
  ): Promise<PoolResult<RpcOutput<Api[K]>>> {
    const timeout = new AbortController()
    let timer: NodeJS.Timeout | undefined
    try {
      await waitForStart(child)
      if (job.timeoutMs !== undefined) timer = setTimeout(() => timeout.abort(), job.timeoutMs)
      const signal = job.signal ? AbortSignal.any([job.signal, timeout.signal]) : timeout.signal
      return { kind: 'ok', value: await child.client.call(name, input, { signal, onEvent: job.onEvent }) }
    } catch (error) {
      const exit = child.exit
      if (exit) {
        if (job.signal?.aborted || closed) return { kind: 'cancelled' }
        if (exit.kind === 'out-of-memory') return { kind: 'out-of-memory' }
        return { kind: 'crashed', code: exit.code }
      }
      await settle(child)
      if (timeout.signal.aborted) return { kind: 'timed-out' }
      const problem = toSikuError(error)
      if (!children.has(child)) return job.signal?.aborted || closed ? { kind: 'cancelled' } : { kind: 'crashed', code: null }
      return problem.code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', error: problem }
    } finally {
      clearTimeout(timer)
      release(child)
    }
  }

  function run<K extends keyof Api & string>(name: K, input: RpcInput<Api[K]>, job: JobOptions<RpcEvent<Api[K]>> = {}) {
    return new Promise<PoolResult<RpcOutput<Api[K]>>>((resolve) => {
      if (closed || job.signal?.aborted) return resolve({ kind: 'cancelled' })
      const entry = {
        begin(child: Child<Api>): void {
          job.signal?.removeEventListener('abort', leave)
          void perform(child, name, input, job).then(resolve)
        },
        fail(result: PoolResult<never>): void {
          job.signal?.removeEventListener('abort', leave)
          resolve(result)
        },
      }
      function leave(): void {
        const index = queue.indexOf(entry)
        if (index >= 0) queue.splice(index, 1)
        resolve({ kind: 'cancelled' })
      }
      job.signal?.addEventListener('abort', leave, { once: true })
      queue.push(entry)
      advance()
    })
  }

  return {
    run,
    get running() {
      return [...children].filter((child) => child.busy).length
    },
    get waiting() {
      return queue.length
    },
    setSize(next) {
      size = next
      advance()
    },
    close() {
      closed = true
      for (const entry of queue.splice(0)) entry.fail({ kind: 'cancelled' })
      for (const child of children) drop(child)
    },
  }
}
