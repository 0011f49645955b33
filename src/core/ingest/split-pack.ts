import type { TokenisedText } from './split-tokenised.ts'
import type { Border, Unit } from './split-units.ts'

export interface PackOptions {
  /** No passage has more tokens. */
  limit: number
  /** Up to here a whole is left whole. */
  whole: number
  aim: number
  overlap: number
  /** The text before this offset is in passages already. */
  done: number
  /** Ends when so many tokens or fewer are left. */
  hold: number
}

export interface Packed {
  ranges: Range[]
  /** Offsets at which the next passage begins, and up to which all is in passages; null: nothing is left. */
  left: { from: number; done: number } | null
}

export interface Range {
  start: number
  end: number
}

const penalty: Record<Border, number> = { block: 0, sentence: 0.15, clause: 0.45, anywhere: 0.6 }

/** Packs units, none longer than the limit, into passages of nearly equal size that share whole sentences at their borders. */
export function pack(units: readonly Unit[], tokenised: TokenisedText, options: PackOptions): Packed {
  const ranges: Range[] = []
  const last = units.length
  const count = (from: number, to: number): number => tokenised.count(units[from]!.start, units[to - 1]!.end)

  let from = 0
  /** Units before this are already in a passage. */
  let done = units.findIndex((unit) => unit.end > options.done)
  if (done === -1) return { ranges, left: null }
  while (done < last) {
    const rest = count(from, last)
    if (rest <= options.hold) return { ranges, left: { from: units[from]!.start, done: units[done]!.start } }
    const to = rest <= options.whole ? last : chooseEnd(units, from, done, count, rest, options)
    ranges.push({ start: units[from]!.start, end: units[to - 1]!.end })
    done = to
    from = done < last ? overlapStart(units, from, done, count, options) : done
  }
  return { ranges, left: null }
}

function chooseEnd(
  units: readonly Unit[],
  from: number,
  done: number,
  count: (from: number, to: number) => number,
  rest: number,
  options: PackOptions,
): number {
  const target = rest / Math.ceil(rest / options.aim)
  let best = done + 1
  let bestScore = Infinity
  for (let to = done + 1; to <= units.length; to++) {
    const tokens = count(from, to)
    if (tokens > options.limit && to > done + 1) break
    const before = units[to - 1]!
    const beforeHeading = units[to]?.block === 'heading' && before.block !== 'heading'
    const cost = before.block === 'heading' && to < units.length ? 1 : penalty[before.border] - (beforeHeading ? 0.3 : 0)
    const score = Math.abs(tokens - target) / target + cost
    if (score < bestScore) {
      best = to
      bestScore = score
    }
  }
  return best
}

/** Whole units from the end of the last passage, as near to the wanted overlap as they come. */
function overlapStart(
  units: readonly Unit[],
  from: number,
  done: number,
  count: (from: number, to: number) => number,
  options: PackOptions,
): number {
  if (options.overlap <= 0 || units[done]!.block === 'heading') return done
  let best = done
  let nearest = options.overlap
  for (let start = done - 1; start > from; start--) {
    const unit = units[start]!
    if (unit.block === 'heading') break
    const tokens = count(start, done)
    // A little more than wanted is fine for the sake of a whole sentence; the next unit must still fit behind it.
    if (tokens > options.overlap * 1.6 || count(start, done + 1) > options.limit) break
    if (Math.abs(tokens - options.overlap) < nearest) {
      nearest = Math.abs(tokens - options.overlap)
      best = start
    }
  }
  return best
}
