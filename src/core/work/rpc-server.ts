import { parentPort, type MessagePort } from 'node:worker_threads'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import { startWatchdog } from './watchdog.ts'
import type { ToClient, ToServer } from './rpc-client.ts'
import { eventWindow, type CallContext, type RpcApi } from './rpc-types.ts'

interface ServerChannel {
  post(message: ToClient): void
  listen(listener: (message: ToServer) => void): void
}

/** What Electron gives a utility process; core does not know Electron's types. */
interface ElectronParentPort {
  postMessage(message: unknown): void
  on(name: 'message', listener: (event: { data: unknown }) => void): void
}

function portChannel(port: MessagePort): ServerChannel {
  return { post: (message) => port.postMessage(message), listen: (listener) => void port.on('message', listener) }
}

/** The way to whoever started this thread or process. */
function findChannel(): ServerChannel {
  if (parentPort) return portChannel(parentPort)
  const electron = (process as unknown as { parentPort?: ElectronParentPort }).parentPort
  if (electron) {
    return {
      post: (message) => electron.postMessage(message),
      listen: (listener) => electron.on('message', (event) => listener(event.data as ToServer)),
    }
  }
  if (process.send) {
    // A terminal's Ctrl-C reaches the whole group; when to end is for the host to say.
    process.on('SIGINT', () => undefined)
    // A child must not outlive its host. By signal: leaving the usual way while a native library is loading ends in a crash.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    return {
      // A host that is gone is heard of by "disconnect"; a message that no longer reaches it is no error of its own.
      post: (message) => {
        if (process.connected) process.send?.(message, () => undefined)
      },
      listen: (listener) => void process.on('message', (message) => listener(message as ToServer)),
    }
  }
  throw new SikuError('internal', 'this file must be started as a thread or child process')
}

interface RunningHandler {
  abort: AbortController
  /** Events the caller has not taken yet. */
  underway: number
  wake: (() => void)[]
}

interface ServeOptions {
  port?: MessagePort
  /** What a thread that is asked to end waits for: native work that runs beside it. */
  beforeEnd?: () => Promise<unknown>
}

/** Serves an api to whoever started this thread or process, or over a given port. Call it once, at the end of an entry file. */
export function serveRpc<Api extends RpcApi<Api>>(api: Api, { port, beforeEnd }: ServeOptions = {}): void {
  const channel = port ? portChannel(port) : findChannel()
  const running = new Map<number, RunningHandler>()
  const handlers = api as unknown as Record<string, (input: unknown, context: CallContext<unknown>) => unknown>

  function postSafely(id: number, message: ToClient): void {
    try {
      channel.post(message)
    } catch (error) {
      channel.post({ type: 'error', id, error: toSikuError(error).toValue() })
    }
  }

  async function run(id: number, name: string, input: unknown): Promise<void> {
    const state: RunningHandler = { abort: new AbortController(), underway: 0, wake: [] }
    running.set(id, state)
    const context: CallContext<unknown> = {
      signal: state.abort.signal,
      async emit(event) {
        if (state.abort.signal.aborted) return
        channel.post({ type: 'event', id, event })
        state.underway++
        if (state.underway >= eventWindow) await new Promise<void>((resolve) => state.wake.push(resolve))
      },
    }
    try {
      if (!Object.hasOwn(handlers, name)) throw new SikuError('internal', `no handler is called ${name}`)
      const value = await handlers[name]?.(input, context)
      postSafely(id, { type: 'result', id, value })
    } catch (error) {
      postSafely(id, { type: 'error', id, error: toSikuError(error).toValue() })
    } finally {
      running.delete(id)
    }
  }

  async function end(ended: Int32Array): Promise<void> {
    await beforeEnd?.().catch(() => undefined)
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
    process.exit(0)
  }

  channel.listen((message) => {
    if (message.type === 'end') return void end(message.ended)
    if (message.type === 'call') return void run(message.id, message.name, message.input)
    const state = running.get(message.id)
    if (!state) return
    if (message.type === 'taken') state.underway--
    else state.abort.abort()
    for (const wake of state.wake.splice(0)) wake()
  })
  if (!port && !parentPort) startWatchdog(process.argv)
  channel.post({ type: 'ready' })
}
