import { counted } from '../../contract/counted.ts'
import type { Log } from '../deps.ts'
import type { Store, WaitingPage } from '../store/store.ts'
import { pageProblem, type PageReader } from './ocr/ocr.ts'
import { createPacedQueue, type PacedQueue } from './paced-queue.ts'

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

/** A page whose process ended so often is given up. */
const mostCrashes = 2
/** A page that was begun so often and never ended takes the program down. */
const mostAttempts = 8
const window = 64

/** Recognises pages that wait. Each is stored as it comes; the last of a document's makes it wait to be read once more. */
export function createOcrQueue(options: OcrQueueOptions): PacedQueue {
  const { store, recogniser, log } = options
  const crashes = new Map<string, number>()
  /** Their files were not what they should be; whoever follows the folder finds out. */
  const skipped = new Set<number>()

  function refill(): WaitingPage[] {
    const seen = new Set<string>()
    return store.recognition.waiting(window, [...skipped]).filter(({ hash, page }) => {
      // A page of two documents with the same bytes.
      const key = `${hash} ${page}`
      return seen.has(key) ? false : (seen.add(key), true)
    })
  }

  async function recognise(waiting: WaitingPage, signal: AbortSignal): Promise<void> {
    const { hash, page, path, kind, documentId } = waiting
    if (waiting.attempts >= mostAttempts) {
      const message = `Recognising this page was begun ${counted(waiting.attempts, 'time')} and never came to an end.`
      const { complete } = await store.recognition.giveUp(hash, page, { code: 'reader-crashed', message })
      return options.onChange(complete)
    }
    await store.recognition.begin(hash, page)
    options.onChange(false)
    const password = kind === 'pdf' ? await options.password?.(path, hash) : undefined
    const input = { path, kind, page, hash, ...(password === undefined ? {} : { password }) }
    const result = await recogniser.page(input, { signal })
    if (result.kind === 'ok' && result.value.kind === 'ok') {
      const { complete } = await store.recognition.put(hash, page, result.value.lines)
      return options.onChange(complete)
    }
    if (result.kind === 'ok' && result.value.kind === 'changed') {
      skipped.add(documentId)
      return queue.drop(documentId)
    }
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

  const queue = createPacedQueue<WaitingPage>({
    refill,
    onWake: () => skipped.clear(),
    work: recognise,
    enabled: options.enabled,
    hold: options.hold,
    onChange: () => options.onChange(false),
    onTrouble: ({ code, message }) => log('warn', 'text recognition waits', { code, message }),
    onStumble: (error) => log('error', 'the recognition queue stumbled', { error: String(error) }),
    retryMs: options.retryMs,
  })
  return queue
}
