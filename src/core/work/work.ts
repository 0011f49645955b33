/** Threads and child processes: typed calls with cancellation, events, limits and restart. */
export type { CallContext, RpcClient, RpcExit } from './rpc-types.ts'
export { serveRpc } from './rpc-server.ts'
export { startThread, startChild } from './start.ts'
export { createPool, type Pool, type PoolResult } from './pool.ts'
export { forkProcess, quietLibraries } from './fork-process.ts'
