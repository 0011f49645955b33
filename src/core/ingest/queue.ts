import { sep } from 'node:path'
import { counted } from '../../contract/counted.ts'
import type { SikuError } from '../../contract/errors.ts'
import { toSikuError } from '../../contract/errors.ts'
import type { DocumentKind, Reason } from '../../contract/library.ts'
import type { Log } from '../deps.ts'
import type { PoolResult } from '../work/work.ts'
import type { ContentSlice, Store } from '../store/store.ts'
import { failureOf, type DocumentReader, type ReadResult, type ReadSlice } from './reader.ts'
import type { TokenCache } from './token-cache.ts'
import { createRecognised, reasonAfter, type Recognised } from './recognised.ts'
import { toTrouble, type Trouble } from './trouble.ts'
import { createBell, keepRunning, waitFor } from './wait.ts'

type Waiting = ReturnType<Store['documents']['waiting']>[number]

export interface ReadQueueOptions {
  store: Store
  reader: DocumentReader
  tokens: TokenCache
  /** Documents read at one time. */
  jobs: number
  /** The file was not where it should be, or changed while it was read. */
  onMoved: (folderId: number, path: string) => void
  /** A document is done or begun; `stored` when there may be new texts to embed. */
  onChange: (stored: boolean) => void
  /** Pages of it now wait for text recognition. */
  onPages: () => void
  /** It is sound that nobody heard so far. */
  onSound: () => void
  log: Log
  retryMs?: number
}

export interface ReadQueue {
  start(): void
  wake(): void
  /** These changed on disk: if they are being read just now, they are read once more. */
  invalidate(documentIds: readonly number[]): void
  setPaused(paused: boolean): void
  readonly idle: boolean
  readonly current: readonly string[]
  readonly trouble: Trouble | null
  close(): Promise<void>
}

/** Up to here a document is read in one go and stored in one transaction; larger ones are hashed first and stored in slices. */
const smallBytes = 512 << 10
/** A document that was begun so often and never ended takes the program down. */
const mostAttempts = 8
/** A child that died under a document may have been killed from outside: it is tried once more, by itself. */
const mostCrashes = 2
const settleMs = 1500
const mostSettles = 3
const window = 256

/** Not the document's fault: everything stops, and goes on by itself. */
function stopsAll(error: SikuError): boolean {
  return ['disk-full', 'read-only', 'no-permission', 'busy', 'store-damaged'].includes(error.code)
}

