import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SikuError, toSikuError } from '../../contract/errors.ts'
import type { Contact } from '../../contract/settings.ts'
import type { Log } from '../deps.ts'
import { openReader } from './connection.ts'
import { refuseMisplaced } from './data-directory.ts'
import { filePathOf } from './inner-schema.ts'
import { damagedPattern, headerVersion, migrations, refuseNewer, versionOf } from './migrate.ts'
import { listAgents, listChats, readChat, readDraft, readMessages, readTurn } from './read-chats.ts'
import { countPending, findContent, readPassages, readPending, readSections } from './read-contents.ts'
import { createReadContext, type ReadContext } from './read-context.ts'
import { listDocuments, readBreakdown, readCounts, readDocument, readFolders, readStatus } from './read-library.ts'
import { readRecognition, readWaitingPages } from './read-recognition.ts'
import { countMemories, listMemories, readMemory, readMemoryVectors } from './read-memories.ts'
import { readSettings } from './read-settings.ts'
import type { KnownFile, Store } from './store-types.ts'
import { readTranscript, readWaitingSound } from './transcripts.ts'
import { startWriter, type WriterHandle } from './writer.ts'

export { openReader } from './connection.ts'
export { embeddedText } from './embedded-text.ts'
export { copyLibrary } from './copy-library.ts'
export { filePathOf } from './inner-schema.ts'
export { restoreLibrary } from './restore.ts'
export { statFileOf } from './stat-file.ts'
export { backupFile, listBackups, makeBackup, restoreAtStart, restoreScheduled } from './backups.ts'
export { acquireWriterLock } from './lock.ts'
export { makeCacheDirectory } from './data-directory.ts'
export type * from './store-types.ts'

export interface OpenStoreOptions {
  /** Where siku.db lies, or will. */
  dataDir: string
  /** The built writer-thread. */
  workerUrl: URL
  now: () => number
  log: Log
  /** Writes nothing, not even a lock. */
  readOnly?: boolean
}

const sweepAtOnce = 25

