import type { Pixels, Rectangle } from './pixels.ts'

/** A box much taller than wide holds characters one below the other, or a line that was turned by a quarter. */
export function isTall({ width, height }: Rectangle): boolean {
  return height > width * 2 && height >= 24
}

interface Whole extends Rectangle {
  /** Its upper left corner and size in whole pixels of the image. */
  readonly whole: true
}

function wholePixels(image: Pixels, part: Rectangle): Whole {
  const x = Math.max(0, Math.floor(part.x))
  const y = Math.max(0, Math.floor(part.y))
  const width = Math.max(1, Math.min(image.width, Math.ceil(part.x + part.width)) - x)
  const height = Math.max(1, Math.min(image.height, Math.ceil(part.y + part.height)) - y)
  return { x, y, width, height, whole: true }
}

/** A part of the image turned by a quarter, so that what ran down (or up) runs to the right. */
export function quarterTurned(image: Pixels, part: Rectangle, ran: 'down' | 'up'): Pixels {
  const { x, y, width, height } = wholePixels(image, part)
  const { channels } = image
  const data = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const source = ((y + row) * image.width + x + column) * channels
      const [toX, toY] = ran === 'down' ? [row, width - 1 - column] : [height - 1 - row, column]
      const target = (toY * height + toX) * channels
      for (let channel = 0; channel < channels; channel += 1) data[target + channel] = image.data[source + channel]!
    }
  }
  return { ...image, width: height, height: width, data }
}

/** So far from the paper's brightness, a pixel is ink. */
const inkDifference = 48

/** Characters that stand one below the other, laid side by side; null where there are no two. */
export function laidSideBySide(image: Pixels, part: Rectangle): Pixels | null {
  const area = wholePixels(image, part)
  const { runs, inkWidth } = inkOf(image, area)
  const size = Math.max(inkWidth, area.width * 0.6)
  const cells = cellsOf(runs, size)
  if (cells.length < 2) return null
  const { channels } = image
  const [pitch, height] = [Math.ceil(Math.max(area.width, size) * 1.02), Math.ceil(size * 1.3)]
  const out: Pixels = { ...image, width: pitch * cells.length, height, data: new Uint8Array(pitch * cells.length * height * channels) }
  const paper = image.data.subarray((area.y * image.width + area.x) * channels, (area.y * image.width + area.x) * channels + channels)
  for (let at = 0; at < out.data.length; at += channels) out.data.set(paper, at)
  cells.forEach(({ top, bottom }, index) => {
    const from = Math.max(0, Math.floor((height - (bottom - top)) / 2))
    for (let row = 0; row < Math.min(bottom - top, height); row += 1) {
      const source = ((area.y + top + row) * image.width + area.x) * channels
      const target = ((from + row) * out.width + index * pitch) * channels
      out.data.set(image.data.subarray(source, source + area.width * channels), target)
    }
  })
  return out
}

interface Run {
  top: number
  bottom: number
}

/** Stretches of rows with ink, and how wide all ink is. */
function inkOf(image: Pixels, { x, y, width, height }: Whole): { runs: Run[]; inkWidth: number } {
  const brightness = (column: number, row: number): number => {
    const at = ((y + row) * image.width + x + column) * image.channels
    return (image.data[at]! + image.data[at + 1]! * 2 + image.data[at + 2]!) / 4
  }
  // The paper is what most pixels are.
  const histogram = new Uint32Array(16)
  for (let row = 0; row < height; row += 1) for (let column = 0; column < width; column += 1) histogram[brightness(column, row) >> 4]! += 1
  const paper = histogram.indexOf(Math.max(...histogram)) * 16 + 8
  const runs: Run[] = []
  let [left, right] = [width, 0]
  let open: Run | null = null
  for (let row = 0; row < height; row += 1) {
    let ink = 0
    for (let column = 0; column < width; column += 1) {
      if (Math.abs(brightness(column, row) - paper) <= inkDifference) continue
      ink += 1
      left = Math.min(left, column)
      right = Math.max(right, column + 1)
    }
    if (ink === 0) open = null
    else if (open === null) runs.push((open = { top: row, bottom: row + 1 }))
    else open.bottom = row + 1
  }
  return { runs, inkWidth: Math.max(0, right - left) }
}

/** Stretches of ink put together to characters: parts of one stay within its size, characters that touch are parted. */
function cellsOf(runs: readonly Run[], size: number): Run[] {
  const cells: Run[] = []
  for (const { top, bottom } of runs) {
    const last = cells.at(-1)
    if (last !== undefined && bottom - last.top <= size * 1.12) last.bottom = bottom
    else if (bottom - top > size * 1.5) {
      const count = Math.round((bottom - top) / size)
      const step = (bottom - top) / count
      for (let index = 0; index < count; index += 1)
        cells.push({ top: Math.round(top + index * step), bottom: Math.round(top + (index + 1) * step) })
    } else cells.push({ top, bottom })
  }
  return cells
}
