import type { Rectangle } from './pixels.ts'

export interface FoundBox extends Rectangle {
  /** Mean of the map inside, 0 to 1. */
  score: number
}

const threshold = 0.3
const leastScore = 0.5
/** Regions are found shrunk; they are grown by this part of area over perimeter (DB, Liao et al. 2019, arXiv:1911.08947). */
const growth = 1.6
const leastPixels = 12

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
    boxes.push({ x, y, width: Math.min(width, right + 1 + grow) - x, height: Math.min(height, bottom + 1 + grow) - y, score })
  }
  return boxes
}

function fill(map: Float32Array, width: number, height: number, labels: Int32Array, stack: Int32Array, start: number, label: number) {
  let top = 0
  let size = 0
  stack[size++] = start
  labels[start] = label
  const region = { left: width, right: 0, top: height, bottom: 0, sum: 0, count: 0 }
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
