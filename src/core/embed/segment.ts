import type { Points } from './normalize.ts'
import { idBits, noPiece, type Vocabulary } from './vocabulary.ts'

/** Token ids in order, and for each the index of its first character among the points. Grows; reused by the next call. */
export interface Segmented {
  ids: Int32Array
  firsts: Int32Array
  length: number
}

export type Segment = (points: Points, into: Segmented) => void

/** A text without any place where ways part (a million equal letters) is cut here all the same: memory stays bounded. */
const longestStretch = 1 << 20

export function createSegmented(): Segmented {
  return { ids: new Int32Array(1024), firsts: new Int32Array(1024), length: 0 }
}

export function append(into: Segmented, id: number, first: number): void {
  if (into.length === into.ids.length) {
    const ids = new Int32Array(into.length * 2)
    ids.set(into.ids)
    into.ids = ids
    const firsts = new Int32Array(into.length * 2)
    firsts.set(into.firsts)
    into.firsts = firsts
  }
  into.ids[into.length] = id
  into.firsts[into.length++] = first
}

/**
 * The likeliest pieces (Viterbi). One pass, forwards: pieces have a bounded length, so the state is a ring of that many
 * places, and everything before a place that no piece spans is written out at once.
 *
 * Ids must be those of the reference, also where two ways are equally likely but for the rounding of doubles. It adds the
 * score of the next piece to each way before it compares, and takes the first of the greatest. So where the two best are
 * closer than rounding can tell, each next piece compares all ways itself; elsewhere the best is the best for every piece.
 */
export function createSegment(vocabulary: Vocabulary): Segment {
  const { cells, scores, unknownId, unknownScore } = vocabulary
  const rootBase = cells[0]!
  let ring = 4
  while (ring < vocabulary.longestPiece + 2) ring *= 2
  const mask = ring - 1
  const best = new Float64Array(ring)
  const second = new Float64Array(ring)
  const bestStep = new Int32Array(ring)

  // Steps since the last place that was written out: where each ends, the step before it (-1: none), its piece and total.
  let capacity = 4096
  let stepEnd = new Int32Array(capacity)
  let stepBefore = new Int32Array(capacity)
  let stepPiece = new Int32Array(capacity)
  let stepTotal = new Float64Array(capacity)
  let steps = 0
  let written = 0
  let sectionFirst = 0

  function grow(): void {
    capacity *= 2
    const wider = (array: Int32Array): Int32Array<ArrayBuffer> => {
      const copy = new Int32Array(capacity)
      copy.set(array)
      return copy
    }
    stepEnd = wider(stepEnd)
    stepBefore = wider(stepBefore)
    stepPiece = wider(stepPiece)
    const totals = new Float64Array(capacity)
    totals.set(stepTotal)
    stepTotal = totals
  }

  function shrink(): void {
    if (capacity <= 65_536) return
    capacity = 4096
    stepEnd = new Int32Array(capacity)
    stepBefore = new Int32Array(capacity)
    stepPiece = new Int32Array(capacity)
    stepTotal = new Float64Array(capacity)
  }

  /** More than rounding can turn around when a piece's score is added to both. */
  function slack(total: number): number {
    return (64 - total) * 2e-15
  }

  let rivals: number[] = []
  function stepsEndingAt(place: number): number[] {
    const found: number[] = []
    for (let step = steps - 1; step >= 0; step--) {
      const before = stepBefore[step]!
      const begin = before === -1 ? written : stepEnd[before]!
      if (begin < place - ring) break
      if (stepEnd[step] === place) found.push(step)
    }
    return found.reverse()
  }

  function step(place: number, end: number, piece: number, score: number, close: boolean): void {
    let before = bestStep[place & mask]!
    let total = best[place & mask]! + score
    if (close) {
      total = -Infinity
      for (const rival of rivals) {
        const sum = stepTotal[rival]! + score
        if (sum > total) {
          total = sum
          before = rival
        }
      }
    }
    const slot = end & mask
    const leader = best[slot]!
    if (total > leader) {
      second[slot] = leader
      best[slot] = total
      bestStep[slot] = steps
    } else {
      if (total > second[slot]!) second[slot] = total
      if (total < leader - slack(leader)) return
    }
    if (steps === capacity) grow()
    stepEnd[steps] = end
    stepBefore[steps] = before
    stepPiece[steps] = piece
    stepTotal[steps++] = total
  }

  function writeOut(last: number, into: Segmented): void {
    const from = into.length
    for (let current = last; current !== -1; current = stepBefore[current]!) {
      const before = stepBefore[current]!
      append(into, stepPiece[current]!, before === -1 ? written : stepEnd[before]!)
    }
    const { ids, firsts } = into
    for (let low = from, high = into.length - 1; low < high; low++, high--) {
      const id = ids[low]!
      ids[low] = ids[high]!
      ids[high] = id
      const first = firsts[low]!
      firsts[low] = firsts[high]!
      firsts[high] = first
    }
    // Neighbouring unknown characters are one token.
    let kept = from
    for (let index = from; index < into.length; index++) {
      if (ids[index] === unknownId && kept > sectionFirst && ids[kept - 1] === unknownId) continue
      ids[kept] = ids[index]!
      firsts[kept++] = firsts[index]!
    }
    into.length = kept
  }

  return (points, into) => {
    const { numbers, start, end } = points
    best.fill(-Infinity)
    second.fill(-Infinity)
    best[start & mask] = 0
    bestStep[start & mask] = -1
    steps = 0
    written = start
    sectionFirst = into.length
    let furthest = start
    for (let place = start; place < end; place++) {
      const slot = place & mask
      const total = best[slot]!
      let close = second[slot]! >= total - slack(total)
      if (close) {
        rivals = stepsEndingAt(place)
        close = rivals.length > 1
      }
      const endless = steps > longestStretch
      if (endless) {
        best.fill(-Infinity)
        second.fill(-Infinity)
        best[slot] = total
        close = false
      }
      if (steps > 0 && (endless || (furthest === place && !close))) {
        writeOut(bestStep[slot]!, into)
        steps = 0
        written = place
        bestStep[slot] = -1
      }
      let base = rootBase
      let single = false
      for (let next = place; next < end; next++) {
        const number = numbers[next]!
        if (number === 0) break
        const cell = (base + number) << 1
        const leads = cells[cell + 1]!
        if (leads >>> idBits !== number) break
        const piece = leads & noPiece
        if (piece !== noPiece) {
          step(place, next + 1, piece, scores[piece]!, close)
          if (next === place) single = true
          if (next + 1 > furthest) furthest = next + 1
        }
        base = cells[cell]!
        if (base === -1) break
      }
      if (!single) {
        step(place, place + 1, unknownId, unknownScore, close)
        if (place + 1 > furthest) furthest = place + 1
      }
      best[slot] = -Infinity
      second[slot] = -Infinity
    }
    if (steps > 0) writeOut(bestStep[end & mask]!, into)
    shrink()
  }
}
