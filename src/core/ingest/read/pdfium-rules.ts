import type { Pdfium } from './pdfium.ts'
import type { Rectangle } from './pdfium-look.ts'

/** In points: a drawn area that is not wider is a line. */
const thickest = 2.5
/** In points: a shorter line borders no cell. */
const shortest = 4
/** A path of more points is a drawing. */
const mostPoints = 400
/** More lines than this are a drawing too. */
export const mostRules = 4000
const kinds = { line: 0, move: 2 } as const

/** A line, or the upper or lower edge of an area in a colour of its own. */
export interface DrawnRule extends Rectangle {
  isEdge: boolean
}

/** The upright and level lines of a drawn path within `bounds`, as areas without much width; those that border a rectangle are among them. */
export function rulesOfPath(pdfium: Pdfium, path: number, bounds: Rectangle): DrawnRule[] {
  if (isRule(bounds)) return [{ ...bounds, isEdge: false }]
  const { raw, scratch } = pdfium
  if (raw._FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return []
  const [isFilled, isStroked] = [pdfium.integer(0) !== 0, pdfium.integer(1) !== 0]
  const count = raw._FPDFPath_CountSegments(path)
  if (count > mostPoints || count < 2) return []
  // What is filled and not thin is a background, unless many thin areas are one path.
  if (isFilled && !isStroked && count < 8) return count < 4 ? [] : edgesOf(bounds)
  raw._FPDFPageObj_GetMatrix(path, scratch)
  const matrix = [0, 1, 2, 3, 4, 5].map((index) => pdfium.float(index))
  const figures = figuresOf(pdfium, path, count, matrix)
  return (isStroked ? figures.flatMap(sidesOf) : figures.map(boundsOf)).filter(isRule).map((rule) => ({ ...rule, isEdge: false }))
}

interface Point {
  x: number
  y: number
}

function figuresOf({ raw, scratch, float }: Pdfium, path: number, count: number, matrix: readonly number[]): Point[][] {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]
  const figures: Point[][] = []
  for (let index = 0; index < count; index++) {
    const segment = raw._FPDFPath_GetPathSegment(path, index)
    const kind = raw._FPDFPathSegment_GetType(segment)
    if (raw._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) === 0) return []
    const [x, y] = [float(0), float(1)]
    const point = { x: a * x + c * y + e, y: b * x + d * y + f }
    // A curve is none of it.
    if (kind !== kinds.line && kind !== kinds.move) return []
    if (kind === kinds.move) figures.push([point])
    else figures.at(-1)?.push(point)
    const figure = figures.at(-1)
    if (figure !== undefined && raw._FPDFPathSegment_GetClose(segment) !== 0 && figure.length > 1) figure.push(figure[0]!)
  }
  return figures
}

function boundsOf(points: readonly Point[]): Rectangle {
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

function sidesOf(points: readonly Point[]): Rectangle[] {
  return points.slice(1).map((point, index) => boundsOf([points[index]!, point]))
}

function edgesOf({ left, bottom, right, top }: Rectangle): DrawnRule[] {
  return [bottom, top].map((at) => ({ left, right, bottom: at, top: at, isEdge: true }))
}

function isRule({ left, bottom, right, top }: Rectangle): boolean {
  const [width, height] = [right - left, top - bottom]
  return Math.min(width, height) <= thickest && Math.max(width, height) >= shortest
}
