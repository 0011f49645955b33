import { partedAt, type Segment, type TurnedSegments } from './pdf-segments.ts'
import { needsBlank } from './pdf-text.ts'

/** What lies nearer to a column's middle than this, in sizes, stands in it. */
const inColumn = 0.6
/** Pieces of one column with less between them than this, in sizes, go on. */
const widestBlank = 1.2
/** A character's top above its baseline, in sizes. */
const ascent = 0.86

/**
 * Of a page in columns from the right: words and numbers that were laid on their side within a column, and single characters of
 * which no direction could be told, where they stand in it. An engine gives them as text of another turn, and the column as the
 * pieces between them.
 */
export function joinSidewaysWords(groups: readonly TurnedSegments[]): TurnedSegments[] {
  const columns = groups[0]?.turn === 'columns' ? groups[0] : undefined
  if (columns === undefined) return [...groups]
  const rest = groups.slice(1).map((group) => ({
    ...group,
    segments: group.turn === 'down' ? group.segments.flatMap((each) => partedAt(each, () => true)) : group.segments,
  }))
  const inside = new Map(rest.flatMap((group) => group.segments.map((segment) => [segment, asColumn(group, segment)] as const)))
  const taken = new Map<Segment, Segment>()
  // One that was taken may have the next one beside it.
  for (let before = -1; before < taken.size;) {
    before = taken.size
    for (const [segment, column] of inside) {
      if (column === null || taken.has(segment)) continue
      if ([...columns.segments, ...taken.values()].some((each) => isBeside(each, column))) taken.set(segment, column)
    }
  }
  if (taken.size === 0) return [...groups]
  const others = rest.map((group) => ({ ...group, segments: group.segments.filter((segment) => !taken.has(segment)) }))
  const segments = joined([...columns.segments, ...taken.values()])
  return [{ ...columns, segments }, ...others.filter((group) => group.segments.length > 0)]
}

/** The segment in the space of columns; null when it can be no part of one. */
function asColumn({ turn }: TurnedSegments, segment: Segment): Segment | null {
  // The two spaces are one; a word's middle stands above its baseline.
  if (turn === 'down') return { ...segment, y: segment.y - segment.size * 0.35 }
  if (turn !== 'right' || [...segment.text].length !== 1) return null
  const x0 = segment.y - segment.size * ascent
  return { ...segment, x0, x1: x0 + segment.size, y: -(segment.x0 + segment.x1) / 2 }
}

function isInLine(one: Segment, other: Segment): boolean {
  const size = Math.min(one.size, other.size)
  return Math.abs(one.y - other.y) < size * inColumn && Math.max(one.size, other.size) < size * 1.4
}

/** Right before or behind it in its column. */
function isBeside(column: Segment, { x0, x1, y, size }: Segment): boolean {
  const near = size * widestBlank
  return isInLine(column, { ...column, y, size }) && x0 < column.x1 + near && x1 > column.x0 - near
}

/** Pieces of each column from the top, those that go on as one. */
function joined(segments: readonly Segment[]): Segment[] {
  const lines: Segment[][] = []
  for (const segment of [...segments].sort((one, other) => one.y - other.y)) {
    const line = lines.at(-1)
    if (line !== undefined && isInLine(line[0]!, segment)) line.push(segment)
    else lines.push([segment])
  }
  const out: Segment[] = []
  for (const line of lines) {
    let open: Segment | null = null
    for (const segment of line.sort((one, other) => one.x0 - other.x0)) {
      const gap: number = open === null ? Infinity : segment.x0 - open.x1
      if (open === null || gap > segment.size * widestBlank || gap < -segment.size * 0.6)
        out.push((open = { ...segment, order: out.length }))
      else {
        open.text += (needsBlank(open.text, segment.text) ? ' ' : '') + segment.text
        open.x1 = Math.max(open.x1, segment.x1)
      }
    }
  }
  return out
}
