import { Worker, type ResourceLimits } from 'node:worker_threads'
import type { StartProcess, WorkerName } from '../deps.ts'
import { createRpcClient, type ToClient, type ToServer } from './rpc-client.ts'
import type { RpcApi, RpcClient, RpcExit } from './rpc-types.ts'
import { memoryLimit } from './watchdog.ts'

interface ThreadOptions {
  name: string
  workerData?: unknown
  resourceLimits?: ResourceLimits
  /**
   * It calls native libraries. A thread that is ended while such a call runs or is awaited takes the whole process down, so
   * this one ends itself, between two turns, also when the process exits.
   */
  native?: boolean
}

/** A native thread that has not ended itself by then never will. */
const endWaitMs = 10_000

/** A thread of this process. */
export function startThread<Api extends RpcApi<Api>>(url: URL, options: ThreadOptions): RpcClient<Api> {
  const worker = new Worker(url, {
    name: options.name,
    workerData: options.workerData,
    ...(options.resourceLimits ? { resourceLimits: options.resourceLimits } : {}),
  })
  let killed = false
  let failure = ''

  const ended = new Int32Array(new SharedArrayBuffer(4))

  function askToEnd(): void {
    const message: ToServer = { type: 'end', ended }
    worker.postMessage(message)
  }
  function onProcessExit(): void {
    askToEnd()
    Atomics.wait(ended, 0, 0, endWaitMs)
  }
  if (options.native) {
    process.on('exit', onProcessExit)
    worker.on('exit', () => process.off('exit', onProcessExit))
  }
  return createRpcClient<Api>(options.name, {
    pid: undefined,
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', (message: ToClient) => listener(message)),
    onExit(listener) {
      worker.on('error', (error: Error & { code?: string }) => (failure = error.code ?? 'error'))
      worker.on('exit', (code) => {
        listener({ kind: killed ? 'killed' : failure === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out-of-memory' : 'ended', code })
      })
    },
    kill() {
      if (!options.native) void worker.terminate()
      else if (!killed) {
        askToEnd()
        const timer = setTimeout(() => void worker.terminate(), endWaitMs)
        worker.on('exit', () => clearTimeout(timer))
      }
      killed = true
    },
  })
}

interface ChildOptions {
  name: WorkerName
  args?: string[]
  /** Resident size at which the child is ended from within, even while its main thread spins. */
  memoryLimitBytes?: number
  /** 0 to 19; larger is nicer to the rest of the machine. */
  niceness?: number
}

/** A child process, made the host's way. */
export function startChild<Api extends RpcApi<Api>>(startProcess: StartProcess, url: URL, options: ChildOptions): RpcClient<Api> {
  const limit = options.memoryLimitBytes === undefined ? null : memoryLimit(options.memoryLimitBytes)
  const handle = startProcess(url, {
    name: options.name,
    args: [...(options.args ?? []), ...(limit?.args ?? [])],
    ...(options.niceness === undefined ? {} : { niceness: options.niceness }),
  })
  let killed = false
  return createRpcClient<Api>(options.name, {
    get pid() {
      return handle.pid
    },
    post: (message) => handle.post(message),
    onMessage: (listener) => handle.onMessage((message) => listener(message as ToClient)),
    onExit(listener) {
      handle.onExit((code) => {
        const kind: RpcExit['kind'] = limit?.wasExceeded() ? 'out-of-memory' : killed ? 'killed' : 'ended'
        listener({ kind, code })
      })
    },
    kill() {
      killed = true
      handle.kill()
    },
  })
}
