import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { toSikuError } from '../../contract/errors.ts'
import type { CoreDeps } from '../deps.ts'
import type { Embedder, EmbeddingModel } from '../embed/embed.ts'
import { bundledPriorsFile, cachedPriors, makePriors, type Priors } from '../search/search.ts'
import { makeCacheDirectory, type Store } from '../store/store.ts'
import { createMemoryIndex, type MemoryIndex } from './memory-index.ts'

export interface MemoryVectors {
  /** The index as it is, for what needs no vectors. Waits for nothing. */
  words(): MemoryIndex
  /** The index with the vectors that the store has of the embedder's model. Rejects when the embedder cannot be opened. */
  open(signal?: AbortSignal): Promise<MemoryIndex>
  /** Memories were added or changed: the index follows, vectors are made in the background. */
  changed(memories: { id: string; text: string; kind: 'fact' | 'preference' }[]): void
  removed(ids: string[]): void
  /** So many memories changed that the index is better made anew. */
  allChanged(): void
  /** Makes the vectors that are missing, in the background. */
  fill(): void
  /** Resolves when no vectors are being made. */
  whenFilled(): Promise<void>
  /** Of the index: memories whose vector is not made yet. */
  missing(): number
  close(): Promise<void>
}

export interface MemoryVectorsDeps {
  deps: Pick<CoreDeps, 'now' | 'log' | 'dataDir' | 'resourcesDir'>
  store: Store
  embedder: () => Embedder
}

const batchSize = 32
/** Memories taken up in one go: some milliseconds. */
const pieceSize = 200

/** Holds the index of memories in line with the store and the embedder in use. */
export function createMemoryVectors({ deps, store, embedder }: MemoryVectorsDeps): MemoryVectors {
  const directory = join(deps.dataDir, 'index')
  const canWrite = store.mode === 'writer'
  let current: { key: string | null; index: MemoryIndex; version: number } | null = null
  /** Counts what changed, so that an index that was made meanwhile is known to be old. */
  let revision = 0
  let opening: { key: string; made: Promise<MemoryIndex> } | null = null
  let filling: Promise<void> | null = null
  let again = false
  let stop = new AbortController()
  let closed = false
  /** Texts that this model cannot embed are not tried for ever. */
  let hopeless = new Set<string>()

  /** Changes when another program wrote; what this one writes is followed by hand. */
  function versionNow(): number {
    if (canWrite) return 0
    const row = store.reader.prepare('PRAGMA data_version').get() as { data_version: number }
    return row.data_version
  }

  function build(model: EmbeddingModel | null, priors: Priors): MemoryIndex {
    const version = versionNow()
    const index = createMemoryIndex(model?.dimensions ?? 0, priors)
    for (const memory of store.memories.list()) index.set(memory)
    if (model !== null) for (const { id, vector } of store.memories.vectors(model.key)) index.setVector(id, vector)
    current = { key: model?.key ?? null, index, version }
    return index
  }

  function usable(key: string | null): MemoryIndex | null {
    return current !== null && current.key === key && current.version === versionNow() ? current.index : null
  }

  function priorsOf(model: EmbeddingModel): Priors {
    return cachedPriors(directory, model, bundledPriorsFile(deps.resourcesDir))
  }

  async function open(signal?: AbortSignal): Promise<MemoryIndex> {
    const model = await embedder().open(signal)
    const ready = usable(model.key)
    if (ready !== null) return ready
    if (opening?.key !== model.key) {
      const made = buildInPieces(model, priorsOf(model)).finally(() => (opening = opening?.made === made ? null : opening))
      opening = { key: model.key, made }
    }
    return opening.made
  }

  /** Many memories are taken up a few at a time, so that nobody waits for all of them at once. */
  async function buildInPieces(model: EmbeddingModel, priors: Priors): Promise<MemoryIndex> {
    for (;;) {
      const [started, version] = [revision, versionNow()]
      const index = createMemoryIndex(model.dimensions, priors)
      let count = 0
      for (const memory of store.memories.list()) {
        index.set(memory)
        if (++count % pieceSize === 0) await setImmediate()
      }
      for (const { id, vector } of store.memories.vectors(model.key)) {
        index.setVector(id, vector)
        if (++count % pieceSize === 0) await setImmediate()
      }
      if (started !== revision || version !== versionNow()) continue
      current = { key: model.key, index, version }
      return index
    }
  }

  async function fillOnce(signal: AbortSignal): Promise<void> {
    const source = embedder()
    const model = await source.open(signal)
    if (Object.keys(priorsOf(model)).length === 0) {
      makeCacheDirectory(directory, deps.now(), deps.log)
      build(model, await makePriors(source, directory, model, false))
    }
    for (;;) {
      const index = await open(signal)
      const waiting = store.memories.list().filter(({ id, text }) => !index.hasVector(id) && !hopeless.has(text))
      if (waiting.length === 0 || current?.key !== model.key) return
      for (let from = 0; from < waiting.length; from += batchSize) {
        const batch = waiting.slice(from, from + batchSize)
        const outcomes = await source.embedPassages(
          batch.map(({ text }) => ({ text })),
          { signal },
        )
        const vectors = outcomes.flatMap((outcome, position) => {
          const { id, text } = batch[position]!
          if (outcome.kind === 'ok') return [{ id, text, vector: outcome.vector }]
          hopeless.add(text)
          return []
        })
        await store.memories.putVectors(model, vectors)
        revision += 1
        const now = usable(model.key)
        for (const { id, text, vector } of vectors) if (store.memories.get(id)?.text === text) now?.setVector(id, vector)
      }
    }
  }

  async function run(): Promise<void> {
    while (again && !closed) {
      again = false
      const { signal } = stop
      try {
        await fillOnce(signal)
      } catch (error) {
        const known = toSikuError(error)
        if (!closed && known.code !== 'cancelled') deps.log('warn', 'memories could not be embedded', { why: known.message })
      }
    }
  }

  function fill(): void {
    if (!canWrite || closed || store.memories.count() === 0) return
    again = true
    filling ??= run().finally(() => {
      filling = null
      if (again) fill()
    })
  }

  function words(): MemoryIndex {
    return current !== null && current.version === versionNow() ? current.index : build(null, {})
  }

  return {
    words,
    open,
    changed(memories) {
      revision += 1
      for (const memory of memories) current?.index.set(memory)
      fill()
    },
    removed(ids) {
      revision += 1
      for (const id of ids) current?.index.remove(id)
    },
    allChanged() {
      revision += 1
      current = null
      hopeless = new Set()
      stop.abort()
      stop = new AbortController()
      fill()
    },
    fill,
    whenFilled: async () => {
      while (filling !== null) await filling
    },
    missing: () => current?.index.withoutVector ?? 0,
    async close() {
      closed = true
      stop.abort()
      await filling
    },
  }
}
