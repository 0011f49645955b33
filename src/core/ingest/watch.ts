import type { AsyncSubscription, subscribe as subscribeTo } from '@parcel/watcher'
import { opendir } from 'node:fs/promises'
import { platform } from 'node:os'
import type { Log } from '../deps.ts'

export interface WatchOptions {
  root: string
  single: boolean
  /** What may have changed; null: anything. Never called again before the promise it gave is settled. */
  onChange: (paths: ReadonlySet<string> | null) => Promise<void>
  /** The system can't watch (limits, network drives): `onChange(null)` is called from time to time instead. */
  onFallback: (message: string) => void
  log: Log
  /** Quiet time after an event; editors that save by renaming are through by then. */
  settleMs?: number
  pollMs?: number
  /** A full look now and then, whatever the events say: some are lost without a word. */
  fullMs?: number
  /** Quiet time after which a look at some paths is confirmed by a full one. */
  confirmMs?: number
  /** The system's events, another source in tests. */
  subscribe?: typeof subscribeTo
}

export interface Watch {
  /** After a look at everything: when the directory that was changed last was. One that came while the watch was being set is not in it. */
  sawAll(changedMs: number): void
  close(): Promise<void>
}

/** A stream of events that does not pause is taken in after this. */
const longestSettleMs = 3000
const mostPaths = 2000
/** A folder in which something happens all the time is confirmed all the same, after so many quiet times. */
const longestConfirm = 6
/** A full look of a large folder, or of a slow disk, is not repeated before so many times of what it took. */
const confirmRest = 20
/** Times in a file system go in ticks of the system's clock. */
const tickMs = 16
/** Where directories change all the time, the watch is not set anew without end. */
const mostSetAnew = 2

/** Never worth an event: their files are left out of every scan that skips them, and scans that don't are rare. */
const ignoredGlobs = ['**/.git/**', '**/node_modules/**', '**/__pycache__/**']

/**
 * On Linux each directory is watched by itself, and what stands in one that just came is not: its own directories came before
 * the watch. One that took the place of another of its name comes as an update.
 */
const watchesSingly = platform() === 'linux'

async function holdsDirectory(path: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(path)) if (entry.isDirectory()) return true
  } catch {
    // A file, or gone again.
  }
  return false
}

/**
 * Follows one folder: events are gathered until it is quiet, then handed over once. The watcher loses some: it takes its list of
 * events and clears it in two steps, so that what comes between the two is gone, and an overflow of the system's queue passes
 * without a word. Either happens only beside events that do arrive: so each look at some paths is followed, when it has become
 * quiet, by a look at everything.
 */
export async function watchFolder(options: WatchOptions): Promise<Watch> {
  const { root, settleMs = 400, pollMs = 60_000, fullMs = 600_000, confirmMs = 5000 } = options
  let paths: Set<string> | null = new Set()
  let firstAt = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let closed = false
  let poll: NodeJS.Timeout | null = null
  let subscription: AsyncSubscription | null = null
  /** Paths that came since the last time, where directories among them may hold others. */
  let came = new Set<string>()
  /** When the first look came that no full one has confirmed. */
  let unconfirmedAt: number | null = null
  let confirm: NodeJS.Timeout | null = null
  let lastFull = { endedAt: 0, tookMs: 0 }
  /** When setting the watch began, and how often that was only because directories had changed meanwhile. */
  let setFrom = 0
  let setAnew = 0

  function schedule(): void {
    if (closed) return
    const now = Date.now()
    if (timer === null) firstAt = now
    else clearTimeout(timer)
    timer = setTimeout(flush, Math.max(0, Math.min(settleMs, firstAt + longestSettleMs - now)))
  }

  function flush(): void {
    timer = null
    if (closed || running !== null) return
    const taken = paths
    paths = new Set()
    running = renewFor(taken)
      .then(look)
      .catch((error: unknown) => options.log('warn', 'following a folder failed', { error: String(error) }))
      .finally(() => {
        running = null
        if (!closed && (paths === null || paths.size > 0) && timer === null) schedule()
      })
  }

  async function look(taken: ReadonlySet<string> | null): Promise<void> {
    const startedAt = Date.now()
    if (taken === null) unconfirmedAt = null
    await options.onChange(taken)
    if (taken === null) lastFull = { endedAt: Date.now(), tookMs: Date.now() - startedAt }
    else confirmLater()
  }

  function confirmLater(): void {
    const now = Date.now()
    unconfirmedAt ??= now
    if (confirm !== null) clearTimeout(confirm)
    const soonest = Math.min(now + confirmMs, unconfirmedAt + confirmMs * longestConfirm)
    const at = Math.max(soonest, lastFull.endedAt + lastFull.tookMs * confirmRest)
    confirm = setTimeout(() => {
      confirm = null
      if (unconfirmedAt !== null) everything()
    }, at - now)
    confirm.unref()
  }

  /** Begins anew where directories came that may not be watched; then only a full look tells what happened meanwhile. */
  async function renewFor(taken: ReadonlySet<string> | null): Promise<ReadonlySet<string> | null> {
    const looked = came
    came = new Set()
    if (!watchesSingly || subscription === null) return taken
    let needed = taken === null
    for (const path of looked) needed ||= await holdsDirectory(path)
    if (!needed || closed) return taken
    try {
      // The last one is ended first: while it lives, its list of directories is used again.
      const last = subscription
      subscription = null
      await last.unsubscribe()
      const next = await subscribe()
      if (closed) await next.unsubscribe()
      else subscription = next
    } catch (error) {
      fallBack(error)
    }
    return null
  }

  async function subscribe(): Promise<AsyncSubscription> {
    setFrom = Date.now()
    const take = options.subscribe ?? (await import('@parcel/watcher')).default.subscribe
    return take(
      root,
      (error, events) => {
        if (error !== null) {
          // Events were lost: only a full look tells what happened.
          everything()
          return
        }
        for (const event of events) {
          if (watchesSingly && event.type !== 'delete' && came.size < mostPaths) came.add(event.path)
          if (paths === null) break
          if (event.path === root) paths = null
          else if (paths.add(event.path).size > mostPaths) paths = null
        }
        schedule()
      },
      { ignore: ignoredGlobs },
    )
  }

  function everything(): void {
    paths = null
    schedule()
  }

  function fallBack(error: unknown): void {
    if (closed || poll !== null) return
    options.onFallback(error instanceof Error ? error.message : String(error))
    poll = setInterval(everything, pollMs)
    poll.unref()
  }

  const full = setInterval(everything, fullMs)
  full.unref()
  try {
    // A single file is watched through its directory, which is not followed otherwise: polling one file is cheaper.
    if (options.single) throw new Error('a single file')
    // The watcher calls a folder that cannot be opened a bad file descriptor; the system says why.
    await (await opendir(root)).close()
    subscription = await subscribe()
  } catch (error) {
    fallBack(error)
  }

  return {
    sawAll(changedMs) {
      if (!watchesSingly || closed || subscription === null) return
      if (changedMs < setFrom - tickMs) setAnew = 0
      else if (setAnew < mostSetAnew) {
        setAnew += 1
        everything()
      }
    },
    async close(): Promise<void> {
      closed = true
      if (timer !== null) clearTimeout(timer)
      if (confirm !== null) clearTimeout(confirm)
      if (poll !== null) clearInterval(poll)
      clearInterval(full)
      await subscription?.unsubscribe().catch(() => undefined)
      await running
    },
  }
}
