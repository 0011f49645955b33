import { join } from 'node:path'
import { cancelled, toSikuError } from '../../contract/errors.ts'
import { searchRequestSchema, type SearchRequest, type SearchResult } from '../../contract/search.ts'
import type { CoreDeps, Log } from '../deps.ts'
import type { Embedder } from '../embed/embed.ts'
import { makeCacheDirectory, type Store } from '../store/store.ts'
import { startThread, type RpcClient } from '../work/work.ts'
import type { IndexApi, IndexThreadData } from './index-service.ts'
import { awayNote, isAway, shownHit } from './present.ts'
import { bundledPriorsFile, cachedPriors, makePriors } from './priors.ts'
import type { FoundHit, SearchDetail } from './searcher.ts'
import type { VectorState } from './vector-index.ts'

export { dotAt } from './vector-math.ts'
export { exactPartsOf, holdsExactly, plainly, type ExactPart } from './exact.ts'
export { embeddedText } from './embedded-text.ts'
export { languageOf, languageOfQuestion } from './language.ts'
export type { Priors } from './language-means.ts'
export { valueOfHanNumeral } from './numerals.ts'
export { bundledPriorsFile, cachedPriors, makePriors } from './priors.ts'
export { foldText, makeTerms } from './terms.ts'
export { searchPresent } from './present.ts'
export { questionUnits } from './query.ts'
export { createScopeFilters } from './scope.ts'
export type { FoundHit, SearchDetail } from './searcher.ts'
export type { VectorState } from './vector-index.ts'

/** A search result, and what an answer needs besides: each hit's content hash, and the signs of weak evidence. */
export interface DetailedResult {
  result: SearchResult
  /** The hits of the result. */
  hits: FoundHit[]
  detail: SearchDetail
}

export interface Search {
  query(request: SearchRequest, options?: { signal?: AbortSignal }): Promise<DetailedResult>
  /** The store has new vectors or lost some. Also heard from the store itself. */
  vectorsChanged(): void
  /** Another embedding model was chosen. */
  embeddingChanged(): void
  /** False where hnswlib-node could not be compiled. */
  hasHnsw(): Promise<boolean>
  state(): VectorState
  /** Resolves when all vectors of the store are in the graphs. */
  whenIdle(): Promise<void>
  close(): Promise<void>
}

export interface SearchOptions {
  deps: Pick<CoreDeps, 'dataDir' | 'workerUrl'> & { resourcesDir?: string }
  store: Store
  /** Null: no model to embed with; search is by keyword then. */
  embedder: () => Embedder | null
  log: Log
  /** As if hnswlib-node could not be compiled. */
  withoutHnsw?: boolean
}

