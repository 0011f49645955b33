import { drawnTables } from './pdf-drawn-tables.ts'
import { gridTables, type FoundTable } from './pdf-grid.ts'
import { turnedRules, type Rule } from './pdf-rules.ts'
import type { Segment, TurnedSegments } from './pdf-segments.ts'

/** A page of more is no page that people read. */
const mostSegments = 20_000

/** The segments of a turn with each table that is surely one as a single segment in its place. */
export function withTables({ turn, segments }: TurnedSegments, shown: readonly Rule[]): Segment[] {
  if (turn === 'columns' || turn === 'askew' || segments.length > mostSegments) return segments
  const rules = turnedRules(shown, turn)
  const grids = gridTables(segments, rules)
  const left = without(segments, grids)
  const drawn = drawnTables(left, rules)
  return [...without(left, drawn), ...[...grids, ...drawn].map(placeOf)]
}

function without(segments: readonly Segment[], tables: readonly FoundTable[]): Segment[] {
  if (tables.length === 0) return [...segments]
  const used = new Set(tables.flatMap((table) => table.used))
  return segments.filter((segment) => !used.has(segment))
}

function placeOf({ rows, used }: FoundTable): Segment {
  const first = used.reduce((top, segment) => (segment.y < top.y ? segment : top))
  return {
    text: used.map(({ text }) => text).join(' '),
    x0: Math.min(...used.map(({ x0 }) => x0)),
    x1: Math.max(...used.map(({ x1 }) => x1)),
    y: first.y,
    size: first.size,
    order: Math.min(...used.map(({ order }) => order)),
    table: rows,
  }
}
