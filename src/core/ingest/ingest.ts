import { SikuError } from '../../contract/errors.ts'
import type { DocumentRow, Folder } from '../../contract/library.ts'
import { checkPath, type Refusal } from './check-path.ts'
import { contentTypeOf, refusePrograms } from './content-type.ts'
import { createCopies } from './copies.ts'
import { createEmbedQueue } from './embed-queue.ts'
import { markAway } from './deleted-inside.ts'
import { followFolder, type Follower } from './follow.ts'
import type { Hearing } from './hear-file.ts'
import { createHearingQueue } from './hearing-queue.ts'
import type { ScanRules } from './ignore.ts'
import type { Ingest, IngestOptions } from './ingest-types.ts'
import { createPageReader } from './ocr/ocr.ts'
import { createOcrQueue } from './ocr-queue.ts'
import { createPasswords, pagesWithPasswords, tryPassword, withPasswords } from './passwords.ts'
import { createProgress } from './progress.ts'
import { createReadQueue } from './queue.ts'
import { recogniseFile } from './recognise-file.ts'
import { createReader } from './reader.ts'
import { waitAgain } from './reconcile.ts'
import { isWithin } from './scan.ts'
import { createScanner } from './scanner.ts'
import { createSweeper } from './sweeper.ts'
import { createTokenCache } from './token-cache.ts'
import { relocateSample } from './relocate-sample.ts'
import type { Trouble } from './trouble.ts'
import { createTurns } from './turns.ts'

export type { Hearing } from './hear-file.ts'
export type { DocumentFile, Ingest, IngestOptions } from './ingest-types.ts'
export { createPageReader, declaredEncoding, decode, type Paragraph } from './read/read.ts'

/** Scans at one time: more would only make one disk seek more. */
const scansAtOnce = 2
/** Reading goes first for so long, so that a dropped folder is soon found by keyword; then both share the machine. */
const readingFirstMs = 4000

const deaf: Hearing = {
  allowed: () => false,
  needed: () => 'Nothing is set up that turns sound into text.',
  transcribe: () => Promise.reject(new SikuError('model-config', 'Nothing is set up that turns sound into text.')),
}

