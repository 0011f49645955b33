import { Worker, type ResourceLimits } from 'node:worker_threads'
import type { StartProcess, WorkerName } from '../deps.ts'
import { createRpcClient, type ToClient } from './rpc-client.ts'
import type { RpcApi, RpcClient, RpcExit } from './rpc-types.ts'
import { memoryLimit } from './watchdog.ts'

interface ThreadOptions {
  name: string
  workerData?: unknown
  resourceLimits?: ResourceLimits
}

/** A thread of this process. */
export function startThread<Api extends RpcApi<Api>>(url: URL, options: ThreadOptions): RpcClient<Api> {
  const worker = new Worker(url, {
    name: options.name,
    workerData: options.workerData,
    ...(options.resourceLimits ? { resourceLimits: options.resourceLimits } : {}),
  })
  let killed = false
  let failure = ''
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
      killed = true
      void worker.terminate()
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
