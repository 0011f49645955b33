/** Threads and child processes: typed calls with cancellation, events, limits and restart. */
export type { CallContext, CallOptions, RpcApi, RpcClient, RpcEvent, RpcExit, RpcHandler, RpcInput, RpcOutput } from './rpc-types.ts'
export { serveRpc } from './rpc-server.ts'
export { startThread, startChild, type ThreadOptions, type ChildOptions } from './start.ts'
export { createPool, poolValue, type JobOptions, type Pool, type PoolOptions, type PoolResult } from './pool.ts'
export { forkProcess } from './fork-process.ts'
