import { toSikuError } from '../../contract/errors.ts'
import type { Log } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import type { NewVector, PendingText, Store } from '../store/store.ts'
import type { TokenCache } from './token-cache.ts'
import { toTrouble, type Trouble } from './trouble.ts'
import { createBell, keepRunning, waitFor } from './wait.ts'

export interface EmbedQueueOptions {
  store: Store
  embedder: () => Embedder | null
  tokens: TokenCache
  /** True while others should have the machine for themselves. */
  hold: () => boolean
  /** After vectors were stored, and when the state changed. */
  onChange: (stored: number) => void
  log: Log
  firstWaitMs?: number
}

export interface EmbedQueue {
  start(): void
  /** Texts may be waiting. */
  wake(): void
  /** Another embedding model was chosen: what it lacks is filled, beginning now. */
  modelChanged(): void
  /** Texts that could not be embedded are tried once more. */
  retryProblems(): Promise<void>
  setPaused(paused: boolean): void
  readonly state: 'idle' | 'working' | 'waiting'
  readonly trouble: Trouble | null
  close(): Promise<void>
}

/** A call to the embedder is sized to take about this long: long enough to sort well, short enough to be stopped and seen. */
const callMs = 2500
const fewestTexts = 8
const mostTexts = 256
const longestWaitMs = 60_000
const fullDiskMs = 5000
const holdMs = 200

/** Fills the vectors of texts that have none, in the background and for as long as there are any. */
export function createEmbedQueue(options: EmbedQueueOptions): EmbedQueue {
  const { store, tokens, log, firstWaitMs = 1000 } = options
  const closing = new AbortController()
  const bell = createBell()
  let working: AbortController | null = null
  let paused = false
  let state: EmbedQueue['state'] = 'idle'
  let trouble: Trouble | null = null
  let failures = 0
  let texts = 4 * fewestTexts
  let model: { source: Embedder; id: number } | null = null
  let modelIsNew = false

  function become(next: EmbedQueue['state']): void {
    if (state === next) return
    state = next
    options.onChange(0)
  }

  /**
   * Vectors are stored while the next batch is embedded, and a second batch waits at the embedder, so that it is never idle
   * between two. `inFlight` keeps a text from being taken twice.
   */
  async function fill(source: Embedder, modelId: number, signal: AbortSignal): Promise<void> {
    const inFlight = new Set<string>()
    let failed: unknown = null

    function take(): PendingText[] {
      return store.vectors
        .pending(modelId, texts + inFlight.size)
        .filter((text) => !inFlight.has(text.textHash))
        .slice(0, texts)
    }
    async function put(vectors: NewVector[]): Promise<void> {
      await store.vectors.put(modelId, vectors)
      for (const vector of vectors) inFlight.delete(vector.textHash)
      trouble = null
      failures = 0
      options.onChange(vectors.length)
    }

    async function embed(batch: PendingText[]): Promise<NewVector[]> {
      const inputs = batch.map((text) => ({ text: text.text, tokenIds: tokens.take(text.textHash) }))
      const outcomes = await source.embedPassages(inputs, { signal })
      return batch.map((text, index): NewVector => {
        const outcome = outcomes[index]!
        const base = { textHash: text.textHash, language: text.language }
        return outcome.kind === 'ok'
          ? { ...base, vector: outcome.vector, problem: null }
          : { ...base, vector: null, problem: outcome.reason }
      })
    }
    async function lane(): Promise<void> {
      let storing: Promise<void> = Promise.resolve()
      try {
        for (let batch = take(); batch.length > 0 && failed === null; batch = take()) {
          signal.throwIfAborted()
          for (const text of batch) inFlight.add(text.textHash)
          const startedAt = performance.now()
          const vectors = await embed(batch)
          const elapsed = Math.max(1, performance.now() - startedAt)
          texts = Math.max(fewestTexts, Math.min(mostTexts, Math.round((batch.length * callMs) / elapsed), texts * 2))
          await storing
          storing = put(vectors).catch((error: unknown) => {
            failed ??= error
          })
        }
      } catch (error) {
        failed ??= error
      }
      await storing
    }

    await Promise.all([lane(), lane()])
    if (failed !== null) throw failed
  }

  async function ready(source: Embedder, signal: AbortSignal): Promise<number> {
    if (model?.source === source) return model.id
    const info = await source.open(signal)
    const id = await store.vectors.model(info.key, info.dimensions)
    model = { source, id }
    modelIsNew = false
    return id
  }

  /** Without loading a model: only what waits for the one in use is counted, and any passage when none was ever in use. */
  function anyPending(): boolean {
    if (modelIsNew) return store.reader.prepare('SELECT 1 FROM passages LIMIT 1').get() !== undefined
    const row = store.reader
      .prepare(
        `SELECT CASE WHEN EXISTS (SELECT 1 FROM embedding_models WHERE active = 1)
           THEN EXISTS (SELECT 1 FROM pending_texts) ELSE EXISTS (SELECT 1 FROM passages) END AS pending`,
      )
      .get() as { pending: number }
    return row.pending === 1
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const source = options.embedder()
      if (paused || source === null || !anyPending()) {
        become('idle')
        await bell.sleep(closing.signal)
        continue
      }
      become('working')
      if (options.hold()) {
        await waitFor(holdMs, closing.signal)
        continue
      }
      working = new AbortController()
      try {
        const signal = AbortSignal.any([closing.signal, working.signal])
        const modelId = await ready(source, signal)
        await fill(source, modelId, signal)
      } catch (error) {
        const problem = toSikuError(error)
        if (problem.code === 'cancelled' || closing.signal.aborted || working.signal.aborted) continue
        failures += 1
        model = null
        trouble = toTrouble(problem)
        log('warn', 'embedding waits', { code: problem.code, message: problem.message })
        // A full disk holds up all work until there is room; an embedder that does not answer holds up only itself.
        const full = problem.code === 'disk-full'
        if (!full) become('waiting')
        options.onChange(0)
        const wait = Math.min(full ? fullDiskMs : longestWaitMs, firstWaitMs * 2 ** Math.min(failures - 1, 10))
        await bell.sleep(working.signal, Math.max(wait, problem.retryAfterMs ?? 0))
      } finally {
        working = null
      }
    }
  }
  const loop = keepRunning(run, closing.signal, (error) => log('error', 'the embedding queue stumbled', { error: String(error) }))

  return {
    start: loop.start,
    wake() {
      // While it waits for an embedder that failed, new texts are no reason to ask it sooner.
      if (state === 'waiting') return
      if (state === 'idle' && !paused) become('working')
      bell.ring()
    },
    async retryProblems() {
      if (model === null) return
      await store.vectors.retryProblems(model.id)
      this.wake()
    },
    modelChanged() {
      modelIsNew = true
      model = null
      trouble = null
      failures = 0
      working?.abort()
      bell.ring()
    },
    setPaused(next) {
      paused = next
      if (paused) working?.abort()
      bell.ring()
    },
    get state() {
      return state
    },
    get trouble() {
      return trouble
    },
    async close() {
      closing.abort()
      working?.abort()
      bell.ring()
      await loop.ended()
    },
  }
}
