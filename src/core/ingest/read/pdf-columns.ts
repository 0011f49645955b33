import type { Segment } from './pdf-segments.ts'

const deepest = 5
const bins = 256

interface Bounds {
  x0: number
  x1: number
}

function boundsOf(segments: readonly Segment[]): Bounds {
  let x0 = Infinity
  let x1 = -Infinity
  for (const segment of segments) {
    x0 = Math.min(x0, segment.x0)
    x1 = Math.max(x1, segment.x1)
  }
  return { x0, x1 }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/**
 * Segments in regions that are read one after the other, each from the top down. A gutter is a white strip that few lines
 * cross; a line that crosses it ends the columns above and begins new ones below, so that a title over two columns, or a wide
 * table between them, keeps its place.
 */
export function regionsOf(segments: readonly Segment[], depth = 0): Segment[][] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0)
  const found = depth < deepest ? findGutter(sorted) : null
  const at = depth < deepest && (found === null || found.across > sorted.length * 0.1) ? betterCut(sorted, found) : null
  if (at !== null) return [...regionsOf(sorted.slice(0, at), depth + 1), ...regionsOf(sorted.slice(at), depth + 1)]
  if (found === null) return [sorted]
  const { gutter } = found
  const regions: Segment[][] = []
  let across: Segment[] = []
  let zone: Segment[] = []
  const closeZone = (): void => {
    const left = zone.filter((segment) => segment.x1 <= gutter)
    const right = zone.filter((segment) => segment.x1 > gutter)
    if (areColumns(left, right)) {
      if (across.length > 0) regions.push(across)
      across = []
      regions.push(...regionsOf(left, depth + 1), ...regionsOf(right, depth + 1))
    } else across.push(...zone)
    zone = []
  }
  for (const segment of sorted) {
    const crosses = segment.x0 < gutter && segment.x1 > gutter
    // What stands beside a line that crosses belongs to that line.
    const beside = zone.length === 0 ? across.at(-1) : undefined
    if (crosses || (beside !== undefined && Math.abs(beside.y - segment.y) < segment.size * 0.4)) {
      closeZone()
      across.push(segment)
    } else zone.push(segment)
  }
  closeZone()
  if (across.length > 0) regions.push(across)
  return regions
}

/** Where to part a page into an upper and a lower part with gutters of their own: at a white band, when more columns come out. */
function betterCut(sorted: readonly Segment[], found: Gutter | null): number | null {
  if (sorted.length < 12) return null
  const bands = sorted
    .map((segment, index) => ({ index, gap: index === 0 ? 0 : (segment.y - sorted[index - 1]!.y) / segment.size }))
    .filter((band) => band.gap > 1.4 && band.index >= 3 && band.index <= sorted.length - 3)
    .sort((a, b) => b.gap - a.gap)
  let best: number | null = null
  let most = (found === null ? 0 : inColumns(sorted, found)) * 1.1 + 4
  for (const { index } of bands.slice(0, 12)) {
    const halves = [sorted.slice(0, index), sorted.slice(index)]
    const parted = halves.reduce((sum, half) => sum + inColumns(half, findGutter(half)), 0)
    if (parted > most) {
      most = parted
      best = index
    }
  }
  return best
}

/** How many segments stand in columns that this gutter parts. */
function inColumns(segments: readonly Segment[], found: Gutter | null, depth = 0): number {
  if (found === null) return 0
  const left = segments.filter((segment) => segment.x1 <= found.gutter)
  const right = segments.filter((segment) => segment.x0 >= found.gutter)
  return areColumns(left, right, depth) ? left.length + right.length - found.across : 0
}

interface Gutter {
  /** Its middle. */
  gutter: number
  /** How many segments cross it. */
  across: number
}

/** The widest white strip that parts most lines, or null. */
function findGutter(sorted: readonly Segment[]): Gutter | null {
  if (sorted.length < 6) return null
  const { x0, x1 } = boundsOf(sorted)
  const width = x1 - x0
  const size = median(sorted.map((segment) => segment.size))
  if (!(width > size * 12)) return null
  const step = width / bins
  const changes = new Int32Array(bins + 2)
  for (const segment of sorted) {
    changes[Math.max(0, Math.floor((segment.x0 - x0) / step))]! += 1
    changes[Math.min(bins, Math.floor((segment.x1 - x0) / step)) + 1]! -= 1
  }
  const cover = new Int32Array(bins)
  let running = 0
  for (let bin = 0; bin < bins; bin++) {
    running += changes[bin]!
    cover[bin] = running
  }
  const first = Math.floor(bins * 0.12)
  const last = Math.ceil(bins * 0.88)
  let lowest = Infinity
  for (let bin = first; bin < last; bin++) lowest = Math.min(lowest, cover[bin]!)
  const allowed = lowest + Math.floor(sorted.length * 0.03)
  let best: { from: number; to: number } | null = null
  for (let bin = first; bin < last; bin++) {
    if (cover[bin]! > allowed) continue
    const from = bin
    while (bin < last && cover[bin]! <= allowed) bin += 1
    if (best === null || bin - from > best.to - best.from) best = { from, to: bin }
  }
  if (best === null || (best.to - best.from) * step < size * 0.6) return null
  const gutter = x0 + ((best.from + best.to) / 2) * step
  let left = 0
  let right = 0
  let across = 0
  for (const segment of sorted) {
    if (segment.x1 <= gutter) left += 1
    else if (segment.x0 >= gutter) right += 1
    else across += 1
  }
  if (left < 3 || right < 3 || across > (left + right) * 0.6) return null
  return { gutter, across }
}

/** Columns hold running text: long lines of words. Cells are short, or numbers. A side may be columns itself. */
function areColumns(left: readonly Segment[], right: readonly Segment[], depth = 0): boolean {
  if (left.length === 0 || right.length === 0) return false
  const sides = [left, right].map((side) => {
    const { x0, x1 } = boundsOf(side)
    const wide = side.filter((segment) => segment.x1 - segment.x0 > (x1 - x0) * 0.6).length
    const text = side.map((segment) => segment.text).join('')
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    const size = median(side.map((segment) => segment.size))
    return {
      lines: side.length,
      wideShare: Math.max(wide, depth < 2 && wide < side.length * 0.5 ? inColumns(side, findGutter(side), depth + 1) : 0) / side.length,
      length: (x1 - x0) / size,
      letterShare: letters / Math.max(1, text.replace(/\s/g, '').length),
    }
  })
  const isText = (side: (typeof sides)[number]): boolean => side.length > 9 && side.letterShare > 0.55
  if (!sides.every(isText)) return false
  const lines = sides[0]!.lines + sides[1]!.lines
  const wideShare = (sides[0]!.wideShare * sides[0]!.lines + sides[1]!.wideShare * sides[1]!.lines) / lines
  return Math.max(sides[0]!.lines, sides[1]!.lines) >= 3 && wideShare > 0.45
}
