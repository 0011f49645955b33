import type { Rectangle } from './pixels.ts'

export interface FoundBox extends Rectangle {
  /** Mean of the map inside, 0 to 1. */
  score: number
  /** How its region leans, in radians, clockwise from the horizontal; null where it is not long enough to tell. */
  lean: number | null
}

const threshold = 0.3
const leastScore = 0.5
/** Regions are found shrunk; they are grown by this part of area over perimeter (DB, Liao et al. 2019, arXiv:1911.08947). */
const growth = 1.6
const leastPixels = 12
/** In radians: what leans less is read as it is, what leans more is no scan laid askew. */
const leastSkew = 0.006
const mostSkew = 0.14

/**
 * Boxes of text in a probability map (`width` by `height`, values 0 to 1), in pixels of the map: connected regions above the
 * threshold, grown back to the size of the text. Boxes lie along the axes.
 */
export function boxesOf(map: Float32Array, width: number, height: number): FoundBox[] {
  const labels = new Int32Array(width * height)
  const stack = new Int32Array(width * height)
  const boxes: FoundBox[] = []
  for (let start = 0; start < map.length; start += 1) {
    if (map[start]! <= threshold || labels[start] !== 0) continue
    const region = fill(map, width, height, labels, stack, start, boxes.length + 1)
    if (region === null) continue
    const { left, right, top, bottom, sum, count } = region
    const [boxWidth, boxHeight] = [right - left + 1, bottom - top + 1]
    const score = sum / count
    if (score < leastScore || boxHeight < 3) continue
    const grow = (boxWidth * boxHeight * growth) / (2 * (boxWidth + boxHeight))
    const x = Math.max(0, left - grow)
    const y = Math.max(0, top - grow)
    boxes.push({
      x,
      y,
      width: Math.min(width, right + 1 + grow) - x,
      height: Math.min(height, bottom + 1 + grow) - y,
      score,
      lean: leanOf(region),
    })
  }
  return boxes
}

interface Region {
  left: number
  right: number
  top: number
  bottom: number
  sum: number
  count: number
  /** Sums over its pixels, counted from the first of them: their moments tell how it leans. */
  x: number
  y: number
  xx: number
  xy: number
  yy: number
}

/** Longer than wide by so much, a region has a direction. */
const leastLength = 5

function leanOf({ count, x, y, xx, xy, yy }: Region): number | null {
  const [meanX, meanY] = [x / count, y / count]
  const [varianceX, covariance, varianceY] = [xx / count - meanX * meanX, xy / count - meanX * meanY, yy / count - meanY * meanY]
  const spread = Math.hypot(varianceX - varianceY, 2 * covariance)
  const [long, wide] = [varianceX + varianceY + spread, varianceX + varianceY - spread]
  return long < wide * leastLength * leastLength ? null : 0.5 * Math.atan2(2 * covariance, varianceX - varianceY)
}

/** How the lines of a page lean: the middle one of all that are long enough, by their length; 0 where they do not agree. */
export function skewOf(boxes: readonly FoundBox[]): number {
  const leaning = boxes.flatMap(({ lean, width }) => (lean === null || Math.abs(lean) > mostSkew * 1.5 ? [] : [{ lean, width }]))
  const total = leaning.reduce((sum, { width }) => sum + width, 0)
  const sorted = leaning.sort((one, other) => one.lean - other.lean)
  const at = (share: number): number => {
    let left = total * share
    for (const { lean, width } of sorted) if ((left -= width) <= 0) return lean
    return 0
  }
  const middle = at(0.5)
  // Lines of one page lean alike.
  return Math.abs(middle) < leastSkew || Math.abs(middle) > mostSkew || at(0.75) - at(0.25) > leastSkew * 2 ? 0 : middle
}

function fill(map: Float32Array, width: number, height: number, labels: Int32Array, stack: Int32Array, start: number, label: number) {
  let top = 0
  let size = 0
  stack[size++] = start
  labels[start] = label
  const region: Region = { left: width, right: 0, top: height, bottom: 0, sum: 0, count: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 }
  while (size > 0) {
    const at = stack[--size]!
    const x = at % width
    const y = (at - x) / width
    top = y
    region.left = Math.min(region.left, x)
    region.right = Math.max(region.right, x)
    region.top = Math.min(region.top, top)
    region.bottom = Math.max(region.bottom, top)
    region.sum += map[at]!
    region.count += 1
    const [fromX, fromY] = [x - (start % width), y - Math.floor(start / width)]
    region.x += fromX
    region.y += fromY
    region.xx += fromX * fromX
    region.xy += fromX * fromY
    region.yy += fromY * fromY
    for (let dy = -1; dy <= 1; dy += 1) {
      const row = y + dy
      if (row < 0 || row >= height) continue
      for (let dx = -1; dx <= 1; dx += 1) {
        const column = x + dx
        if (column < 0 || column >= width) continue
        const next = row * width + column
        if (labels[next] !== 0 || map[next]! <= threshold) continue
        labels[next] = label
        stack[size++] = next
      }
    }
  }
  return region.count < leastPixels ? null : region
}
