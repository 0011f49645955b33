/** An image in memory: rows from the top, `channels` bytes a pixel, red first unless said otherwise. */
export interface Pixels {
  width: number
  height: number
  channels: 3 | 4
  /** Blue stands first, as PDFium draws. */
  blueFirst?: boolean
  data: Uint8Array
}

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface Normalisation {
  /** Of blue, green and red, for values from 0 to 1. */
  mean: readonly [number, number, number]
  deviation: readonly [number, number, number]
}

/**
 * A part of an image, scaled, as planes of blue, green and red (the order in which the models were trained), normalised. Each
 * target pixel is the mean of what it covers when made smaller, and between its neighbours when made larger.
 */
export function planes(
  image: Pixels,
  part: Rectangle,
  width: number,
  height: number,
  { mean, deviation }: Normalisation,
  into: Float32Array,
  offset: number,
  stride: number,
): void {
  const { channels, data } = image
  const order = image.blueFirst === true ? [0, 1, 2] : [2, 1, 0]
  const plane = stride * height
  const columns = spans(part.x, part.width, width, image.width)
  const rows = spans(part.y, part.height, height, image.height)
  const scale = order.map((_channel, index) => 1 / (255 * deviation[index as 0 | 1 | 2]))
  const shift = order.map((_channel, index) => mean[index as 0 | 1 | 2] / deviation[index as 0 | 1 | 2])
  const [first, second, third] = order as [number, number, number]
  // Across first, then down: each source pixel of the part is looked at once.
  const line = new Float32Array(width * 3)
  const sum = new Float32Array(width * 3)
  for (let y = 0; y < height; y += 1) {
    sum.fill(0)
    const row = rows[y]!
    for (let at = 0; at < row.weights.length; at += 1) {
      const base = (row.from + at) * image.width
      across(data, base, channels, columns, first, second, third, line)
      const weight = row.weights[at]!
      for (let index = 0; index < sum.length; index += 1) sum[index]! += line[index]! * weight
    }
    const target = offset + y * stride
    for (let x = 0; x < width; x += 1) {
      into[target + x] = sum[3 * x]! * scale[0]! - shift[0]!
      into[target + plane + x] = sum[3 * x + 1]! * scale[1]! - shift[1]!
      into[target + 2 * plane + x] = sum[3 * x + 2]! * scale[2]! - shift[2]!
    }
  }
}

interface Span {
  from: number
  weights: Float32Array
}

function across(
  data: Uint8Array,
  base: number,
  channels: number,
  columns: readonly Span[],
  first: number,
  second: number,
  third: number,
  line: Float32Array,
): void {
  for (let x = 0; x < columns.length; x += 1) {
    const { from, weights } = columns[x]!
    let [a, b, c] = [0, 0, 0]
    for (let at = 0; at < weights.length; at += 1) {
      const pixel = (base + from + at) * channels
      const weight = weights[at]!
      a += data[pixel + first]! * weight
      b += data[pixel + second]! * weight
      c += data[pixel + third]! * weight
    }
    line[3 * x] = a
    line[3 * x + 1] = b
    line[3 * x + 2] = c
  }
}

/** For each target position the source positions that it takes from, with weights that sum to one. */
function spans(start: number, length: number, count: number, limit: number): Span[] {
  const step = length / count
  const radius = Math.max(1, step)
  const last = limit - 1
  return Array.from({ length: count }, (_none, index) => {
    const centre = start + (index + 0.5) * step - 0.5
    const from = Math.min(last, Math.max(0, Math.ceil(centre - radius)))
    const to = Math.max(from, Math.min(last, Math.floor(centre + radius)))
    const weights = new Float32Array(to - from + 1)
    let total = 0
    for (let at = from; at <= to; at += 1) {
      const weight = Math.max(0, 1 - Math.abs(at - centre) / radius)
      weights[at - from] = weight
      total += weight
    }
    if (total === 0) weights[0] = total = 1
    for (let at = 0; at < weights.length; at += 1) weights[at]! /= total
    return { from, weights }
  })
}

/** The image turned by an angle (radians, clockwise) about its middle, on white paper that is large enough for all of it. */
export function turned(image: Pixels, angle: number): Pixels {
  const { width, height, channels, data } = image
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const outWidth = Math.ceil(width * Math.abs(cos) + height * Math.abs(sin))
  const outHeight = Math.ceil(width * Math.abs(sin) + height * Math.abs(cos))
  const out = new Uint8Array(outWidth * outHeight * channels).fill(255)
  const rowBytes = width * channels
  for (let y = 0; y < outHeight; y += 1) {
    const dy = y + 0.5 - outHeight / 2
    for (let x = 0; x < outWidth; x += 1) {
      const dx = x + 0.5 - outWidth / 2
      const sourceX = cos * dx + sin * dy + width / 2 - 0.5
      const sourceY = cos * dy - sin * dx + height / 2 - 0.5
      const left = Math.floor(sourceX)
      const top = Math.floor(sourceY)
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const [shareX, shareY] = [sourceX - left, sourceY - top]
      const at = top * rowBytes + left * channels
      const target = (y * outWidth + x) * channels
      for (let channel = 0; channel < 3; channel += 1) {
        const source = at + channel
        const upper = data[source]! + (data[source + channels]! - data[source]!) * shareX
        const lower = data[source + rowBytes]! + (data[source + rowBytes + channels]! - data[source + rowBytes]!) * shareX
        out[target + channel] = upper + (lower - upper) * shareY + 0.5
      }
    }
  }
  return { ...image, width: outWidth, height: outHeight, data: out }
}