export function createSearch({ deps, store, embedder, log, withoutHnsw = false }: SearchOptions): Search {
  const directory = join(deps.dataDir, 'index')
  const bundled = deps.resourcesDir === undefined ? undefined : bundledPriorsFile(deps.resourcesDir)
  const readOnly = store.mode === 'read-only'
  let client: RpcClient<IndexApi> | null = null
  let state: VectorState = withoutHnsw ? 'exact' : 'hnsw'
  let upkeep: Promise<void> | null = null
  let again = false
  let closed = false
  let nextId = 1
  let priorsFor: { key: string; work: Promise<void> } | null = null
  if (!readOnly) makeCacheDirectory(directory, Date.now(), log)

  function thread(): RpcClient<IndexApi> {
    if (client && !client.dead) return client
    if (closed) throw cancelled('the search is closed')
    const workerData: IndexThreadData = { databasePath: store.databasePath, directory, readOnly, withoutHnsw }
    const started = startThread<IndexApi>(deps.workerUrl('index-thread'), { name: 'index-thread', workerData, native: true })
    client = started
    started.onExit((exit) => {
      if (!closed) log('warn', 'the index thread ended and is started again when needed', { kind: exit.kind, code: exit.code })
    })
    void useActiveModel(started)
    return started
  }

  function activeModel(): { key: string; dimensions: number } | null {
    const row = store.reader.prepare('SELECT key, dimensions FROM embedding_models WHERE active = 1').get()
    return (row as { key: string; dimensions: number } | undefined) ?? null
  }

  /** Loads the graphs with the priors that were kept, without any model. */
  async function useActiveModel(target: RpcClient<IndexApi>): Promise<void> {
    try {
      const model = activeModel()
      state = (await target.call('useModel', { key: model?.key ?? null, priors: model ? cachedPriors(directory, model, bundled) : {} }))
        .state
    } catch (error) {
      if (!closed) log('warn', 'the vector index could not be opened', { why: toSikuError(error).message })
    }
  }

  function keepUp(): void {
    if (closed) return
    if (upkeep) {
      again = true
      return
    }
    again = false
    upkeep = (async () => {
      await useActiveModel(thread())
      if (closed) return
      state = await thread().call('upkeep', undefined)
    })()
      .catch((error: unknown) => {
        if (!closed) log('warn', 'upkeep of the vector index failed', { why: toSikuError(error).message })
      })
      .then(() => {
        upkeep = null
        if (again) keepUp()
      })
  }

  /** Neutral texts are embedded once for each model; until then the means go without. */
  function preparePriors(source: Embedder, key: string, dimensions: number): void {
    if (priorsFor?.key === key || Object.keys(cachedPriors(directory, { key, dimensions }, bundled)).length > 0) return
    const work = makePriors(source, directory, { key, dimensions }, readOnly)
      .then(async (priors) => void (await thread().call('useModel', { key, priors })))
      .catch((error: unknown) => {
        priorsFor = null
        if (!closed && toSikuError(error).code !== 'cancelled')
          log('warn', 'the neutral texts could not be embedded', { why: toSikuError(error).message })
      })
    priorsFor = { key, work }
  }

  async function embedQuestion(text: string, signal: AbortSignal | undefined): Promise<{ vector: Float32Array; key: string } | null> {
    const source = embedder()
    if (!source || !activeModel()) return null
    const model = await source.open(signal)
    const vector = await source.embedQuestion(text, { signal })
    preparePriors(source, model.key, model.dimensions)
    return { vector, key: model.key }
  }

  function stillIndexing(): boolean {
    const row = store.reader
      .prepare(
        "SELECT EXISTS (SELECT 1 FROM documents WHERE status IN ('waiting', 'reading')) OR EXISTS (SELECT 1 FROM pending_texts) AS busy",
      )
      .get() as { busy: number }
    return row.busy === 1
  }

  async function query(input: SearchRequest, { signal }: { signal?: AbortSignal } = {}): Promise<DetailedResult> {
    const startedAt = performance.now()
    const request = searchRequestSchema.parse(input)
    if (request.query.trim() === '') return nothingFor(request)
    const target = thread()
    const id = nextId++
    const keywords = target.call('start', { id, request }, { signal })
    keywords.catch(() => {})
    let embedded: { vector: Float32Array; key: string } | null = null
    let trouble: string | null = null
    if (request.mode !== 'keyword') {
      try {
        embedded = await embedQuestion(request.query, signal)
      } catch (error) {
        if (signal?.aborted) {
          void target.call('cancel', { id }).catch(() => {})
          throw toSikuError(error)
        }
        trouble = toSikuError(error).message
      }
    }
    await keywords
    const result = await target.call('finish', { id, vector: embedded?.vector ?? null, modelKey: embedded?.key ?? null }, { signal })
    state = result.state
    const notes: SearchResult['notes'] = []
    if (request.mode !== 'keyword' && !result.byMeaning) {
      const why = trouble ?? 'nothing has been embedded yet'
      notes.push({ code: 'no-vectors', message: `Only keywords were searched: ${why.replace(/[.。]+$/, '')}.` })
    } else if (request.mode !== 'keyword' && result.state !== 'hnsw') {
      const message =
        result.state === 'rebuilding'
          ? 'The vector index is being made again; meanwhile all vectors are compared one by one.'
          : 'The vector index is not there; all vectors are compared one by one.'
      notes.push({ code: 'exact-scan', message })
    }
    if (stillIndexing()) notes.push({ code: 'still-indexing', message: 'Indexing is not finished; more may be found later.' })
    const { hits, detail } = result
    if (hits.some(isAway)) notes.push(awayNote)
    return {
      // What was asked by meaning and answered by words says so.
      result: {
        query: request.query,
        mode: request.mode === 'vector' && !result.byMeaning ? 'keyword' : request.mode,
        elapsedMs: performance.now() - startedAt,
        hits: hits.map(shownHit),
        notes,
      },
      hits,
      detail,
    }
  }

  const stopListening = store.onChange((what) => {
    if (what === 'vectors') keepUp()
  })
  keepUp()

  return {
    query,
    vectorsChanged: keepUp,
    embeddingChanged: keepUp,
    hasHnsw: async () => (await thread().call('state', undefined)).hnsw,
    state: () => state,
    async whenIdle() {
      await priorsFor?.work
      while (upkeep) await upkeep
    },
    async close() {
      closed = true
      stopListening()
      const ending = client
      if (!ending || ending.dead) return
      await ending.call('close', undefined, { timeoutMs: 20_000 }).catch(() => {})
      ending.kill()
    },
  }
}

function nothingFor({ query, mode }: Pick<SearchResult, 'query' | 'mode'>): DetailedResult {
  return {
    result: { query, mode, elapsedMs: 0, hits: [], notes: [] },
    hits: [],
    detail: { hits: [], own: [], others: [], totalIdf: 0, units: 0 },
  }
}
