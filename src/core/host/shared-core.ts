import { setTimeout as delay } from 'node:timers/promises'
import type { SupportedMessagePort } from '@orpc/client/message-port'
import { RPCHandler as PortHandler } from '@orpc/server/message-port'
import { RPCHandler as SocketHandler } from '@orpc/server/ws'
import type { WebSocket } from 'ws'
import { toSikuError } from '../../contract/errors.ts'
import { addSampleLibrary, createClient, openCore, type Client, type Core, type DocumentFile } from '../core.ts'
import type { CoreDeps } from '../deps.ts'
import { forwardingRouter } from './forwarding-router.ts'
import { connectLocally, listenLocally, type RemoteClient } from './local-socket.ts'
import { lastingClient } from './remote-client.ts'
import type { Caller } from '../router.ts'
import { acquireWriterLock } from '../store/store.ts'

/** `writer`: this host owns the library. `remote`: calls go to the host that does. `read-only`: neither could be had. */
type Access = 'writer' | 'remote' | 'read-only'

export interface SharedCore {
  /** How it is now: a remote one takes the library over when its host goes away. */
  readonly access: Access
  /** Why it was not opened as the writer, in a sentence for the user; null when it was. */
  readonly explanation: string | null
  readonly client: Client
  /** Carry the contract over a connection whose other end the host has already checked. */
  serveSocket(webSocket: WebSocket, caller: Caller): void
  servePort(port: SupportedMessagePort, caller: Caller): void
  /** Only a document of the library has a file. */
  documentFile(documentId: number): Promise<DocumentFile | null>
  /**
   * Resolves when no question is being answered here any more for another host that is still there, or when `signal` aborts.
   * Closing before that ends those answers. `onWait` is called once if there is anything to wait for.
   */
  whenServed(signal: AbortSignal, onWait: () => void): Promise<void>
  close(): Promise<void>
}

const askAgainMs = 200
const nobody = (): Promise<void> => Promise.resolve()

/** How long a second host waits for one that is starting or ending. */
const patienceMs = 15_000

/** What one attempt to reach the library gave. */
interface Opened extends SharedCore {
  readonly isLost: () => boolean
  /** Where the work is done: this process, or one start of another host. */
  readonly host: string
}

/**
 * One data directory has one writer. The first host becomes it and listens on a local socket;
 * any other sends its calls there, takes over when that one goes away, and opens the library for reading only when neither can be had.
 */
export async function openShared(deps: CoreDeps): Promise<SharedCore> {
  let opened = await openOnce(deps)
  if (opened.access !== 'remote') return opened
  let closed = false
  let reopening: Promise<Opened> | null = null

  function reopen(): Promise<Opened> {
    if (!opened.isLost() || closed) return Promise.resolve(opened)
    reopening ??= openOnce(deps)
      .then((next) => {
        opened = next
        deps.log('info', 'the host that had the library went away', { access: next.access })
        return next
      })
      .finally(() => (reopening = null))
    return reopening
  }
  const { explanation } = opened
  const client = lastingClient(() => opened, reopen)
  return {
    get access() {
      return opened.access
    },
    explanation,
    client,
    ...overClient(client),
    whenServed: (signal, onWait) => opened.whenServed(signal, onWait),
    async close() {
      closed = true
      await reopening?.catch(() => undefined)
      await opened.close()
    },
  }
}

