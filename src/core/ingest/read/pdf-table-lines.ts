import type { Line } from './pdf-rules.ts'
import type { Segment } from './pdf-segments.ts'
import { columnsOf } from './pdf-table-columns.ts'
import { linesByHeight, stacksValues, type Row } from './pdf-table.ts'

/** Steps that differ by less are the same one. */
const sameStep = 1.08
/** In sizes: lines of a cell stand no closer, and no further apart. */
const [leastLeading, mostLeading] = [0.8, 1.8]

/**
 * The rows of a table that was drawn line by line: lines that stand closer than those of different rows, or between the same
 * two drawn lines, are of one row. Null where neither tells.
 */
export function rowsOfHeights(segments: readonly Segment[], level: readonly Line[]): Row[] | null {
  const lines = linesByHeight(segments)
  if (lines.length < 3) return null
  const drawn = lines.map((line) => {
    const cells = line.map((segment) => ({
      lines: [segment],
      x0: segment.x0,
      x1: segment.x1,
      top: segment.y,
      bottom: segment.y,
      size: segment.size,
    }))
    return { cells, top: line[0]!.y, bottom: line[0]!.y }
  })
  const columns = columnsOf(drawn)
    .all()
    .map(({ x0, x1 }) => ({ x0, x1 }))
    .sort((a, b) => a.x0 - b.x0)
  const columnOf = ({ x0, x1 }: Segment): number => {
    const shared = columns.map((column) => Math.min(column.x1, x1) - Math.max(column.x0, x0))
    return shared.indexOf(Math.max(...shared))
  }
  const [x0, x1] = [Math.min(...segments.map((segment) => segment.x0)), Math.max(...segments.map((segment) => segment.x1))]
  const isRuled = lines.map((line, index) => {
    const below = lines[index + 1]?.[0]
    const above = line[0]!
    if (below === undefined) return false
    return level.some(
      ({ at, from, to }) =>
        at > above.y - above.size * 0.1 && at < below.y - below.size * 0.4 && Math.min(to, x1) - Math.max(from, x0) > (x1 - x0) * 0.7,
    )
  })
  const leading = leadingOf(segments, columnOf)
  const build = (ends: (index: number) => boolean): Row[] => {
    const rows: Row[] = []
    let open: Segment[] = []
    for (const [index, line] of lines.entries()) {
      open.push(...line)
      if (index < lines.length - 1 && !ends(index)) continue
      const cells = new Map<number, Segment[]>()
      for (const segment of open) cells.set(columnOf(segment), [...(cells.get(columnOf(segment)) ?? []), segment])
      rows.push([...cells].sort(([a], [b]) => a - b).map(([, cell]) => cell))
      open = []
    }
    return rows
  }
  const size = segments[0]!.size
  const byRules = isRuled.filter(Boolean).length < 2 ? null : plausible(build((index) => isRuled[index]!))
  const isFar = (index: number): boolean => lines[index + 1]![0]!.y - lines[index]![0]!.y > leading * sameStep
  const bySteps = leading > size * mostLeading ? null : plausible(build((index) => isRuled[index]! || isFar(index)))
  if (byRules === null || bySteps === null) return byRules ?? bySteps
  return bySteps.length > byRules.length * 2 ? bySteps : byRules
}

/** The shortest step from line to line in a column: that of the lines of a cell, where any has several. */
function leadingOf(segments: readonly Segment[], columnOf: (segment: Segment) => number): number {
  const last = new Map<number, number>()
  let shortest = Infinity
  for (const segment of [...segments].sort((a, b) => a.y - b.y)) {
    const column = columnOf(segment)
    const step = segment.y - (last.get(column) ?? -Infinity)
    if (step > segment.size * leastLeading) shortest = Math.min(shortest, step)
    last.set(column, segment.y)
  }
  return shortest
}

/** In rows of several lines, some cells have fewer than others, and values do not stand below each other. */
function plausible(rows: Row[]): Row[] | null {
  const long = rows.filter((row) => row.some((cell) => cell.length > 1))
  if (rows.length < 2 || long.length === 0) return null
  const stacked = long.filter(stacksValues).length
  const even = long.filter(isEven).length
  return stacked > rows.length * 0.1 || even > long.length * 0.4 ? null : rows
}

/** Each of its cells has as many lines, or many: it may be several rows. */
function isEven(row: Row): boolean {
  const fewest = Math.min(...row.map((cell) => cell.length))
  return row.length > 1 && (fewest > 2 || row.every((cell) => cell.length === fewest))
}
