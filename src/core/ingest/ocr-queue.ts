import { toSikuError } from '../../contract/errors.ts'
import type { Log } from '../deps.ts'
import type { Store, WaitingPage } from '../store/store.ts'
import { pageProblem, type PageReader } from './ocr/ocr.ts'
import { toTrouble, type Trouble } from './trouble.ts'
import { createBell, keepRunning, waitFor } from './wait.ts'

export interface OcrQueueOptions {
  store: Store
  recogniser: PageReader
  /** Of a locked document, where it is known. */
  password?: (path: string, hash: string) => Promise<string | undefined>
  /** False while the user does not want it. */
  enabled: () => boolean
  /** True while others should have the machine for themselves. */
  hold: () => boolean
  /** A page is done or begun; `complete` when documents now wait to be read with what was recognised. */
  onChange: (complete: boolean) => void
  log: Log
  retryMs?: number
}

export interface OcrQueue {
  start(): void
  /** Pages may wait, or what was skipped may be there again. */
  wake(): void
  setPaused(paused: boolean): void
  /** Nothing is left that can be done now. */
  readonly idle: boolean
  /** The document whose page is recognised just now. */
  readonly current: string | null
  readonly trouble: Trouble | null
  close(): Promise<void>
}

/** A page whose process ended so often is given up. */
const mostCrashes = 2
/** A page that was begun so often and never ended takes the program down. */
const mostAttempts = 8
const holdMs = 200
const window = 64

/**
 * Recognises pages that wait, one at a time and after everything else. Each is stored as it comes; the last of a document's makes
 * it wait to be read once more. A page that runs when the queue is paused is finished.
 */
export function createOcrQueue(options: OcrQueueOptions): OcrQueue {
  const { store, recogniser, log, retryMs = 5000 } = options
  const closing = new AbortController()
  const bell = createBell()
  const crashes = new Map<string, number>()
  /** Their files were not what they should be; whoever follows the folder finds out. */
  const skipped = new Set<number>()
  let ready: WaitingPage[] = []
  let paused = false
  let drained = true
  let current: string | null = null
  let trouble: Trouble | null = null

  function refill(): void {
    const seen = new Set<string>()
    ready = store.recognition.waiting(window, [...skipped]).filter(({ hash, page }) => {
      // A page of two documents with the same bytes.
      const key = `${hash} ${page}`
      return seen.has(key) ? false : (seen.add(key), true)
    })
  }

  async function recognise(waiting: WaitingPage): Promise<void> {
    const { hash, page, path, kind, documentId } = waiting
    if (waiting.attempts >= mostAttempts) {
      const message = `Recognising this page was begun ${waiting.attempts} times and never came to an end.`
      const { complete } = await store.recognition.giveUp(hash, page, { code: 'reader-crashed', message })
      return options.onChange(complete)
    }
    await store.recognition.begin(hash, page)
    current = path
    options.onChange(false)
    const password = kind === 'pdf' ? await options.password?.(path, hash) : undefined
    const input = { path, kind, page, hash, ...(password === undefined ? {} : { password }) }
    const result = await recogniser.page(input, { signal: closing.signal })
    if (result.kind === 'ok' && result.value.kind === 'ok') {
      const { complete } = await store.recognition.put(hash, page, result.value.lines)
      return options.onChange(complete)
    }
    if (result.kind === 'ok' && result.value.kind === 'changed') return skip(documentId)
    const problem = result.kind === 'ok' ? (result.value.kind === 'failed' ? result.value.reason : null) : pageProblem(result)
    if (problem === null) return
    const key = `${hash} ${page}`
    const count = (crashes.get(key) ?? 0) + 1
    crashes.set(key, count)
    // A process may have been killed from outside: its page is tried once more.
    if (result.kind !== 'ok' && result.kind !== 'failed' && count < mostCrashes) return
    crashes.delete(key)
    log('warn', 'a page could not be recognised', { documentId, page, code: problem.code })
    const { complete } = await store.recognition.giveUp(hash, page, problem)
    options.onChange(complete)
  }

  function skip(documentId: number): void {
    skipped.add(documentId)
    ready = ready.filter((page) => page.documentId !== documentId)
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (paused || !options.enabled()) ready = []
      else if (ready.length === 0) refill()
      drained = ready.length === 0
      if (drained) {
        options.onChange(false)
        await bell.sleep(closing.signal)
        continue
      }
      if (options.hold()) {
        await waitFor(holdMs, closing.signal)
        continue
      }
      const next = ready.shift()!
      try {
        await recognise(next)
        trouble = null
      } catch (error) {
        if (closing.signal.aborted) return
        const problem = toSikuError(error)
        trouble = toTrouble(problem)
        log('warn', 'text recognition waits', { code: problem.code, message: problem.message })
        ready = []
        options.onChange(false)
        await bell.sleep(closing.signal, retryMs)
      } finally {
        current = null
      }
    }
  }
  const loop = keepRunning(run, closing.signal, (error) => log('error', 'the recognition queue stumbled', { error: String(error) }))

  return {
    start: loop.start,
    wake() {
      skipped.clear()
      ready = []
      drained = paused || !options.enabled()
      bell.ring()
    },
    setPaused(next) {
      paused = next
      bell.ring()
    },
    get idle() {
      return current === null && (paused || drained || !options.enabled())
    },
    get current() {
      return current
    },
    get trouble() {
      return trouble
    },
    async close() {
      closing.abort()
      bell.ring()
      await loop.ended()
    },
  }
}