export function createIngest(options: IngestOptions): Ingest {
  const { deps, store, search } = options
  const { log, now } = deps
  const followers = new Map<number, Follower>()
  const turn = createTurns(scansAtOnce)
  const tokens = createTokenCache()
  const passwords = createPasswords(deps.secrets)
  const reader = withPasswords(createReader(deps, store), passwords)
  const scanner = createScanner(deps, scansAtOnce)
  const sweeper = createSweeper(store, log)
  const copies = createCopies(deps, reader)
  const hearing = options.hearing ?? deaf
  const recogniser = pagesWithPasswords(options.recogniser ?? createPageReader(deps), passwords)
  let paused = false
  let closed = false
  let readingSince = 0
  let unsubscribe = (): void => undefined

  const progress = createProgress(
    () => ({
      folders: folders(),
      scanning: isScanning(),
      reading: !readQueue.idle,
      embedding: embedQueue.state !== 'idle',
      recognising: !ocrQueue.idle,
      transcribing: !hearingQueue.idle,
      paused,
      current: readQueue.current.length > 0 ? readQueue.current : [ocrQueue.current ?? hearingQueue.current ?? []].flat(),
      trouble: trouble(),
    }),
    now,
  )
  const embedQueue = createEmbedQueue({
    store,
    embedder: options.embedder,
    tokens,
    hold: () => !readQueue.idle && performance.now() - readingSince < readingFirstMs,
    onChange(stored) {
      if (stored > 0) {
        progress.embedded(stored)
        search.vectorsChanged()
      }
      changed()
    },
    log,
    ...(options.retryMs === undefined ? {} : { firstWaitMs: options.retryMs }),
  })
  const readQueue = createReadQueue({
    store,
    reader,
    tokens,
    jobs: reader.jobs,
    onMoved: (folderId, path) => followers.get(folderId)?.look([path]),
    onChange(stored) {
      if (stored) embedQueue.wake()
      changed()
    },
    onPages: () => ocrQueue.wake(),
    onSound: () => hearingQueue.wake(),
    log,
    ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
  })
  // Pages and recordings come after all else; what was made out of one is then read.
  const slow = {
    hold: (): boolean => !readQueue.idle || embedQueue.state === 'working',
    onChange(complete: boolean): void {
      if (complete) wakeReading()
      else changed()
    },
    log,
    ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
  }
  const ocrQueue = createOcrQueue({
    store,
    recogniser,
    password: async (path, hash) => passwords.of(path) ?? (await passwords.kept(hash)),
    enabled: () => store.settings.read().ocr,
    ...slow,
  })
  const hearingQueue = createHearingQueue({
    store,
    reader,
    hearing,
    ...slow,
  })

  function readRules(folderId: number): ScanRules {
    const { skipHidden, skipDependencies, ignoreRules, folderRules } = store.settings.read()
    return { skipHidden, skipDependencies, ignoreRules: [...ignoreRules, ...(folderRules[folderId] ?? [])] }
  }

  function isScanning(): boolean {
    return [...followers.values()].some((follower) => follower.scanning)
  }

  function trouble(): Trouble | null {
    const scanTrouble = [...followers.values()].find((follower) => follower.trouble !== null)?.trouble
    return readQueue.trouble ?? scanTrouble ?? embedQueue.trouble ?? ocrQueue.trouble
  }

  function isIdle(): boolean {
    return !isScanning() && readQueue.idle && embedQueue.state !== 'working' && ocrQueue.idle && hearingQueue.idle
  }

  function changed(): void {
    progress.changed()
    if (isIdle()) sweeper.idle()
    else sweeper.busy()
  }

  function folders(): Folder[] {
    return store.folders.list().map((folder) => {
      // One that was away the last time is looked for at first; until that is done nobody knows that it is away.
      return folder.state !== 'paused' && followers.get(folder.id)?.looking === true ? { ...folder, state: 'scanning' } : folder
    })
  }

  function folder(folderId: number): Folder {
    const found = folders().find(({ id }) => id === folderId)
    if (found === undefined) throw new SikuError('not-found', `there is no folder ${folderId}`)
    return found
  }

  function wakeReading(): void {
    if (readQueue.idle) readingSince = performance.now()
    readQueue.wake()
    changed()
  }

  function wakeSlow(): void {
    ocrQueue.wake()
    hearingQueue.wake()
  }

  /** Siku's own data is in no folder, wherever it lies. */
  function otherRoots(folderId: number): Set<string> {
    const roots = store.folders.list().filter(({ id }) => id !== folderId)
    return new Set([...roots.map(({ path }) => path), deps.dataDir])
  }

  function follow({ id, path, single }: Folder, away = false): void {
    if (closed || followers.has(id)) return
    const follower = followFolder({
      folder: { id, path, single },
      away,
      store,
      scanner,
      rules: () => readRules(id),
      otherRoots: () => otherRoots(id),
      turn,
      onApplied(changedIds) {
        readQueue.invalidate(changedIds)
        wakeSlow()
        sweeper.dirty()
        wakeReading()
      },
      onLooked: (paths) => checkInside(id, path, paths),
      onState: changed,
      now,
      log,
      ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
      ...(options.subscribe === undefined ? {} : { subscribe: options.subscribe }),
    })
    followers.set(id, follower)
  }

  /** The watcher forgets a folder inside whose directory is moved or deleted, and tells only the one around it. */
  function checkInside(folderId: number, root: string, looked: ReadonlySet<string> | null): void {
    for (const { id, path } of store.folders.list()) {
      if (id === folderId || !isWithin(path, root)) continue
      const moved = looked !== null && [...looked].some((touched) => isWithin(path, touched))
      if (moved || looked === null) followers.get(id)?.checkRoot(moved)
    }
  }

  /** What a folder inside them gave up or took. */
  function rescanAround(path: string): void {
    for (const { id, path: root } of store.folders.list()) if (root !== path && isWithin(path, root)) followers.get(id)?.rescan()
  }

  async function addOne(path: string, kind: { single: boolean; sample: boolean; copied: boolean }): Promise<Folder> {
    const known = store.folders.list()
    const same = known.find((other) => other.path === path)
    if (same !== undefined) {
      followers.get(same.id)?.rescan()
      return folder(same.id)
    }
    const held = kind.single
      ? store.documents.list({ name: path, offset: 0, limit: 50 }).documents.find((document) => document.path === path)
      : undefined
    if (held !== undefined) {
      followers.get(held.folderId)?.look([path])
      return folder(held.folderId)
    }
    const id = await store.folders.add({ path, ...kind })
    const added = store.folders.list().find((other) => other.id === id)!
    follow(added)
    rescanAround(path)
    changed()
    return folder(id)
  }

  async function unfollow(folderId: number): Promise<void> {
    const follower = followers.get(folderId)
    followers.delete(folderId)
    await follower?.close()
    readQueue.invalidate([])
    wakeSlow()
  }

  function documentOf(documentId: number): DocumentRow {
    const document = store.documents.get(documentId)
    if (document === null) throw new SikuError('not-found', `there is no document ${documentId}`)
    return document
  }

  async function retry(documentId: number, more = false): Promise<void> {
    const document = documentOf(documentId)
    const { folderId, path, within } = document
    if (more) reader.giveMore(path)
    hearingQueue.again(documentId)
    await waitAgain(store, scanner, document)
    readQueue.invalidate([documentId])
    if (document.embedded < document.passages) await embedQueue.retryProblems()
    followers.get(folderId)?.look([within?.filePath ?? path])
    wakeReading()
  }

  return {
    async start() {
      if (store.mode === 'read-only') return
      await copies.clear()
      await store.documents.resetReading()
      await relocateSample(store, deps.resourcesDir)
      const away = await markAway(store)
      for (const known of store.folders.list()) follow(known, away.has(known.id))
      sweeper.dirty()
      readQueue.start()
      embedQueue.start()
      ocrQueue.start()
      hearingQueue.start()
      unsubscribe = store.onChange((what) => {
        if (what !== 'settings') return
        ocrQueue.wake()
        hearingQueue.settingsChanged()
      })
      wakeReading()
      embedQueue.wake()
      wakeSlow()
    },
    folders,
    async add(paths, { copied = false } = {}) {
      const added = new Map<number, Folder>()
      const refused: Refusal[] = []
      for (const given of paths) {
        const check = await checkPath(given, copied ? null : deps.dataDir)
        if (check.kind === 'refused') refused.push(check.refusal)
        else {
          const made = await addOne(check.path, { single: check.single, sample: false, copied })
          added.set(made.id, made)
        }
      }
      return { folders: [...added.values()], refused }
    },
    async addSample(path) {
      if (store.reader.prepare("SELECT 1 FROM sqlite_sequence WHERE name = 'folders'").get() !== undefined) return
      const check = await checkPath(path, null)
      if (check.kind === 'ok') await addOne(check.path, { single: false, sample: true, copied: false })
      else log('warn', 'the sample library is not there', { code: check.refusal.code })
    },
    async remove(folderId) {
      const { path } = folder(folderId)
      await store.folders.remove(folderId)
      await unfollow(folderId)
      rescanAround(path)
      changed()
    },
    async restore(folderId) {
      await store.folders.restore(folderId)
      const restored = folder(folderId)
      follow(restored)
      rescanAround(restored.path)
      wakeReading()
      embedQueue.wake()
      wakeSlow()
      return folder(folderId)
    },
    async pause(folderId) {
      if (folderId === undefined) {
        paused = true
        for (const queue of [readQueue, embedQueue, ocrQueue, hearingQueue]) queue.setPaused(true)
      } else {
        folder(folderId)
        await store.folders.setPaused(folderId, true)
        readQueue.invalidate([])
        wakeSlow()
      }
      changed()
    },
    async resume(folderId) {
      if (folderId === undefined) {
        paused = false
        for (const queue of [readQueue, embedQueue, ocrQueue, hearingQueue]) queue.setPaused(false)
      } else {
        folder(folderId)
        await store.folders.setPaused(folderId, false)
        followers.get(folderId)?.rescan()
      }
      wakeSlow()
      wakeReading()
    },
    async rescan(folderId) {
      folder(folderId)
      followers.get(folderId)?.rescan()
    },
    retry,
    async unlock(documentId, password, keep) {
      const { path } = documentOf(documentId)
      const reason = await tryPassword({ reader, passwords, path, password, keep })
      if (reason === null) await retry(documentId)
      return { opened: reason === null, reason }
    },
    progress: (signal) => progress.watch(signal),
    snapshot: () => progress.snapshot(),
    async whenIdle(signal) {
      for await (const _ of progress.watch(signal)) if (isIdle()) break
      signal?.throwIfAborted()
      return { trouble: trouble() }
    },
    embeddingChanged() {
      tokens.clear()
      embedQueue.modelChanged()
    },
    rulesChanged: () => followers.forEach((follower) => follower.rescan()),
    async file(documentId, { outside = false } = {}) {
      const document = store.documents.get(documentId)
      if (document === null) return null
      const { path, sizeBytes, within } = document
      if (outside) refusePrograms(document)
      const file = within === null ? { path, sizeBytes } : await copies.of(document)
      return file === null ? null : { ...file, contentType: contentTypeOf(document) }
    },
    extract: (path, extractOptions = {}) => recogniseFile(path, { ...extractOptions, reader, recogniser, hearing, store }),
    split: (path, splitOptions = {}, signal) => reader.split(path, splitOptions, signal),
    async close() {
      closed = true
      progress.close()
      sweeper.close()
      unsubscribe()
      await Promise.all([...followers.values()].map((follower) => follower.close()))
      reader.close()
      recogniser.close()
      scanner.close()
      await Promise.all([readQueue.close(), embedQueue.close(), ocrQueue.close(), hearingQueue.close()])
    },
  }
}
