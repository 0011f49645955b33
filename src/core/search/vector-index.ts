import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Language } from '../../contract/library.ts'
import { loadGraph, saveGraph, type GraphIdentity } from './graph-file.ts'
import { addToGraph, makeGraph, needsRenewal, removeFromGraph, searchGraph, type HnswLibrary, type LanguageGraph } from './hnsw.ts'
import { meanWithPrior, readMeans, type Priors } from './language-means.ts'
import { createSlab, meanOf, type Slab } from './slab.ts'
import { centred, centredCosine, normalise, toVector, type CentredQuestion } from './vector-math.ts'

export type VectorState = 'hnsw' | 'exact' | 'rebuilding'

export interface VectorIndexOptions {
  reader: DatabaseSyncInstance
  directory: string
  readOnly: boolean
  library: HnswLibrary | null
  model: { id: number; key: string; dimensions: number }
  priors: Priors
  log: (level: 'info' | 'warn', message: string, details?: Record<string, unknown>) => void
  /** How long one piece of upkeep may hold the thread. */
  sliceMs?: number
}

/** A language: its graph, or its vectors in one array while there is none. Never neither. */
interface Group {
  language: Language
  /** Changes up to here are in. */
  seq: number
  graph: LanguageGraph | null
  slab: Slab | null
  /** The graph that will take the place of either. */
  coming: LanguageGraph | null
  savedSeq: number
}

export interface VectorIndex {
  readonly model: { id: number; key: string; dimensions: number }
  state(): VectorState
  count(language: Language): number
  languages(): Language[]
  /** The live mean of a language; of a language nobody has seen, the middle of all. */
  meanOf(language: Language): Float32Array
  setPriors(priors: Priors): void
  /** Takes in what the store has had since, makes graphs that are missing, saves when it is worth it. Runs one at a time. */
  upkeep(): Promise<void>
  save(): Promise<void>
  /** Ids of the vectors nearest to the question in one language, by the centred cosine (from the graph: about). */
  nearest(language: Language, question: CentredQuestion, k: number, ef?: number): number[]
  /** Breaks off the upkeep that runs and saves what is in. */
  close(): Promise<void>
}

const changesAtOnce = 512
const meansMaxAgeMs = 2000
const replayEveryMs = 250

