/** What a handler gets beside its input. */
export interface CallContext<Event = never> {
  /** Aborted when the caller cancels, times out or goes away. */
  signal: AbortSignal
  /** Resolves at once while few events are on their way, else when the caller has taken one: await it to be held back. */
  emit(event: Event): Promise<void>
}

type RpcHandler = (input: never, context: CallContext<never>) => unknown
/** An interface or object of handlers: `{ name(input, { signal, emit }): output }`. */
export type RpcApi<Api> = { [K in keyof Api]: RpcHandler }

export type RpcInput<Handler> = Handler extends (...args: infer Args) => unknown
  ? Args extends [infer Input, ...unknown[]]
    ? Input
    : undefined
  : never
export type RpcOutput<Handler> = Handler extends (...args: never[]) => infer Output ? Awaited<Output> : never
export type RpcEvent<Handler> = Handler extends (input: never, context: infer Context) => unknown
  ? Context extends { emit(event: infer Event): unknown }
    ? Event
    : never
  : never

export interface CallOptions<Event = unknown> {
  signal?: AbortSignal
  /** Counted from when the other side is ready, so that its start is not held against a job. */
  timeoutMs?: number
  /** Events come in order, one at a time, all of them before the result. What it throws cancels the call. */
  onEvent?: (event: Event) => void | Promise<void>
}

/** How the other side ended. */
export interface RpcExit {
  kind: 'killed' | 'ended' | 'out-of-memory'
  code: number | null
}

export interface RpcClient<Api extends RpcApi<Api>> {
  readonly name: string
  readonly pid: number | undefined
  readonly dead: boolean
  /** Resolves when the other side listens; rejects when it ends before. */
  readonly ready: Promise<void>
  /** Rejects with a SikuError: the handler's own, `cancelled`, `timeout`, or `internal` when the other side ended. */
  call<K extends keyof Api & string>(name: K, input: RpcInput<Api[K]>, options?: CallOptions<RpcEvent<Api[K]>>): Promise<RpcOutput<Api[K]>>
  /** Resolves when no handler runs any more over there, cancelled ones included. */
  whenIdle(): Promise<void>
  /** At once, whatever the other side does. Running calls reject. */
  kill(): void
  /** Called once, also when it has ended already. Returns a function that stops it. */
  onExit(listener: (exit: RpcExit) => void): () => void
}

/** How many events may be on their way before `emit` waits. */
export const eventWindow = 4
