import { stat } from 'node:fs/promises'
import { toSikuError } from '../../contract/errors.ts'
import type { Log } from '../deps.ts'
import type { Store } from '../store/store.ts'
import { hasDocuments, wasDeletedInside } from './deleted-inside.ts'
import type { ScanRules } from './ignore.ts'
import { reconcile } from './reconcile.ts'
import type { Scanner } from './scanner.ts'
import { toTrouble, type Trouble } from './trouble.ts'
import { createBell, keepRunning, waitFor } from './wait.ts'
import { watchFolder, type Watch, type WatchOptions } from './watch.ts'

export interface FollowOptions {
  folder: { id: number; path: string; single: boolean }
  store: Store
  scanner: Scanner
  rules: () => ScanRules
  /** Roots of all other folders. */
  otherRoots: () => ReadonlySet<string>
  /** It was found missing just now, before the first look. */
  away: boolean
  /** Holds the number of scans at one time down. */
  turn: <Value>(work: () => Promise<Value>) => Promise<Value>
  onApplied: (changed: number[]) => void
  onState: () => void
  now: () => number
  log: Log
  retryMs?: number
  /** How often a folder that is not there is looked for. */
  unreachableMs?: number
  /** How often it is asked whether the root still is the directory that is watched: a move of one above it makes no event. */
  rootMs?: number
  /** After each look at these paths, or at everything (null): folders inside may be touched too. */
  onLooked: (paths: ReadonlySet<string> | null) => void
  subscribe?: WatchOptions['subscribe']
}

/** Keeps one folder in line with the disk until it is closed. */
export interface Follower {
  /** A full look, soon. */
  rescan(): void
  /** A look at these paths, soon. */
  look(paths: Iterable<string>): void
  /** Something happened to the root, or may have: a full look if it is no longer what is watched. `moved`: it is watched anew in any case. */
  checkRoot(moved: boolean): void
  readonly scanning: boolean
  readonly reachable: boolean
  /** Scanning, with nothing said so far of a folder that was missing at the start. */
  readonly looking: boolean
  readonly trouble: Trouble | null
  close(): Promise<void>
}

/** Tells a directory from another that takes its place; '' when there is none. */
function identityOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    (stats) => `${stats.dev}:${stats.ino}`,
    () => '',
  )
}

export function followFolder(options: FollowOptions): Follower {
  const { folder, store, log, retryMs = 5000, unreachableMs = 10_000, rootMs = 15_000 } = options
  const closing = new AbortController()
  const bell = createBell()
  /** Null: everything. */
  let wanted: Set<string> | null = null
  let pending = true
  let scanning = true
  let reachable = !options.away
  let away = options.away
  let trouble: Trouble | null = null
  let watch: Watch | null = null
  /** Null: to be watched anew. */
  let watched: string | null = null
  const settled: (() => void)[] = []

  function want(paths: Iterable<string> | null): void {
    if (paths === null) wanted = null
    else if (!pending) wanted = new Set(paths)
    else if (wanted !== null) for (const path of paths) wanted.add(path)
    pending = true
    scanning = true
    options.onState()
    bell.ring()
  }

  function setScanning(next: boolean): void {
    scanning = next
    if (!next) for (const resolve of settled.splice(0)) resolve()
    options.onState()
  }

  /** The watcher hands over one change after the other: the next waits until this one is in the store. */
  function onChange(paths: ReadonlySet<string> | null): Promise<void> {
    if (closing.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      settled.push(resolve)
      want(paths)
    })
  }

  async function openWatch(): Promise<void> {
    const { path: root, single } = folder
    // A folder that was replaced by another of its name is not the one the system watches.
    const identity = await identityOf(root)
    if (watch !== null && identity === watched) return
    await closeWatch()
    // The scan says what is wrong with it, and the next full one tries again.
    if (identity === '' || closing.signal.aborted) return
    watched = identity
    watch = await watchFolder({
      root,
      single,
      onChange,
      onFallback: (message) => log('warn', 'a folder cannot be watched and is looked at from time to time', { message }),
      log,
      ...(options.subscribe === undefined ? {} : { subscribe: options.subscribe }),
    })
  }

  async function checkRoot(): Promise<void> {
    if (!reachable || scanning) return
    const identity = await identityOf(folder.path)
    if (reachable && !scanning && !closing.signal.aborted && identity !== watched) want(null)
  }

  /** One after the other, so that a drive that hangs is asked once. */
  async function watchRoot(): Promise<void> {
    while (!closing.signal.aborted) {
      await waitFor(rootMs, closing.signal)
      await checkRoot()
    }
  }

  async function closeWatch(): Promise<void> {
    const closed = watch
    watch = null
    for (const resolve of settled.splice(0)) resolve()
    await closed?.close()
  }

  async function becomeUnreachable(message: string): Promise<void> {
    if (reachable) log('warn', 'a folder cannot be reached', { message })
    await store.folders.setReachable(folder.id, false)
    reachable = false
    pending = true
    wanted = null
    setScanning(false)
    await closeWatch()
    while (!closing.signal.aborted) {
      await bell.sleep(closing.signal, unreachableMs)
      if (closing.signal.aborted || (await mayHaveChanged())) break
      setScanning(false)
    }
    setScanning(true)
  }

  /** It is there again, or a folder around it came back without it. */
  async function mayHaveChanged(): Promise<boolean> {
    const isBack = await stat(folder.path).then(
      () => true,
      () => false,
    )
    return isBack || (hasDocuments(store, folder.id) && (await wasDeletedInside(store, folder.id)))
  }

  async function look(): Promise<void> {
    await lookAtIt()
    away = false
  }

  async function lookAtIt(): Promise<void> {
    const only = wanted
    wanted = new Set()
    pending = false
    try {
      if (only === null) await openWatch()
      const result = await options.turn(() =>
        reconcile({
          store,
          scanner: options.scanner,
          folder,
          rules: options.rules(),
          otherRoots: options.otherRoots(),
          only,
          now: options.now,
          onApplied: options.onApplied,
          signal: closing.signal,
        }),
      )
      trouble = null
      options.onLooked(only)
      if (result.kind === 'unreachable') return await becomeUnreachable(result.message)
      if (!reachable) {
        reachable = true
        await store.folders.setReachable(folder.id, true)
      }
      if (only === null) watch?.sawAll(result.changedMs)
      // Its documents may be read from now on.
      if (only === null) options.onApplied([])
      if (!pending) setScanning(false)
    } catch (error) {
      if (closing.signal.aborted) return
      const problem = toSikuError(error)
      log('warn', 'a scan failed and is tried again', { code: problem.code, message: problem.message })
      trouble = toTrouble(problem)
      want(only)
      await waitFor(retryMs, closing.signal)
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (pending) await look()
      else await bell.sleep(closing.signal)
    }
  }
  const loop = keepRunning(run, closing.signal, (error) => log('error', 'following a folder stumbled', { error: String(error) }))
  loop.start()
  void watchRoot()

  return {
    rescan: () => want(null),
    look: (paths) => want(paths),
    checkRoot(moved) {
      if (moved) watched = null
      void checkRoot()
    },
    get scanning() {
      return scanning
    },
    get reachable() {
      return reachable
    },
    get looking() {
      return scanning && !away
    },
    get trouble() {
      return trouble
    },
    async close() {
      closing.abort()
      bell.ring()
      setScanning(false)
      await closeWatch()
      await loop.ended()
      // One that was being opened just then.
      await closeWatch()
    },
  }
}
