import type { Segment } from './pdf-segments.ts'

/** Segments of one region in which lines follow each other downwards. `table` regions are read row by row. */
export interface Region {
  segments: Segment[]
  table: boolean
}

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
 * Regions in reading order. A gutter is a white strip that few lines cross; a line that crosses it ends the columns above
 * and begins new ones below, so that a title over two columns, or a wide table between them, keeps its place.
 */
export function regionsOf(segments: readonly Segment[], depth = 0): Region[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0)
  const gutter = depth < deepest ? findGutter(sorted) : null
  if (gutter === null) return [{ segments: sorted, table: false }]
  const regions: Region[] = []
  let zone: Segment[] = []
  let across: Segment[] = []
  const closeAcross = (): void => {
    if (across.length > 0) regions.push({ segments: across, table: false })
    across = []
  }
  const closeZone = (): void => {
    if (zone.length > 0) regions.push(...zoneRegions(zone, gutter, depth))
    zone = []
  }
  for (const segment of sorted) {
    if (segment.x0 < gutter && segment.x1 > gutter) {
      closeZone()
      across.push(segment)
    } else {
      // What stands beside a line that crosses belongs to that line.
      const beside = across.at(-1)
      if (beside !== undefined && zone.length === 0 && Math.abs(beside.y - segment.y) < segment.size * 0.4) across.push(segment)
      else {
        closeAcross()
        zone.push(segment)
      }
    }
  }
  closeZone()
  closeAcross()
  return joinedTables(regions)
}

function zoneRegions(zone: Segment[], gutter: number, depth: number): Region[] {
  const left = zone.filter((segment) => segment.x1 <= gutter)
  const right = zone.filter((segment) => segment.x1 > gutter)
  if (left.length === 0 || right.length === 0) return regionsOf(zone, depth + 1)
  if (!areColumns(left, right)) return [{ segments: zone, table: true }]
  return [...regionsOf(left, depth + 1), ...regionsOf(right, depth + 1)]
}

/** Rows of one table that a crossing cell had parted. */
function joinedTables(regions: Region[]): Region[] {
  const joined: Region[] = []
  for (const region of regions) {
    const last = joined.at(-1)
    if (last?.table === true && region.table) last.segments = [...last.segments, ...region.segments]
    else joined.push(region)
  }
  return joined
}

/** The middle of the widest white strip that parts most lines, or null. */
function findGutter(sorted: readonly Segment[]): number | null {
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
  return gutter
}

/** Columns hold running text: long lines of words. Cells are short, or numbers. */
function areColumns(left: readonly Segment[], right: readonly Segment[]): boolean {
  const sides = [left, right].map((side) => {
    const { x0, x1 } = boundsOf(side)
    const wide = side.filter((segment) => segment.x1 - segment.x0 > (x1 - x0) * 0.6).length
    const text = side.map((segment) => segment.text).join('')
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    const size = median(side.map((segment) => segment.size))
    return {
      lines: side.length,
      wideShare: wide / side.length,
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