async function openOnce(deps: CoreDeps): Promise<Opened> {
  const version = deps.version ?? '0'
  if (deps.readOnly) return readOnlyCore(deps, 'The library is opened for reading only.')
  const deadline = deps.now() + patienceMs
  for (;;) {
    let lock: Awaited<ReturnType<typeof acquireWriterLock>>
    try {
      lock = await acquireWriterLock(deps.dataDir)
    } catch (error) {
      const known = toSikuError(error)
      if (known.code !== 'no-permission' && known.code !== 'read-only') throw known
      const why = `The data directory cannot be written (${known.message}); the library is opened for reading only.`
      // With nothing there to read, the reason is the better word than what is missing.
      return await readOnlyCore(deps, why).catch((missing: unknown) => {
        throw toSikuError(missing).code === 'not-found' ? known : missing
      })
    }
    if (lock !== null) return writerCore(deps, version, lock)

    const connection = await connectLocally(deps.dataDir, version)
    if (connection.kind === 'connected') return remoteCore(connection.remote)
    if (connection.kind === 'other-version') {
      return readOnlyCore(deps, `Siku ${connection.version} has this library open; this is ${version}, so it is opened for reading only.`)
    }
    if (deps.now() > deadline) {
      return readOnlyCore(deps, 'Another Siku has this library open and does not answer; it is opened for reading only.')
    }
    await delay(100)
  }
}

function overCore(core: Core): Pick<Opened, 'client' | 'serveSocket' | 'servePort' | 'documentFile' | 'isLost' | 'host'> {
  const socketHandler = new SocketHandler(core.router)
  const portHandler = new PortHandler(core.router)
  return {
    client: createClient(core),
    serveSocket: (webSocket, caller) => void socketHandler.upgrade(webSocket, { context: { core: core.context, caller } }),
    servePort: (port, caller) => portHandler.upgrade(port, { context: { core: core.context, caller } }),
    documentFile: (documentId) => core.documentFile(documentId),
    isLost: () => false,
    host: 'this process',
  }
}

async function writerCore(deps: CoreDeps, version: string, lock: { release(): void | Promise<void> }): Promise<Opened> {
  let core: Core
  try {
    core = await openCore(deps)
  } catch (error) {
    await lock.release()
    throw error
  }
  // The first screen of an interface already answers; a terminal's library holds only what was asked for.
  if (deps.host === 'electron' || deps.host === 'browser') {
    await addSampleLibrary(core).catch((error: unknown) => {
      deps.log('warn', 'the sample library could not be added', { error: toSikuError(error).message })
    })
  }
  const over = overCore(core)
  // A host that nobody can reach still works: others then read only.
  const listener = await listenLocally(deps.dataDir, (webSocket) => over.serveSocket(webSocket, { kind: 'local' }), version).catch(
    (error: unknown) => {
      deps.log('warn', 'the local socket could not be opened', { error: toSikuError(error).message })
      return null
    },
  )
  return {
    ...over,
    access: 'writer',
    explanation: null,
    async whenServed(signal, onWait) {
      const isServing = (): boolean => (listener?.guests() ?? 0) > 0 && core.context.turns.busy().length > 0
      if (!isServing()) return
      onWait()
      while (isServing() && !signal.aborted) await delay(askAgainMs, undefined, { signal }).catch(() => undefined)
    },
    async close() {
      try {
        await listener?.close()
        await core.close()
      } finally {
        await lock.release()
      }
    },
  }
}

async function readOnlyCore(deps: CoreDeps, explanation: string): Promise<Opened> {
  const core = await openCore({ ...deps, readOnly: true })
  return { ...overCore(core), access: 'read-only', explanation, whenServed: nobody, close: () => core.close() }
}

function remoteCore(remote: RemoteClient): Opened {
  return {
    access: 'remote',
    explanation: `Siku is already running (process ${remote.pid}); the work is done there.`,
    client: remote.client,
    ...overClient(remote.client),
    isLost: remote.isLost,
    host: remote.host,
    whenServed: nobody,
    close: () => Promise.resolve(remote.close()),
  }
}

function overClient(client: Client): Pick<SharedCore, 'serveSocket' | 'servePort' | 'documentFile'> {
  const router = forwardingRouter(client)
  const socketHandler = new SocketHandler(router)
  const portHandler = new PortHandler(router)
  return {
    serveSocket: (webSocket) => void socketHandler.upgrade(webSocket, { context: {} }),
    servePort: (port) => portHandler.upgrade(port, { context: {} }),
    async documentFile(documentId) {
      try {
        return await client.documents.file({ documentId })
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'not-found') return null
        throw error
      }
    },
  }
}
