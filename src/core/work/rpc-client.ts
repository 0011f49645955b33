import { cancelled, SikuError, toSikuError, type ErrorValue } from '../../contract/errors.ts'
import type { CallOptions, RpcApi, RpcClient, RpcEvent, RpcExit, RpcInput, RpcOutput } from './rpc-types.ts'

export type ToServer =
  | { type: 'call'; id: number; name: string; input: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'taken'; id: number }
  /** To a thread: end between two turns, when nothing native runs. `ended` becomes 1 right before. */
  | { type: 'end'; ended: Int32Array }

export type ToClient =
  | { type: 'ready' }
  | { type: 'event'; id: number; event: unknown }
  | { type: 'result'; id: number; value: unknown }
  | { type: 'error'; id: number; error: ErrorValue }

export interface ClientChannel {
  readonly pid: number | undefined
  post(message: ToServer): void
  onMessage(listener: (message: ToClient) => void): void
  onExit(listener: (exit: RpcExit) => void): void
  kill(): void
}

interface RunningCall {
  settle(result: { value: unknown } | { error: SikuError }): void
  onEvent: ((event: unknown) => void | Promise<void>) | undefined
  /** The events taken so far; the result waits for it. */
  events: Promise<void>
  settled: boolean
}

function exitError(name: string, exit: RpcExit): SikuError {
  const how = exit.kind === 'out-of-memory' ? 'used too much memory' : exit.kind === 'killed' ? 'was stopped' : `ended (code ${exit.code})`
  return new SikuError('internal', `${name} ${how}`, { retryable: true })
}

export function createRpcClient<Api extends RpcApi<Api>>(name: string, channel: ClientChannel): RpcClient<Api> {
  const calls = new Map<number, RunningCall>()
  const exitListeners = new Set<(exit: RpcExit) => void>()
  const idleListeners: (() => void)[] = []
  let waiting: ToServer[] | null = []
  let exit: RpcExit | null = null
  let nextId = 1
  let becomeReady: () => void = () => {}
  let failReady: (error: SikuError) => void = () => {}
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve
    failReady = reject
  })
  ready.catch(() => {})

  function post(message: ToServer): void {
    if (waiting) waiting.push(message)
    else if (!exit) channel.post(message)
  }

  function forget(id: number): void {
    calls.delete(id)
    if (calls.size === 0) for (const listener of idleListeners.splice(0)) listener()
  }

  function takeEvent(id: number, call: RunningCall, event: unknown): void {
    call.events = call.events.then(async () => {
      try {
        if (!call.settled) await call.onEvent?.(event)
      } catch (error) {
        call.settle({ error: toSikuError(error) })
        post({ type: 'cancel', id })
      }
      post({ type: 'taken', id })
    })
  }

  channel.onMessage((message) => {
    if (message.type === 'ready') {
      const held = waiting ?? []
      waiting = null
      for (const item of held) post(item)
      becomeReady()
      return
    }
    const call = calls.get(message.id)
    if (!call) return
    if (message.type === 'event') return takeEvent(message.id, call, message.event)
    void call.events.then(() => {
      call.settle(message.type === 'result' ? { value: message.value } : { error: SikuError.fromValue(message.error) })
      forget(message.id)
    })
  })

  channel.onExit((how) => {
    if (exit) return
    exit = how
    waiting = null
    failReady(exitError(name, how))
    for (const listener of [...exitListeners]) listener(how)
    for (const [id, call] of [...calls]) {
      call.settle({ error: exitError(name, how) })
      forget(id)
    }
  })

  function call(callName: string, input: unknown, options: CallOptions = {}): Promise<unknown> {
    const { signal, timeoutMs, onEvent } = options
    if (signal?.aborted) return Promise.reject(cancelled(signal.reason))
    if (exit) return Promise.reject(exitError(name, exit))
    const id = nextId++
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const entry: RunningCall = {
        onEvent,
        events: Promise.resolve(),
        settled: false,
        settle(result) {
          if (entry.settled) return
          entry.settled = true
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
          if ('error' in result) reject(result.error)
          else resolve(result.value)
        },
      }
      function abort(): void {
        entry.settle({ error: cancelled(signal?.reason) })
        post({ type: 'cancel', id })
      }
      function expire(): void {
        entry.settle({ error: new SikuError('timeout', `${name} did not answer ${callName} within ${timeoutMs} ms`, { retryable: true }) })
        post({ type: 'cancel', id })
      }
      calls.set(id, entry)
      signal?.addEventListener('abort', abort, { once: true })
      if (timeoutMs !== undefined) {
        ready.then(
          () => {
            if (!entry.settled) timer = setTimeout(expire, timeoutMs)
          },
          () => {},
        )
      }
      try {
        post({ type: 'call', id, name: callName, input })
      } catch (error) {
        entry.settle({ error: toSikuError(error) })
        forget(id)
      }
    })
  }

  return {
    name,
    get pid() {
      return channel.pid
    },
    get dead() {
      return exit !== null
    },
    ready,
    call: <K extends keyof Api & string>(callName: K, input: RpcInput<Api[K]>, options?: CallOptions<RpcEvent<Api[K]>>) =>
      call(callName, input, options as CallOptions | undefined) as Promise<RpcOutput<Api[K]>>,
    whenIdle: () => (calls.size === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
    kill: () => channel.kill(),
    onExit(listener) {
      if (exit) listener(exit)
      else exitListeners.add(listener)
      return () => void exitListeners.delete(listener)
    },
  }
}
