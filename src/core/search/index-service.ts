import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { mkdirSync } from 'node:fs'
import type { HnswLibrary } from './hnsw.ts'
import type { Priors } from './language-means.ts'
import { createSearcher, type FoundHit, type SearchDetail, type SearcherRequest, type Started } from './searcher.ts'
import { openVectorIndex, type VectorIndex, type VectorState } from './vector-index.ts'

export interface IndexThreadData {
  databasePath: string
  /** Where the graphs are kept. */
  directory: string
  readOnly: boolean
  /** As if hnswlib-node could not be compiled. */
  withoutHnsw?: boolean
}

export interface FinishedSearch {
  hits: FoundHit[]
  detail: SearchDetail
  state: VectorState
  /** The vector was used. */
  byMeaning: boolean
}

export interface IndexApi {
  /** Opens the index of this model, when the store knows it; a null key takes the active one. */
  useModel(input: { key: string | null; priors: Priors }): Promise<{ found: boolean; state: VectorState }>
  /** The keyword leg of a search that `finish` ends. */
  start(input: { id: number; request: SearcherRequest }): void
  finish(input: { id: number; vector: Float32Array | null; modelKey: string | null }): Promise<FinishedSearch>
  cancel(input: { id: number }): void
  /** Takes in what the store has had since. Resolves when all is in the graphs. */
  upkeep(input: undefined): Promise<VectorState>
  /** Saves and ends the index; the thread may be ended then. */
  close(input: undefined): Promise<void>
  state(input: undefined): { state: VectorState; vectors: number; hnsw: boolean }
}

const quietBeforeSaveMs = 3000
const longestUnsavedMs = 120_000

/** Behind the thread's messages; runs as well without one, in tests. */
export function createIndexService(reader: DatabaseSyncInstance, library: HnswLibrary | null, data: IndexThreadData): IndexApi {
  const searcher = createSearcher(reader)
  const started = new Map<number, Started>()
  let index: VectorIndex | null = null
  let opening: Promise<VectorIndex | null> = Promise.resolve(null)
  let saveTimer: NodeJS.Timeout | undefined
  let unsavedSince = 0
  let closed = false
  if (!data.readOnly) mkdirSync(data.directory, { recursive: true })

  function modelOf(key: string | null): { id: number; key: string; dimensions: number } | null {
    const row = reader
      .prepare('SELECT id, key, dimensions FROM embedding_models WHERE CASE WHEN ? IS NULL THEN active = 1 ELSE key = ? END')
      .get(key, key)
    return (row as { id: number; key: string; dimensions: number } | undefined) ?? null
  }

  async function open(key: string | null, priors: Priors): Promise<VectorIndex | null> {
    const model = modelOf(key)
    if (index && model && index.model.id === model.id) {
      index.setPriors(priors)
      return index
    }
    await index?.close()
    index = null
    if (!model || closed) return null
    index = await openVectorIndex({ reader, directory: data.directory, readOnly: data.readOnly, library, model, priors, log: () => {} })
    return index
  }

  function state(): VectorState {
    return index?.state() ?? (library ? 'hnsw' : 'exact')
  }

  /** After a quiet while, and at the latest so often while changes keep coming. */
  function saveSoon(): void {
    const now = performance.now()
    if (saveTimer === undefined) unsavedSince = now
    clearTimeout(saveTimer)
    saveTimer = setTimeout(
      () => {
        saveTimer = undefined
        void index?.save()
      },
      Math.max(0, Math.min(quietBeforeSaveMs, unsavedSince + longestUnsavedMs - now)),
    )
    saveTimer.unref()
  }

  return {
    async useModel({ key, priors }) {
      opening = opening.then(() => open(key, priors))
      const opened = await opening
      return { found: opened !== null, state: state() }
    },
    start({ id, request }) {
      started.set(id, searcher.start(request, index))
    },
    async finish({ id, vector, modelKey }) {
      const search = started.get(id)
      if (!search) throw new Error('this search was not started')
      started.delete(id)
      if (vector) await opening
      const usable = vector !== null && index !== null && index.model.key === modelKey && index.languages().length > 0
      const { hits, detail } = searcher.finish(search, usable ? vector : null, index)
      return { hits, detail, state: state(), byMeaning: usable }
    },
    cancel({ id }) {
      started.delete(id)
    },
    async upkeep() {
      await opening
      await index?.upkeep()
      saveSoon()
      return state()
    },
    async close() {
      closed = true
      clearTimeout(saveTimer)
      await opening.catch(() => undefined)
      await index?.close()
      reader.close()
    },
    state() {
      return {
        state: state(),
        hnsw: library !== null,
        vectors: index ? index.languages().reduce((sum, language) => sum + index!.count(language), 0) : 0,
      }
    },
  }
}
