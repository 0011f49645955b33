import { dot } from './vector-math.ts'

/** Vectors in one array, for exact scans: where there is no graph, and while one is being made. */
export interface Slab {
  readonly size: number
  has(vectorId: number): boolean
  add(vectorId: number, vector: Float32Array): void
  remove(vectorId: number): void
  ids(): number[]
  vector(vectorId: number): Float32Array | null
  /** The k ids with the greatest value of `score`. */
  best(k: number, score: (vector: Float32Array) => number): { vectorId: number; score: number }[]
}

export function createSlab(dimensions: number, capacity = 64): Slab {
  let data = new Float32Array(Math.max(1, capacity) * dimensions)
  const ids: number[] = []
  const positions = new Map<number, number>()

  function at(position: number): Float32Array {
    return data.subarray(position * dimensions, (position + 1) * dimensions)
  }

  return {
    get size() {
      return ids.length
    },
    has: (vectorId) => positions.has(vectorId),
    add(vectorId, vector) {
      if (positions.has(vectorId)) return
      if ((ids.length + 1) * dimensions > data.length) {
        const larger = new Float32Array(data.length * 2)
        larger.set(data)
        data = larger
      }
      data.set(vector, ids.length * dimensions)
      positions.set(vectorId, ids.length)
      ids.push(vectorId)
    },
    remove(vectorId) {
      const position = positions.get(vectorId)
      if (position === undefined) return
      const last = ids.length - 1
      const moved = ids[last]!
      if (position !== last) {
        data.copyWithin(position * dimensions, last * dimensions, (last + 1) * dimensions)
        ids[position] = moved
        positions.set(moved, position)
      }
      ids.pop()
      positions.delete(vectorId)
    },
    ids: () => [...ids],
    vector(vectorId) {
      const position = positions.get(vectorId)
      return position === undefined ? null : at(position)
    },
    best(k, score) {
      const keeper = createKeeper(k)
      for (let position = 0; position < ids.length; position++) keeper.offer(ids[position]!, score(at(position)))
      return keeper.sorted()
    },
  }
}

export interface Keeper {
  offer(vectorId: number, score: number): void
  sorted(): { vectorId: number; score: number }[]
}

/** Keeps the k greatest of a long run: a small heap with the least on top. */
export function createKeeper(k: number): Keeper {
  const heapIds: number[] = []
  const heapScores: number[] = []

  function swap(a: number, b: number): void {
    const id = heapIds[a]!
    const score = heapScores[a]!
    heapIds[a] = heapIds[b]!
    heapScores[a] = heapScores[b]!
    heapIds[b] = id
    heapScores[b] = score
  }
  function down(from: number): void {
    for (let index = from; ;) {
      const left = index * 2 + 1
      let least = index
      if (left < heapScores.length && heapScores[left]! < heapScores[least]!) least = left
      if (left + 1 < heapScores.length && heapScores[left + 1]! < heapScores[least]!) least = left + 1
      if (least === index) return
      swap(index, least)
      index = least
    }
  }
  function up(from: number): void {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1
      if (heapScores[parent]! <= heapScores[index]!) return
      swap(index, parent)
      index = parent
    }
  }

  return {
    offer(vectorId, score) {
      if (heapIds.length < k) {
        heapIds.push(vectorId)
        heapScores.push(score)
        up(heapIds.length - 1)
      } else if (k > 0 && score > heapScores[0]!) {
        heapIds[0] = vectorId
        heapScores[0] = score
        down(0)
      }
    },
    sorted() {
      return heapIds
        .map((vectorId, index) => ({ vectorId, score: heapScores[index]! }))
        .sort((a, b) => b.score - a.score || a.vectorId - b.vectorId)
    },
  }
}

/** Mean of some vectors; zeros for none. */
export function meanOf(vectors: Iterable<Float32Array>, dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions)
  let count = 0
  for (const vector of vectors) {
    count++
    for (let index = 0; index < dimensions; index++) mean[index] = mean[index]! + vector[index]!
  }
  for (let index = 0; index < dimensions && count > 0; index++) mean[index] = mean[index]! / count
  return dot(mean, mean) > 0 ? mean : mean.fill(0)
}