/**
 * Opens the library. Rejects with a SikuError: `busy` (another program writes here), `store-newer` (nothing was changed),
 * `store-damaged` (set aside, never replaced without a word), `not-found` (nothing to read), `no-permission`, `disk-full`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const databasePath = join(options.dataDir, 'siku.db')
  refuseMisplaced(options.dataDir)
  try {
    // Before anything is opened or locked: an older program leaves no trace in a newer library.
    refuseNewer(headerVersion(databasePath))
  } catch (error) {
    throw toSikuError(error)
  }
  return options.readOnly ? openReadOnly(databasePath, options) : openForWriting(databasePath, options)
}

function openReadOnly(databasePath: string, options: OpenStoreOptions): Store {
  const reader = openReader(databasePath)
  const version = versionOf(reader)
  if (version < migrations.length) {
    reader.close()
    throw new SikuError('read-only', 'the library was written by an older Siku and must first be opened for writing', {
      hint: 'Close the other program and try again.',
    })
  }
  refuseNewer(version)
  const refuse = (): Promise<never> =>
    Promise.reject(
      new SikuError('read-only', 'the library is open for reading only', {
        hint: 'Another Siku holds it, or its directory cannot be written.',
      }),
    )
  const writer: WriterHandle = {
    write: refuse,
    quickCheck: refuse,
    backup: refuse,
    onCommit: () => () => {},
    close: () => Promise.resolve(),
  }
  return assemble('read-only', databasePath, reader, writer, options)
}

async function openForWriting(databasePath: string, options: OpenStoreOptions): Promise<Store> {
  const writer = await startWriter(databasePath, options)
  try {
    await writer.write('dropRemoved', undefined)
    await writer.write('dropUnusedPages', undefined)
    await writer.write('dropUnusedTranscripts', undefined)
    const reader = openReader(databasePath)
    const { damaged } = readSettings(createReadContext(reader))
    for (const key of damaged) {
      options.log('warn', 'a damaged setting was set aside; its default is used', { key })
      await writer.write('setAsideSetting', key)
    }
    for (const path of listSetAside(databasePath)) options.log('warn', 'a damaged library lies beside this one', { path })
    return assemble('writer', databasePath, reader, writer, options)
  } catch (error) {
    await writer.close()
    throw toSikuError(error)
  }
}

function assemble(
  mode: Store['mode'],
  databasePath: string,
  reader: Store['reader'],
  writer: WriterHandle,
  options: OpenStoreOptions,
): Store {
  const { log } = options
  const read: ReadContext = createReadContext(reader)
  const { write } = writer
  let revision = 0
  writer.onCommit((what) => {
    if (what === 'chats') revision += 1
  })
  return {
    mode,
    databasePath,
    reader,
    settings: {
      read: () => readSettings(read).settings,
      async patch(patch) {
        await write('patchSettings', patch)
        return readSettings(read).settings
      },
    },
    folders: {
      list: () => readFolders(read),
      add: (folder) => write('addFolder', folder),
      remove: (folderId) => write('removeFolder', folderId),
      restore: (folderId) => write('restoreFolder', folderId),
      setPaused: (folderId, paused) => write('setPaused', { folderId, paused }),
      setReachable: (folderId, reachable) => write('setReachable', { folderId, reachable }),
    },
    documents: {
      known: (folderId) =>
        read.all<KnownFile>(
          `SELECT id AS documentId, path, size AS sizeBytes, modified_ms AS modifiedMs, hash, status, kind
           FROM live_documents WHERE folder_id = ? AND parent_id IS NULL`,
          folderId,
        ),
      hash: (documentId) => read.get<{ hash: string | null }>('SELECT hash FROM live_documents WHERE id = ?', documentId)?.hash ?? null,
      byHash: (hash) => read.all('SELECT id AS documentId, path FROM live_documents WHERE hash = ?', hash),
      get: (documentId) => readDocument(read, documentId),
      list: (filter) => listDocuments(read, filter),
      breakdown: (folderId) => readBreakdown(read, folderId),
      counts: (folderId) => readCounts(read, folderId),
      sections: (documentId, offset, limit) => readSections(read, documentId, offset, limit),
      passages: (documentId, offset, limit) => readPassages(read, documentId, offset, limit),
      waiting: (limit) =>
        read.all(
          `SELECT documents.id AS documentId, folder_id AS folderId, documents.path, kind, size AS sizeBytes, modified_ms AS modifiedMs, hash, attempts,
             ${filePathOf('documents')} AS filePath
           FROM documents JOIN folders ON folders.id = documents.folder_id
           WHERE status = 'waiting' AND folders.paused = 0 AND folders.removed_at IS NULL AND folders.reachable = 1
           ORDER BY documents.id LIMIT ?`,
          limit,
        ),
      applyScan: (folderId, changes, end) => write('applyScan', { folderId, changes, end }),
      setStatus: (documentId, status, reason) => write('setStatus', { documentId, status, reason }),
      beginReading: (documentIds) => write('beginReading', typeof documentIds === 'number' ? [documentIds] : documentIds),
      attach: (documentId, contentId, file) => write('attach', { documentId, contentId, file }),
      resetReading: () => write('resetReading', undefined),
    },
    contents: {
      find: (key) => findContent(read, key),
      store: (content) => write('storeContent', content),
      begin: (key) => write('beginContent', key),
      addSlice: (slice) => write('addSlice', slice),
      finish: (end) => write('finishContent', end),
      abandon: (contentId) => write('abandonContent', contentId),
      async sweep() {
        let total = 0
        for (;;) {
          const swept = await write('sweepSome', sweepAtOnce)
          total += swept
          if (swept < sweepAtOnce) return total
        }
      },
    },
    vectors: {
      model: async (key, dimensions) => (await write('useModel', { key, dimensions })).modelId,
      pending: (modelId, limit) => readPending(read, modelId, limit),
      pendingCount: (modelId) => countPending(read, modelId),
      put: (modelId, vectors) => write('putVectors', { modelId, vectors }),
      retryProblems: (modelId) => write('retryProblems', modelId),
    },
    recognition: {
      of: (hash) => readRecognition(read, hash),
      want: (hash, pages) => write('wantPages', { hash, pages }),
      waiting: (limit, exceptDocuments) => readWaitingPages(read, limit, exceptDocuments),
      begin: (hash, page) => write('beginPage', { hash, page }),
      put: (hash, page, lines) => write('putPage', { hash, page, lines }),
      giveUp: (hash, page, problem) => write('giveUpPage', { hash, page, problem }),
      reopen: (hash) => write('reopenPages', hash),
    },
    transcripts: {
      of: (hash) => readTranscript(read, hash),
      waiting: (limit, exceptDocuments) => readWaitingSound(read, limit, exceptDocuments),
      put: (documentId, hash, segments) => write('putTranscript', { documentId, hash, segments }),
      markWaiting: (reason) => write('markUnheard', reason),
    },
    chats: {
      list: (text) => listChats(read, text),
      revision: () => (mode === 'writer' ? revision : (read.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0)),
      title: (chatId) => read.get<{ title: string }>('SELECT title FROM chats WHERE id = ?', chatId)?.title ?? null,
      get: (chatId) => readChat(read, chatId, log),
      create: (chat) => write('createChat', chat),
      rename: (chatId, title) => write('renameChat', { chatId, title }),
      remove: (chatId) => write('removeChat', chatId),
      restore: (chatId) => write('restoreChat', chatId),
      pin: (chatId, pinned) => write('pinChat', { chatId, pinned }),
      draft: (chatId) => readDraft(read, chatId),
      saveDraft: (chatId, draft) => write('saveDraft', { chatId, draft }),
      configure: (chatId, agent) => write('configureChat', { chatId, agent }),
      saveTurn: (turn) => write('saveTurn', turn),
      turn: (turnId) => readTurn(read, turnId, log),
      endAbandoned: () => write('endAbandoned', undefined),
      import: (chat) => write('importChat', chat),
    },
    messages: {
      list: (turnId) => readMessages(read, turnId, log),
      add: (turnId, from, messages) => write('addMessages', { turnId, from, messages }),
    },
    agents: {
      list: () => listAgents(read),
      save: (agent) => write('saveAgent', agent),
      remove: (agentId) => write('removeAgent', agentId),
    },
    memories: {
      list: (page) => listMemories(read, page),
      count: () => countMemories(read),
      get: (id) => readMemory(read, id),
      add: (memories) => write('addMemories', memories),
      update: (memory) => write('updateMemory', memory),
      remove: (id, at) => write('removeMemory', { id, at }),
      restore: (id) => write('restoreMemory', id),
      clear: (at) => write('clearMemories', at),
      vectors: (key) => readMemoryVectors(read, key),
      putVectors: (model, vectors) => write('putMemoryVectors', { ...model, vectors }),
      noteUsed: (ids, at) => write('noteMemoriesUsed', { ids, at }),
    },
    contacts: {
      list: () =>
        read.all<Contact>(
          'SELECT host, purpose, first_at AS firstAt, last_at AS lastAt, count, refused FROM contacts ORDER BY last_at DESC, host, purpose',
        ),
      note: (contact) => write('noteContact', contact),
    },
    tokenRates: {
      read: (model) => read.get('SELECT characters, tokens FROM token_rates WHERE model = ?', model),
      learn: (model, characters, tokens) => write('learnTokens', { model, characters, tokens }),
    },
    status: () => ({ mode, ...readStatus(read), sizeBytes: sizeOnDisk(databasePath) }),
    quickCheck: () => writer.quickCheck(),
    backup: (file) => writer.backup(file),
    setAside: () => listSetAside(databasePath),
    onChange: (listener) => writer.onCommit(listener),
    async close() {
      if (reader.isOpen) reader.close()
      await writer.close()
    },
  }
}

function sizeOnDisk(databasePath: string): number {
  return ['', '-wal'].reduce((sum, part) => sum + (statSync(databasePath + part, { throwIfNoEntry: false })?.size ?? 0), 0)
}

function listSetAside(databasePath: string): string[] {
  const directory = dirname(databasePath)
  return readdirSync(directory)
    .filter((name) => name !== basename(databasePath) && damagedPattern.test(name))
    .sort()
    .map((name) => join(directory, name))
}
