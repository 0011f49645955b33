import { dirname, join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'
import type { Log } from '../deps.ts'
import { startThread, type RpcClient } from '../work/work.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { lockFile } from './lock.ts'
import { toStoreError } from './store-error.ts'
import type { Store } from './store-types.ts'
import type { WriterApi } from './writer-thread.ts'
import type { WriteInput, WriteName, WriteOutput } from './writes.ts'

type Change = Parameters<Parameters<Store['onChange']>[0]>[0]

export interface WriterHandle {
  /** Resolves once it is committed. */
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteOutput<Name>>
  quickCheck(): Promise<string[]>
  backup(file: string): Promise<void>
  onCommit(listener: (what: Change) => void): () => void
  close(): Promise<void>
}

const touches: Partial<Record<WriteName, readonly Change[]>> = {
  createChat: ['chats'],
  renameChat: ['chats'],
  pinChat: ['chats'],
  removeChat: ['chats'],
  restoreChat: ['chats'],
  saveTurn: ['chats'],
  endAbandoned: ['chats'],
  importChat: ['chats'],
  patchSettings: ['settings'],
  setAsideSetting: ['settings'],
  applyScan: ['documents', 'folders'],
  setStatus: ['documents'],
  beginReading: ['documents'],
  resetReading: ['documents'],
  addFolder: ['folders'],
  removeFolder: ['folders', 'documents'],
  restoreFolder: ['folders', 'documents'],
  setPaused: ['folders'],
  setReachable: ['folders'],
  attach: ['documents', 'vectors'],
  storeContent: ['documents', 'vectors'],
  putPage: ['documents'],
  giveUpPage: ['documents'],
  useModel: ['vectors'],
  putVectors: ['vectors'],
  retryProblems: ['vectors'],
  sweepSome: ['vectors'],
}

/** Starts the writer thread and opens the database in it. Holds a lock of the operating system's until it is closed. */
export async function startWriter(databasePath: string, options: { workerUrl: URL; now: () => number; log: Log }): Promise<WriterHandle> {
  const { workerUrl, now, log } = options
  const listeners = new Set<(what: Change) => void>()
  prepareDataDirectory(dirname(databasePath))
  const lock = lockFile(join(dirname(databasePath), 'siku.db.lock'))
  if (!lock) {
    throw new SikuError('busy', 'another Siku is writing to this library', { hint: 'Use that one, or close it first.', retryable: true })
  }
  let thread: RpcClient<WriterApi>
  let starting: Promise<void>
  let closing: Promise<void> | null = null

  function start(): Promise<void> {
    thread = startThread<WriterApi>(workerUrl, { name: 'writer-thread', native: true })
    const opened = thread.call('open', { databasePath, at: now() })
    return opened.then((prepared) => {
      if (prepared.backup !== null)
        log('info', 'the library was brought to a newer format', { version: prepared.version, backup: prepared.backup })
    })
  }

  /** The thread's calls, after a new start where it died. */
  async function live(): Promise<RpcClient<WriterApi>> {
    if (closing) throw new SikuError('internal', 'the store is closed')
    if (thread.dead) {
      log('error', 'the writer thread ended and is started again')
      starting = start()
    }
    await starting
    return thread
  }

  starting = start()
  try {
    await starting
  } catch (error) {
    thread!.kill()
    lock.release()
    throw toStoreError(error)
  }

  async function close(): Promise<void> {
    try {
      if (!thread.dead) await thread.call('close', undefined)
    } finally {
      thread.kill()
      lock?.release()
    }
  }

  return {
    async write(name, input) {
      const output = await (await live()).call('write', { name, input })
      for (const what of touches[name] ?? []) for (const listener of [...listeners]) listener(what)
      return output as WriteOutput<typeof name>
    },
    quickCheck: async () => (await live()).call('quickCheck', undefined),
    backup: async (file) => (await live()).call('backup', { file }),
    onCommit(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => (closing ??= close()),
  }
}