export async function openVectorIndex(options: VectorIndexOptions): Promise<VectorIndex> {
  const { reader, directory, readOnly, library, model, log, sliceMs = 8 } = options
  const groups = new Map<Language, Group>()
  const lastSeqOf = reader.prepare('SELECT coalesce(max(seq), 0) AS seq FROM vector_changes WHERE model_id = ?')
  const languagesOf = reader.prepare('SELECT DISTINCT language FROM vector_changes WHERE model_id = ?')
  const changesAfter = reader.prepare(
    'SELECT seq, vector_id AS vectorId, language, added FROM vector_changes WHERE model_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const vectorOf = reader.prepare('SELECT vector FROM vectors WHERE id = ?')
  let priors = options.priors
  let means: Map<Language, Float32Array> | null = null
  let meansFreshUntil = 0
  let meansStale = true
  let stopped = false
  let running: Promise<void> = Promise.resolve()

  function identityOf(language: Language): GraphIdentity {
    return { modelId: model.id, modelKey: model.key, dimensions: model.dimensions, language }
  }

  function lastSeq(): number {
    return (lastSeqOf.get(model.id) as { seq: number }).seq
  }

  function readVector(vectorId: number): Float32Array | null {
    const row = vectorOf.get(vectorId) as { vector: Uint8Array | null } | undefined
    return row?.vector && row.vector.byteLength === model.dimensions * 4 ? toVector(row.vector) : null
  }

  /** Everything of one language into memory: some 3 µs a vector. */
  async function loadSlab(language: Language): Promise<Group> {
    const seq = lastSeq()
    const slab = createSlab(model.dimensions, 1024)
    const page = reader.prepare(
      'SELECT id, vector FROM vectors WHERE model_id = ? AND id > ? AND language = ? AND vector IS NOT NULL ORDER BY id LIMIT 2000',
    )
    for (let after = 0; !stopped;) {
      const rows = page.all(model.id, after, language) as { id: number; vector: Uint8Array }[]
      for (const row of rows) if (row.vector.byteLength === model.dimensions * 4) slab.add(row.id, toVector(row.vector))
      if (rows.length < 2000) break
      after = rows.at(-1)!.id
      await nextTurn()
    }
    return { language, seq, graph: null, slab, coming: null, savedSeq: -1 }
  }

  async function openGroup(language: Language): Promise<Group> {
    if (library) {
      const loaded = await loadGraph(directory, identityOf(language), library, lastSeq())
      if (loaded.kind === 'ok' && agreesWithStore(loaded.graph)) {
        return { language, seq: loaded.seq, graph: loaded.graph, slab: null, coming: null, savedSeq: loaded.seq }
      }
      if (loaded.kind === 'ok') log('warn', 'the vector index does not fit the store and is made again', { language })
      if (loaded.kind === 'unusable') log('warn', 'the vector index cannot be used and is made again', { language, why: loaded.why })
    }
    return loadSlab(language)
  }

  /** A store brought back from a copy may use the same numbers for other vectors: a few are compared. */
  function agreesWithStore({ graph, labels, frozenMean }: LanguageGraph): boolean {
    const all = [...labels]
    for (let index = 0; index < 8 && all.length > 0; index++) {
      const vectorId = all[Math.floor((index * (all.length - 1)) / 7)]!
      const vector = readVector(vectorId)
      // Deleted since: the replay takes it out.
      if (!vector) continue
      const point = graph.getPoint(vectorId)
      const expected = centred(vector, frozenMean)
      if (expected.some((value, place) => Math.abs(value - point[place]!) > 1e-4)) return false
    }
    return true
  }

  async function openGroups(): Promise<void> {
    for (const { language } of languagesOf.all(model.id) as { language: Language }[]) {
      if (groups.has(language) || stopped) continue
      groups.set(language, await openGroup(language))
      meansStale = true
    }
  }

  async function replay(): Promise<void> {
    await openGroups()
    let from = Math.min(...[...groups.values()].map((group) => group.seq))
    let since = performance.now()
    while (!stopped && Number.isFinite(from)) {
      const changes = changesAfter.all(model.id, from, changesAtOnce) as {
        seq: number
        vectorId: number
        language: Language
        added: number
      }[]
      for (const change of changes) {
        const group = groups.get(change.language)
        if (group && change.seq > group.seq) apply(group, change.vectorId, change.added === 1)
        if (performance.now() - since > sliceMs) {
          await nextTurn()
          since = performance.now()
          if (stopped) return
        }
      }
      const last = changes.at(-1)
      if (!last) break
      for (const group of groups.values()) group.seq = Math.max(group.seq, last.seq)
      from = last.seq
      meansStale = true
    }
  }

  function apply(group: Group, vectorId: number, added: boolean): void {
    if (!added) {
      group.slab?.remove(vectorId)
      for (const graph of [group.graph, group.coming]) if (graph) removeFromGraph(graph, vectorId)
      return
    }
    const vector = readVector(vectorId)
    if (!vector) return
    group.slab?.add(vectorId, vector)
    for (const graph of [group.graph, group.coming]) if (graph) addToGraph(graph, vectorId, vector)
  }

  /** In small pieces; meanwhile the old graph is searched, or without one the vectors are compared one by one. */
  async function makeComingGraph(group: Group): Promise<void> {
    if (!library) return
    const ids = group.slab?.ids() ?? [...(group.graph?.labels ?? [])]
    const vectorFor = (vectorId: number): Float32Array | null => (group.slab ? group.slab.vector(vectorId) : readVector(vectorId))
    const first = ids.slice(0, 20)
    const frozenMean =
      first.length >= 20
        ? meanOf(
            everyNth(ids, 2000).flatMap((vectorId) => vectorFor(vectorId) ?? []),
            model.dimensions,
          )
        : meanWithPrior(new Float32Array(model.dimensions), 0, priors[group.language] ?? null)
    group.coming = makeGraph(library, model.dimensions, frozenMean, ids.length)
    let replayedAt = performance.now()
    let since = performance.now()
    for (const vectorId of ids) {
      const vector = vectorFor(vectorId)
      if (vector) addToGraph(group.coming, vectorId, vector)
      if (performance.now() - since > sliceMs) {
        await nextTurn()
        if (stopped) return
        // What comes meanwhile is found meanwhile.
        if (performance.now() - replayedAt > replayEveryMs) {
          await replay()
          replayedAt = performance.now()
        }
        since = performance.now()
      }
    }
    group.graph = group.coming
    group.slab = null
    group.coming = null
    group.savedSeq = -1
  }

  function worthSaving(group: Group): boolean {
    return group.graph !== null && group.savedSeq !== group.seq
  }

  async function saveAll(): Promise<void> {
    if (readOnly) return
    for (const group of groups.values()) {
      if (!group.graph || !worthSaving(group)) continue
      const { seq } = group
      try {
        await saveGraph(directory, identityOf(group.language), group.graph, seq)
        group.savedSeq = seq
      } catch (error) {
        log('warn', 'the vector index could not be saved; it will be made again at the next start', { why: String(error) })
      }
    }
  }

  /** Read again after changes, but never so often that it takes more than a twentieth of the time. */
  function liveMeans(): Map<Language, Float32Array> {
    const now = performance.now()
    if (!means || (meansStale && now >= meansFreshUntil)) {
      means = readMeans(reader, model.id, model.dimensions, priors)
      meansStale = false
      meansFreshUntil = now + Math.min(meansMaxAgeMs, (performance.now() - now) * 20)
    }
    return means
  }

  function middle(): Float32Array {
    return meanOf(liveMeans().values(), model.dimensions)
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const next = running.then(() => (stopped ? undefined : work()))
    running = next.catch((error: unknown) => log('warn', 'upkeep of the vector index failed', { why: String(error) }))
    return next
  }

  await openGroups()
  return {
    model,
    state() {
      if (!library) return 'exact'
      return [...groups.values()].some((group) => group.slab !== null) ? 'rebuilding' : 'hnsw'
    },
    count: (language) => {
      const group = groups.get(language)
      return group?.slab?.size ?? group?.graph?.labels.size ?? 0
    },
    languages: () =>
      [...groups.keys()].filter((language) => (groups.get(language)?.slab?.size ?? groups.get(language)?.graph?.labels.size ?? 0) > 0),
    meanOf: (language) => liveMeans().get(language) ?? middle(),
    setPriors(next) {
      priors = next
      means = null
    },
    upkeep: () =>
      inTurn(async () => {
        await replay()
        for (const group of [...groups.values()]) {
          if (stopped) return
          const renew = group.graph !== null && needsRenewal(group.graph, liveMeans().get(group.language) ?? group.graph.frozenMean)
          if (group.slab || renew) await makeComingGraph(group)
        }
      }),
    save: () => inTurn(saveAll),
    nearest(language, question, k, ef = 100) {
      const group = groups.get(language)
      if (!group) return []
      if (group.slab) return group.slab.best(k, (vector) => centredCosine(question, vector)).map((hit) => hit.vectorId)
      return group.graph ? searchGraph(group.graph, normalise(question.away.slice()), k, ef).map((hit) => hit.vectorId) : []
    },
    async close() {
      stopped = true
      await running
      await saveAll()
    },
  }
}

/** Some of a list, evenly spread. */
function everyNth<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count)
  const some: T[] = []
  for (let at = 0; at < list.length; at += step) some.push(list[Math.floor(at)]!)
  return some
}
