import { turned, type Turn } from './pdf-segments.ts'
import type { DrawnRule } from './pdfium-rules.ts'

/** An upright or level line in a space in which text runs to the right and lines go down. */
export interface Rule {
  x0: number
  y0: number
  x1: number
  y1: number
  /** Of an area in a colour of its own: it parts rows only where lines part columns. */
  isEdge: boolean
}

/** Lines that stand so near to each other, in points, meet. */
const meeting = 2.6

/** Lines of a page as points of the shown page. */
export function shownRules(rules: readonly DrawnRule[], viewport: readonly number[]): Rule[] {
  const [a, b, c, d, e, f] = viewport as [number, number, number, number, number, number]
  const shown = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  return rules.map(({ left, bottom, right, top, isEdge }) => ruleBetween(shown(left, bottom), shown(right, top), isEdge))
}

/** Lines of the shown page in the space of a turn. */
export function turnedRules(rules: readonly Rule[], turn: Turn): Rule[] {
  return turn === 'right'
    ? [...rules]
    : rules.map(({ x0, y0, x1, y1, isEdge }) => ruleBetween(turned(turn, x0, y0), turned(turn, x1, y1), isEdge))
}

function ruleBetween([ax, ay]: [number, number], [bx, by]: [number, number], isEdge: boolean): Rule {
  return { isEdge, x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) }
}

/** A line of which only its length counts: at `at` across its direction. */
export interface Line {
  at: number
  from: number
  to: number
}

/** Level and upright lines; pieces of one line are one. */
export function linesOfRules(rules: readonly Rule[]): { level: Line[]; upright: Line[] } {
  const level: Line[] = []
  const upright: Line[] = []
  for (const { x0, y0, x1, y1 } of rules) {
    if (x1 - x0 >= y1 - y0) level.push({ at: (y0 + y1) / 2, from: x0, to: x1 })
    else upright.push({ at: (x0 + x1) / 2, from: y0, to: y1 })
  }
  return { level: joined(level), upright: joined(upright) }
}

function joined(lines: Line[]): Line[] {
  const rows: Line[][] = []
  for (const line of lines.sort((a, b) => a.at - b.at)) {
    const row = rows.at(-1)
    if (row !== undefined && line.at - row[0]!.at < meeting / 2) row.push(line)
    else rows.push([line])
  }
  return rows.flatMap((row) => {
    const whole: Line[] = []
    for (const line of row.sort((a, b) => a.from - b.from)) {
      const last = whole.at(-1)
      if (last !== undefined && line.from <= last.to + meeting) last.to = Math.max(last.to, line.to)
      else whole.push({ ...line })
    }
    return whole
  })
}

/** Lines that meet, directly or over others. */
export function meshesOf(level: readonly Line[], upright: readonly Line[]): { level: Line[]; upright: Line[] }[] {
  const parents = [...level, ...upright].map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root]!
    parents[index] = root
    return root
  }
  for (const [column, one] of upright.entries())
    for (const [row, other] of level.entries()) {
      const meets =
        one.at > other.from - meeting && one.at < other.to + meeting && other.at > one.from - meeting && other.at < one.to + meeting
      if (meets) parents[rootOf(level.length + column)] = rootOf(row)
    }
  const meshes = new Map<number, { level: Line[]; upright: Line[] }>()
  for (const [index, line] of [...level, ...upright].entries()) {
    const root = rootOf(index)
    let mesh = meshes.get(root)
    if (mesh === undefined) meshes.set(root, (mesh = { level: [], upright: [] }))
    mesh[index < level.length ? 'level' : 'upright'].push(line)
  }
  return [...meshes.values()]
}