/** Reads waiting documents, a few at a time. What a document does to its process is its own affair: the next goes on. */
export function createReadQueue(options: ReadQueueOptions): ReadQueue {
  const { store, reader, tokens, log, retryMs = 5000 } = options
  const recognised = createRecognised(store)
  const closing = new AbortController()
  const bell = createBell()
  const inFlight = new Map<number, { path: string; job: Promise<void> }>()
  const invalid = new Set<number>()
  const crashes = new Map<number, number>()
  const settles = new Map<number, { count: number; until: number }>()
  /** Documents whose status could not be written: it is written when there is room again. */
  const unsettled = new Map<number, { status: 'waiting' | 'failed'; reason: Reason | null }>()
  let ready: Waiting[] = []
  let settling = 0
  let paused = false
  let drained = true
  let trouble: Trouble | null = null

  /** Few attempts first, so that a document that takes everything down does so last; then the small ones. */
  function refill(): void {
    const now = Date.now()
    ready = store.documents
      .waiting(window + inFlight.size)
      .filter(({ documentId }) => !inFlight.has(documentId) && (settles.get(documentId)?.until ?? 0) <= now)
      .sort((one, other) => one.attempts - other.attempts || one.sizeBytes - other.sizeBytes)
  }

  async function setStatus(document: Waiting, status: 'waiting' | 'failed' | 'skipped', reason: Reason | null): Promise<void> {
    await store.documents.setStatus(document.documentId, status, reason)
  }

  /** Inside it is something else than its name says. */
  async function correctKind(document: Waiting, kind: DocumentKind, status: 'waiting' | 'skipped', reason: Reason | null): Promise<void> {
    const { documentId, folderId, sizeBytes, modifiedMs } = document
    const changed = [{ documentId, kind, sizeBytes, modifiedMs, status, reason }]
    await store.documents.applyScan(folderId, { added: [], changed, moved: [], touched: [], removed: [] }, null)
  }

  function keepTokens(slice: ReadSlice): void {
    slice.passages.forEach((passage, index) => {
      const ids = slice.tokenIds[index]
      if (ids !== undefined) tokens.put(passage.textHash, ids)
    })
  }

  function settleLater(document: Waiting): boolean {
    const count = (settles.get(document.documentId)?.count ?? 0) + 1
    if (count > mostSettles) return false
    settles.set(document.documentId, { count, until: Date.now() + settleMs })
    settling += 1
    void waitFor(settleMs, closing.signal).then(() => {
      settling -= 1
      bell.ring()
    })
    return true
  }

  /** How a document that could not be read, or has no text, goes on. */
  async function giveUp(document: Waiting, result: PoolResult<ReadResult>): Promise<void> {
    if (result.kind === 'cancelled') return setStatus(document, 'waiting', null)
    if (result.kind === 'ok') {
      const { status, reason, kind } = result.value
      if (reason?.code === 'gone') options.onMoved(document.folderId, document.filePath)
      if (reason?.code === 'changed-while-reading' && settleLater(document)) return setStatus(document, 'waiting', null)
      if (status === 'skipped') {
        await correctKind(document, kind, 'skipped', reason)
        if (kind === 'sound') options.onSound()
        return
      }
      return setStatus(document, 'failed', reason)
    }
    if (result.kind === 'crashed') {
      const count = (crashes.get(document.documentId) ?? 0) + 1
      crashes.set(document.documentId, count)
      if (count < mostCrashes) return setStatus(document, 'waiting', null)
    }
    log('warn', 'a document could not be read', { documentId: document.documentId, how: result.kind })
    await setStatus(document, 'failed', failureOf(result))
  }

  /** It has text, or pages on which text recognition may find some: what is known of it is stored. */
  function isKept(
    result: PoolResult<ReadResult>,
  ): result is { kind: 'ok'; value: ReadResult & { status: 'ready' | 'partial' | 'failed' } } {
    if (result.kind !== 'ok') return false
    const { status, pagesToRecognise = [] } = result.value
    return status === 'ready' || status === 'partial' || (status === 'failed' && pagesToRecognise.length > 0)
  }

  function endOf(value: ReadResult & { status: 'ready' | 'partial' | 'failed' }, used: Recognised | null) {
    const { status, title, pages, characters, language } = value
    const pagesRecognised = used?.pages.size ?? 0
    const { inner = [] } = value
    return { status, reason: reasonAfter(value, used?.givenUp), title, pages, characters, language, pagesRecognised, inner }
  }

  /** Notes the pages that text recognition is to read. Those of the same bytes may be done already: then it is read once more. */
  async function wantPages(document: Waiting, value: ReadResult, used: Recognised | null): Promise<void> {
    const { hash, pagesToRecognise = [] } = value
    if (used !== null || pagesToRecognise.length === 0) return
    if (recognised.of(hash) !== null) await setStatus(document, 'waiting', null)
    else options.onPages()
  }

  /** What lies in it waits now, and may be other bytes: what is being read of that just now is read once more. */
  function stored({ path }: Waiting): void {
    for (const [documentId, each] of inFlight) if (each.path.startsWith(path + sep)) invalid.add(documentId)
    drained = false
    options.onChange(true)
  }

  function recipeOf({ path }: Waiting, recipe: string, { isCutShort }: ReadResult): string {
    return isCutShort === true ? reader.shortRecipe(path, recipe) : recipe
  }

  async function readSmall(document: Waiting): Promise<void> {
    const slices: ReadSlice[] = []
    const known = document.hash === null ? null : recognised.of(document.hash)
    const result = await reader.read(document.path, {
      signal: closing.signal,
      recognised: known,
      onSlice: (slice) => void slices.push(slice),
    })
    if (!isKept(result)) return giveUp(document, result)
    const { hash, sizeBytes, modifiedMs, kind, pagesToRecognise = [] } = result.value
    const used = known?.hash === hash ? known : null
    if (kind !== document.kind) await correctKind(document, kind, 'waiting', null)
    for (const slice of slices) keepTokens(slice)
    // Before the document points at its content, or a kill between the two would leave pages that nobody knows of.
    if (used === null && pagesToRecognise.length > 0) await store.recognition.want(hash, pagesToRecognise)
    await store.contents.store({
      key: { hash, kind, recipe: recipeOf(document, recognised.recipe(await reader.recipe(), used), result.value) },
      sections: slices.flatMap((slice) => slice.sections),
      passages: slices.flatMap((slice) => slice.passages),
      end: endOf(result.value, used),
      attach: { documentId: document.documentId, hash, sizeBytes, modifiedMs },
    })
    await wantPages(document, result.value, used)
    stored(document)
  }

  async function readLarge(document: Waiting): Promise<void> {
    const { documentId } = document
    const hashed = await reader.hash(document.path, { signal: closing.signal })
    if (hashed.kind !== 'ok') return giveUp(document, hashed)
    if (hashed.value.kind === 'failed') return setStatus(document, 'failed', hashed.value.reason)
    const { hash, sizeBytes, modifiedMs } = hashed.value
    const kinds = await reader.kind(document.path, { signal: closing.signal })
    const kind = kinds.kind === 'ok' ? kinds.value : document.kind
    if (kind !== document.kind) await correctKind(document, kind, 'waiting', null)
    const used = recognised.of(hash)
    const key = { hash, kind, recipe: recognised.recipe(await reader.recipe(), used) }
    const known = store.contents.find(key) ?? store.contents.find({ ...key, recipe: reader.shortRecipe(document.path, key.recipe) })
    if (known !== null) {
      await store.documents.attach(documentId, known, { hash, sizeBytes, modifiedMs })
      stored(document)
      return
    }
    const { contentId } = await store.contents.begin(key)
    let firstSection = 0
    let writeError: SikuError | null = null
    async function onSlice(slice: ReadSlice): Promise<void> {
      const write: ContentSlice = { contentId, firstSection, sections: slice.sections, passages: slice.passages }
      firstSection += slice.sections.length
      keepTokens(slice)
      try {
        await store.contents.addSlice(write)
      } catch (error) {
        writeError = toSikuError(error)
        throw error
      }
    }
    const result = await reader.read(document.path, { signal: closing.signal, recognised: used, onSlice })
    if (writeError === null && isKept(result) && result.value.hash === hash) {
      const { pagesToRecognise = [] } = result.value
      if (used === null && pagesToRecognise.length > 0) await store.recognition.want(hash, pagesToRecognise)
      await store.contents.finish({ contentId, recipe: recipeOf(document, key.recipe, result.value), ...endOf(result.value, used) })
      await store.documents.attach(documentId, contentId, { hash, sizeBytes: result.value.sizeBytes, modifiedMs: result.value.modifiedMs })
      await wantPages(document, result.value, used)
      stored(document)
      return
    }
    await store.contents.abandon(contentId)
    if (writeError !== null) throw writeError as SikuError
    if (!isKept(result)) return giveUp(document, result)
    const changed: Reason = { code: 'changed-while-reading', message: 'The file changed while it was read.' }
    if (settleLater(document)) await setStatus(document, 'waiting', null)
    else await setStatus(document, 'failed', changed)
  }

  async function read(document: Waiting): Promise<void> {
    const { documentId } = document
    try {
      if (document.attempts >= mostAttempts) {
        const message = `Reading was begun ${counted(document.attempts, 'time')} and never came to an end.`
        await setStatus(document, 'failed', { code: 'reader-crashed', message })
      } else if (document.sizeBytes <= smallBytes) await readSmall(document)
      else await readLarge(document)
      if (invalid.has(documentId)) await setStatus(document, 'waiting', null)
      trouble = null
    } catch (error) {
      if (closing.signal.aborted) return
      const problem = toSikuError(error)
      if (stopsAll(problem)) {
        trouble = toTrouble(problem)
        log('warn', 'reading waits', { code: problem.code, message: problem.message })
        unsettled.set(documentId, { status: 'waiting', reason: null })
      } else {
        log('error', 'a document could not be stored', { documentId, code: problem.code, message: problem.message })
        unsettled.set(documentId, { status: 'failed', reason: { code: 'internal', message: problem.message } })
      }
    }
  }

  async function writeUnsettled(): Promise<void> {
    for (const [documentId, { status, reason }] of [...unsettled]) {
      await store.documents.setStatus(documentId, status, reason)
      unsettled.delete(documentId)
    }
  }

  async function settled(): Promise<boolean> {
    try {
      await writeUnsettled()
      return true
    } catch (error) {
      trouble = toTrouble(toSikuError(error))
      return false
    }
  }

  function begin(documents: Waiting[]): void {
    // Not waited for: it is written before anything the reading leads to.
    store.documents.beginReading(documents.map(({ documentId }) => documentId)).catch((error: unknown) => {
      trouble ??= toTrouble(toSikuError(error))
    })
    for (const document of documents) {
      const { documentId, path } = document
      const job = read(document).finally(() => {
        inFlight.delete(documentId)
        invalid.delete(documentId)
        options.onChange(false)
        bell.ring()
      })
      inFlight.set(documentId, { path, job })
    }
    options.onChange(false)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (trouble !== null && inFlight.size === 0) {
        options.onChange(false)
        await waitFor(retryMs, closing.signal)
        if (closing.signal.aborted || paused) continue
        // One document shows whether there is room again; `trouble` goes when it is stored.
        if (!(await settled())) continue
        refill()
        const probe = ready.shift()
        if (probe === undefined) trouble = null
        else {
          begin([probe])
          await inFlight.get(probe.documentId)?.job
        }
        continue
      }
      if (trouble === null && unsettled.size > 0 && !(await settled())) continue
      const room = paused || trouble !== null ? 0 : options.jobs - inFlight.size
      if (room > 0 && ready.length === 0) refill()
      drained = ready.length === 0
      const next = room > 0 ? ready.splice(0, room) : []
      if (next.length > 0) begin(next)
      else {
        options.onChange(false)
        await bell.sleep(closing.signal)
      }
    }
  }
  const loop = keepRunning(run, closing.signal, (error) => log('error', 'the reading queue stumbled', { error: String(error) }))

  return {
    start: loop.start,
    wake() {
      drained = false
      bell.ring()
    },
    invalidate(documentIds) {
      for (const documentId of documentIds) {
        settles.delete(documentId)
        crashes.delete(documentId)
        if (inFlight.has(documentId)) invalid.add(documentId)
      }
      ready = []
    },
    setPaused(next) {
      paused = next
      bell.ring()
    },
    get idle() {
      return inFlight.size === 0 && trouble === null && (paused || (drained && settling === 0 && unsettled.size === 0))
    },
    get current() {
      return [...inFlight.values()].map(({ path }) => path)
    },
    get trouble() {
      return trouble
    },
    async close() {
      closing.abort()
      bell.ring()
      await loop.ended()
      await Promise.all([...inFlight.values()].map(({ job }) => job))
    },
  }
}
