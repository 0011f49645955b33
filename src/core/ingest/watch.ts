import type { AsyncSubscription } from '@parcel/watcher'
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
}

export interface Watch {
  close(): Promise<void>
}

/** A stream of events that does not pause is taken in after this. */
const longestSettleMs = 3000
const mostPaths = 2000

/** Never worth an event: their files are left out of every scan that skips them, and scans that don't are rare. */
const ignoredGlobs = ['**/.git/**', '**/node_modules/**', '**/__pycache__/**']

/** On Linux each directory is watched by itself, and what stands in one that just came is not: its own directories came before the watch. */
const watchesSingly = platform() === 'linux'

async function holdsDirectory(path: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(path)) if (entry.isDirectory()) return true
  } catch {
    // A file, or gone again.
  }
  return false
}

/** Follows one folder: events are gathered until it is quiet, then handed over once. */
export async function watchFolder(options: WatchOptions): Promise<Watch> {
  const { root, settleMs = 400, pollMs = 60_000, fullMs = 600_000 } = options
  let paths: Set<string> | null = new Set()
  let firstAt = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let closed = false
  let poll: NodeJS.Timeout | null = null
  let subscription: AsyncSubscription | null = null
  /** Paths that came since the last time, where directories among them may hold others. */
  let came = new Set<string>()

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
      .then((renewed) => options.onChange(renewed))
      .catch((error: unknown) => options.log('warn', 'following a folder failed', { error: String(error) }))
      .finally(() => {
        running = null
        if (!closed && (paths === null || paths.size > 0) && timer === null) schedule()
      })
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
    const watcher = (await import('@parcel/watcher')).default
    return watcher.subscribe(
      root,
      (error, events) => {
        if (error !== null) {
          // Events were lost: only a full look tells what happened.
          everything()
          return
        }
        for (const event of events) {
          if (watchesSingly && event.type === 'create' && came.size < mostPaths) came.add(event.path)
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
    async close(): Promise<void> {
      closed = true
      if (timer !== null) clearTimeout(timer)
      if (poll !== null) clearInterval(poll)
      clearInterval(full)
      await subscription?.unsubscribe().catch(() => undefined)
      await running
    },
  }
}
