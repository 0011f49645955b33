/** The outside, passed in. Core reads no `process.env`, knows no host and keeps no module-level state. */

import type { Socket } from 'node:net'

export const workerNames = [
  'writer-thread',
  'index-thread',
  'scan-thread',
  'sandbox-thread',
  'embedding-process',
  'reading-process',
  'ocr-process',
  'tables-thread',
  'table-process',
  'query-process',
] as const
export type WorkerName = (typeof workerNames)[number]

/** A child process as every host can make one: Electron's `utilityProcess`, `fork` with advanced serialization elsewhere. */
export interface ChildProcessHandle {
  readonly pid: number | undefined
  /** Structured clone: typed arrays arrive as typed arrays. Sending to a dead child does nothing. */
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, also when the child could not be started. `code` is null when a signal ended it. */
  onExit(listener: (code: number | null) => void): void
  /** At once, even while the child's main thread spins. */
  kill(): void
}

export interface StartProcessOptions {
  name: WorkerName
  args?: string[]
  /** Larger is nicer: 0 to 19. Best effort. */
  niceness?: number
}
export type StartProcess = (entry: URL, options: StartProcessOptions) => ChildProcessHandle

/** Where keys live: the system's keyring in Electron, an owner-only file elsewhere. */
export interface Secrets {
  readonly kind: 'keyring' | 'owner-file' | 'plain-file'
  get(name: string): Promise<string | null>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** Never given a key, a document's text or a question. */
export type Log = (level: LogLevel, message: string, details?: Record<string, unknown>) => void

/** What only a desktop can do. Left out where there is none. */
export interface Desktop {
  openPath(path: string): Promise<void>
  showInFolder(path: string): Promise<void>
  pickFolders?(): Promise<string[]>
}

export interface ResolvedAddress {
  address: string
  family: 4 | 6
}

/**
 * How names are found, and sockets opened, for addresses that a model or a page named. Left out, it is the system; tests pass
 * their own. It cannot switch the guard off: what it resolves is checked as the system's answer is, and it opens only what passed.
 */
export interface Outside {
  /** Rejects, or gives nothing, when there is no such name. */
  resolve(host: string): Promise<ResolvedAddress[]>
  /** Gives the plain connection to one of the checked addresses; also for https, whose encryption is then left out. */
  connect?(target: { host: string; port: number; addresses: ResolvedAddress[] }): Socket
}

export interface CoreDeps {
  dataDir: string
  /** Holds models/ and sample-library/. */
  resourcesDir: string
  secrets: Secrets
  fetch: typeof globalThis.fetch
  outside?: Outside
  now: () => number
  newId: () => string
  log: Log
  /** Environment variables that core may know: OLLAMA_HOST, OPENAI_API_KEY, proxies. Core never reads process.env. */
  env: Readonly<Record<string, string | undefined>>
  startProcess: StartProcess
  /** The built file of a child or thread. */
  workerUrl: (name: WorkerName) => URL
  desktop?: Desktop
  host?: 'electron' | 'browser' | 'terminal'
  version?: string
  /** Opens for reading only, writing nothing: for a second host whose writer cannot be reached. */
  readOnly?: boolean
}
