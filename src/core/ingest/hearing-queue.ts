import { toSikuError, type SikuError } from '../../contract/errors.ts'
import type { Reason } from '../../contract/library.ts'
import type { Log } from '../deps.ts'
import type { Store, WaitingSound } from '../store/store.ts'
import { hearFile, type Hearing } from './hear-file.ts'
import { createPacedQueue, type PacedQueue } from './paced-queue.ts'
import type { DocumentReader } from './reader.ts'

export interface HearingQueueOptions {
  store: Store
  reader: Pick<DocumentReader, 'hash' | 'bytes'>
  hearing: Hearing
  hold: () => boolean
  /** A recording is done or begun; `heard` when documents now wait to be read with what was heard. */
  onChange: (heard: boolean) => void
  log: Log
  /** The first wait after a failure; it doubles. */
  retryMs?: number
}

export interface HearingQueue extends Omit<PacedQueue, 'trouble'> {
  /** Settings changed: what waited for the address is tried at once, and what may not go out any more is broken off. */
  settingsChanged(): void
  /** The user asks for this one: it does not wait any longer. */
  again(documentId: number): void
}

/** Answers that cannot be used, in a row, until a recording is given up. An address that cannot be reached gives up nothing. */
const mostAnswers = 5
const longestWaitMs = 600_000
const window = 64

/**
 * Has recordings in folders transcribed, where the user lets them go. What was heard is kept by the file's bytes; its documents then
 * wait to be read with it. An address that does not answer, has no room or does not know the user holds everything back for a while.
 */
export function createHearingQueue(options: HearingQueueOptions): HearingQueue {
  const { store, reader, hearing, log, retryMs = 5000 } = options
  const answers = new Map<number, { count: number; until: number }>()
  /** Their files were not what they should be; whoever follows the folder finds out. */
  const skipped = new Set<number>()
  let address = { failures: 0, until: 0, says: null as string | null }
  let running: AbortController | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false

  function wakeAt(until: number): void {
    if (timer !== null) clearTimeout(timer)
    timer = closed ? null : setTimeout(() => queue.wake(), Math.max(0, until - performance.now()))
    timer?.unref()
  }

  function waitAfter(count: number): number {
    return performance.now() + Math.min(longestWaitMs, retryMs * 2 ** (count - 1))
  }

  /** What each of them says while it has no text. */
  function unheardReason(): Reason {
    if (!hearing.allowed()) return { code: 'not-transcribed', message: hearing.needed() }
    const message = address.says === null ? 'It waits to be transcribed.' : `${address.says} It is tried again by itself.`
    return { code: 'to-transcribe', message }
  }

  function mark(): void {
    store.transcripts.markWaiting(unheardReason()).then(
      (changed) => changed > 0 && options.onChange(false),
      (error: unknown) => log('warn', 'why sound waits could not be noted', { error: String(error) }),
    )
  }

  function refill(): WaitingSound[] {
    const now = performance.now()
    if (address.until > now) {
      wakeAt(address.until)
      return []
    }
    const later = [...answers].filter(([, { until }]) => until > now)
    const waiting = store.transcripts.waiting(window, [...skipped, ...later.map(([documentId]) => documentId)])
    if (waiting.length === 0 && later.length > 0) wakeAt(Math.min(...later.map(([, { until }]) => until)))
    return waiting
  }

  async function work(waiting: WaitingSound, closing: AbortSignal): Promise<void> {
    const { documentId, path } = waiting
    running = new AbortController()
    options.onChange(false)
    try {
      const heard = await hearFile(path, { store, reader, hearing, signal: AbortSignal.any([closing, running.signal]) })
      if (heard.kind === 'changed') return pass(documentId)
      if (heard.kind === 'failed') return await giveUp(documentId, heard.reason)
      await store.transcripts.put(documentId, heard.hash, heard.segments)
      answers.delete(documentId)
      address = { failures: 0, until: 0, says: null }
      options.onChange(true)
    } catch (error) {
      const problem = toSikuError(error)
      if (problem.code === 'cancelled') return
      if (isOfAddress(problem)) holdBack(problem)
      else if (isOfRecording(problem)) await giveUp(documentId, refusal(problem))
      else if (isOfAnswer(problem)) await tryLater(documentId, problem)
      else throw problem
    } finally {
      running = null
    }
  }

  function pass(documentId: number): void {
    skipped.add(documentId)
    queue.drop(documentId)
  }

  function holdBack(problem: SikuError): void {
    const failures = address.failures + 1
    const until = Math.max(waitAfter(failures), performance.now() + Math.min(longestWaitMs, problem.retryAfterMs ?? 0))
    address = { failures, until, says: problem.message }
    log('warn', 'transcription waits', { code: problem.code, status: problem.status })
    queue.wake()
  }

  async function tryLater(documentId: number, problem: SikuError): Promise<void> {
    const count = (answers.get(documentId)?.count ?? 0) + 1
    if (count >= mostAnswers) return giveUp(documentId, refusal(problem))
    answers.set(documentId, { count, until: waitAfter(count) })
    queue.wake()
  }

  async function giveUp(documentId: number, reason: Reason): Promise<void> {
    answers.delete(documentId)
    log('warn', 'a recording could not be transcribed', { documentId, code: reason.code })
    await store.documents.setStatus(documentId, 'failed', reason)
    options.onChange(false)
  }

  const queue = createPacedQueue<WaitingSound>({
    refill,
    onWake() {
      skipped.clear()
      mark()
    },
    work,
    enabled: hearing.allowed,
    hold: options.hold,
    onChange: () => options.onChange(false),
    onTrouble: ({ code, message }) => log('warn', 'transcription waits', { code, message }),
    onStumble: (error) => log('error', 'the hearing queue stumbled', { error: String(error) }),
    retryMs,
  })
  return {
    start: queue.start,
    wake: queue.wake,
    drop: queue.drop,
    setPaused(paused) {
      if (paused) running?.abort()
      queue.setPaused(paused)
    },
    settingsChanged() {
      address = { failures: 0, until: 0, says: null }
      answers.clear()
      if (!hearing.allowed()) running?.abort()
      queue.wake()
    },
    again(documentId) {
      answers.delete(documentId)
      address = { ...address, until: 0 }
    },
    get idle() {
      return queue.idle
    },
    get current() {
      return queue.current
    },
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      return queue.close()
    },
  }
}

/** It is down, wants another key, has another model, or has no room: any other recording would meet the same. */
function isOfAddress({ code, status }: SikuError): boolean {
  if (['model-unreachable', 'network', 'timeout', 'offline', 'model-config', 'unsupported', 'refused'].includes(code)) return true
  return code === 'model-call' && (status === 402 || status === 408 || status === 409 || status === 429)
}

function isOfRecording({ code, status }: SikuError): boolean {
  return (
    code === 'context-exceeded' || code === 'bad-input' || (code === 'model-call' && status !== undefined && status >= 400 && status < 500)
  )
}

function isOfAnswer({ code }: SikuError): boolean {
  return code === 'model-call'
}

function refusal({ status, message }: SikuError): Reason {
  return status === 413
    ? { code: 'too-large-to-transcribe', message: `The recording is too large for the transcription address. ${message}` }
    : { code: 'transcription-failed', message: `The recording could not be transcribed. ${message}` }
}
