import type { Counts, Folder, IndexProgress } from '../../contract/library.ts'
import type { Trouble } from './trouble.ts'
import { createBell, waitFor, type Bell } from './wait.ts'

export interface ProgressState {
  folders: Folder[]
  scanning: boolean
  reading: boolean
  embedding: boolean
  recognising: boolean
  transcribing: boolean
  paused: boolean
  current: readonly string[]
  trouble: Trouble | null
}

export interface Progress {
  /** Something changed: whoever watches hears of it, at most five times a second. */
  changed(): void
  /** Passages that got their vectors just now. */
  embedded(count: number): void
  snapshot(): IndexProgress
  watch(signal?: AbortSignal): AsyncGenerator<IndexProgress, void, void>
  close(): void
}

const intervalMs = 200
/** Time goes on without a change, too. */
const tickMs = 1000
/** The rate is that of the last while: long enough to be steady, short enough to be true. */
const rateWindowMs = 20_000

function addCounts(folders: readonly Folder[]): Counts {
  const counts: Counts = { total: 0, waiting: 0, reading: 0, recognising: 0, ready: 0, partial: 0, failed: 0, skipped: 0 }
  for (const folder of folders) {
    for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += folder.counts[key]
  }
  return counts
}

function phaseOf(state: ProgressState): IndexProgress['phase'] {
  if (state.paused) return 'paused'
  if (state.reading) return 'reading'
  if (state.scanning) return 'scanning'
  if (state.embedding) return 'embedding'
  if (state.recognising) return 'recognising'
  return state.transcribing ? 'transcribing' : 'idle'
}

function createRate(now: () => number): { add(count: number): void; perSecond(): number | null; clear(): void } {
  let samples: { at: number; count: number }[] = []
  return {
    add: (count) => void samples.push({ at: now(), count }),
    perSecond() {
      const at = now()
      samples = samples.filter((sample) => at - sample.at <= rateWindowMs)
      const [first, ...rest] = samples
      const last = rest.at(-1)
      if (first === undefined || last === undefined || last.at <= first.at) return null
      // The first only says when counting began.
      return (rest.reduce((sum, sample) => sum + sample.count, 0) * 1000) / (last.at - first.at)
    },
    clear: () => void (samples = []),
  }
}

/** Snapshots of the whole work for any number of watchers; each gets the last state for certain and skips what it is too slow for. */
export function createProgress(read: () => ProgressState, now: () => number): Progress {
  const closing = new AbortController()
  const bells = new Set<Bell>()
  const rate = createRate(now)
  let version = 0
  let shared: { version: number; at: number; value: IndexProgress } | null = null
  let work: { startedAt: number; endedAt: number; busy: boolean } = { startedAt: 0, endedAt: 0, busy: false }

  function make(at: number): IndexProgress {
    const state = read()
    const { folders } = state
    const phase = phaseOf(state)
    const busy = phase !== 'idle' && phase !== 'paused'
    if (busy && !work.busy) work = { startedAt: at, endedAt: at, busy }
    else if (busy) work.endedAt = at
    else if (work.busy) {
      work = { ...work, endedAt: at, busy }
      rate.clear()
    }
    const counts = addCounts(folders)
    const passages = folders.reduce((sum, folder) => sum + folder.passages, 0)
    const embedded = folders.reduce((sum, folder) => sum + folder.embedded, 0)
    const passagesPerSecond = busy ? rate.perSecond() : null
    const readSoFar = counts.ready + counts.partial
    const toCome = readSoFar === 0 ? 0 : ((counts.waiting + counts.reading) * passages) / readSoFar
    const left = passages - embedded + toCome
    return {
      type: 'index-progress',
      phase,
      folders,
      counts,
      passages,
      embedded,
      pagesToRecognise: folders.reduce((sum, folder) => sum + folder.pagesToRecognise, 0),
      current: [...state.current],
      elapsedMs: work.endedAt - work.startedAt,
      passagesPerSecond,
      remainingMs: passagesPerSecond === null || passagesPerSecond === 0 ? null : Math.round((left * 1000) / passagesPerSecond),
      trouble: state.trouble,
    }
  }

  /** Many watchers share one look at the store; the first thing one of them sees is never older than what it asked for. */
  function snapshot(mayLag = true): IndexProgress {
    const at = now()
    const age = shared === null ? Infinity : at - shared.at
    if (shared !== null && ((mayLag && age < intervalMs / 2) || (shared.version === version && age < tickMs))) return shared.value
    const value = make(at)
    shared = { version, at, value }
    return value
  }

  return {
    changed() {
      version += 1
      for (const bell of bells) bell.ring()
    },
    embedded: (count) => rate.add(count),
    snapshot: () => snapshot(),
    async *watch(signal) {
      const ending = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const bell = createBell()
      bells.add(bell)
      try {
        for (let first = true; !ending.aborted; first = false) {
          const value = snapshot(!first)
          const shown = shared?.version
          yield value
          await waitFor(intervalMs, ending)
          if (shown !== version) continue
          await bell.sleep(ending, work.busy ? tickMs : undefined)
        }
      } finally {
        bells.delete(bell)
      }
    },
    close: () => closing.abort(),
  }
}
