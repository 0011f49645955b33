import type * as Hnswlib from 'hnswlib-node'

export type HnswLibrary = typeof Hnswlib
export type Graph = Hnswlib.HierarchicalNSW

export const graphLinks = 16
export const buildEf = 100
export const searchEf = 100
/** Unit vectors of one language lie about 0.45 from their mean. */
const farMean = 0.05

/** Null where hnswlib-node could not be compiled: everything is then scanned exactly. */
export async function loadHnsw(): Promise<HnswLibrary | null> {
  try {
    const module = (await import('hnswlib-node')) as HnswLibrary & { default?: HnswLibrary }
    return module.default ?? module
  } catch {
    return null
  }
}

export interface GraphHit {
  vectorId: number
  /** Of the centred vectors; only for choosing candidates. */
  distance: number
}

/**
 * One language's graph over normalise(p − m₀). The label is the vector's id. m₀ is frozen when the graph is made; later drift
 * of the mean needs no new graph, since candidates are scored again with the live mean.
 */
export interface LanguageGraph {
  readonly graph: Graph
  readonly frozenMean: Float32Array
  readonly labels: Set<number>
  /** How many vectors m₀ stands for. */
  readonly frozenAt: number
  /** Marked as deleted and still in the graph. */
  deleted: number
}

export function makeGraph(library: HnswLibrary, dimensions: number, frozenMean: Float32Array, frozenAt: number): LanguageGraph {
  const graph = new library.HierarchicalNSW('ip', dimensions)
  graph.initIndex(Math.max(Math.ceil(frozenAt * 1.25), 64), graphLinks, buildEf, 100)
  graph.setEf(searchEf)
  return { graph, frozenMean, frozenAt, labels: new Set(), deleted: 0 }
}

export function addToGraph(target: LanguageGraph, vectorId: number, vector: Float32Array): void {
  const { graph, frozenMean } = target
  if (target.labels.has(vectorId)) return
  if (graph.getCurrentCount() >= graph.getMaxElements()) graph.resizeIndex(graph.getMaxElements() * 2)
  const point = new Array<number>(vector.length)
  let square = 0
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index]! - frozenMean[index]!
    point[index] = value
    square += value * value
  }
  const scale = square > 1e-24 ? 1 / Math.sqrt(square) : 0
  for (let index = 0; index < point.length; index++) point[index] = point[index]! * scale
  graph.addPoint(point, vectorId)
  target.labels.add(vectorId)
}

export function removeFromGraph(target: LanguageGraph, vectorId: number): void {
  if (!target.labels.delete(vectorId)) return
  target.graph.markDelete(vectorId)
  target.deleted++
}

export function searchGraph(target: LanguageGraph, question: Float32Array, k: number, ef: number): GraphHit[] {
  const count = Math.min(k, target.labels.size)
  if (count === 0) return []
  const { graph } = target
  graph.setEf(Math.max(ef, count, searchEf))
  const found = graph.searchKnn(Array.from(question), count)
  return found.neighbors.map((vectorId, index) => ({ vectorId, distance: found.distances[index] ?? 1 }))
}

/**
 * Deleted points still cost time and memory; and a mean that has moved far from m₀ costs recall (0.78 for 0.84 where the first
 * texts were unlike the rest). Then the graph is made again in the background: never before it has doubled, so that all the
 * making is at most twice the last.
 */
export function needsRenewal(target: LanguageGraph, liveMean: Float32Array): boolean {
  if (target.deleted > 1000 && target.deleted > target.labels.size * 0.3) return true
  if (target.labels.size < Math.max(2 * target.frozenAt, 64)) return false
  let square = 0
  for (let index = 0; index < liveMean.length; index++) square += (liveMean[index]! - target.frozenMean[index]!) ** 2
  return square > farMean ** 2
}
