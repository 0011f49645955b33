import { expect, test } from 'vitest'
import { planes, turned, type Normalisation, type Pixels } from './pixels.ts'

/** Leaves values as they are, from 0 to 1. */
const plain: Normalisation = { mean: [0, 0, 0], deviation: [1, 1, 1] }

function image(width: number, height: number, pixel: (x: number, y: number) => [number, number, number], channels: 3 | 4 = 3): Pixels {
  const data = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(pixel(x, y), (y * width + x) * channels)
  return { width, height, channels, data }
}

function whole({ width, height }: Pixels) {
  return { x: 0, y: 0, width, height }
}

function rounded(values: Float32Array): number[] {
  return [...values].map((value) => Math.round(value * 1000) / 1000)
}

test('planes stand in the order blue, green, red, whichever way the picture keeps them: swapped colours lose accuracy unseen', () => {
  const red = image(1, 1, () => [255, 51, 0])
  const into = new Float32Array(3)
  planes(red, whole(red), 1, 1, plain, into, 0, 1)
  expect(rounded(into)).toEqual([0, 0.2, 1])
  planes({ ...red, blueFirst: true }, whole(red), 1, 1, plain, into, 0, 1)
  expect(rounded(into)).toEqual([1, 0.2, 0])
})

test('the same size is the same picture, with a fourth channel too', () => {
  const steps = image(3, 2, (x, y) => [(x + y * 3) * 51, 0, 0], 4)
  const into = new Float32Array(3 * 6)
  planes(steps, whole(steps), 3, 2, plain, into, 0, 3)
  expect(rounded(into.subarray(12))).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
})

test('made smaller, each pixel is a mean of what it covers: thin strokes fade, they do not vanish', () => {
  const stripes = image(8, 8, (x) => (x % 2 === 0 ? [255, 255, 255] : [0, 0, 0]))
  const into = new Float32Array(3 * 4)
  planes(stripes, whole(stripes), 2, 2, plain, into, 0, 2)
  for (const value of into) expect(Math.abs(value - 0.5)).toBeLessThan(0.08)
})

test('a part is cut out where it stands, is written at its offset and stride, and reaches over no border', () => {
  const corner = image(10, 10, (x, y) => (x >= 3 && y >= 3 ? [255, 255, 255] : [0, 0, 0]))
  const into = new Float32Array(2 + 3 * 2 * 4).fill(-1)
  planes(corner, { x: 6, y: 6, width: 6, height: 6 }, 2, 2, plain, into, 2, 4)
  expect(rounded(into)).toEqual([-1, -1, ...[1, 1, -1, -1, 1, 1, -1, -1], ...[1, 1, -1, -1, 1, 1, -1, -1], ...[1, 1, -1, -1, 1, 1, -1, -1]])
})

test('values are normalised by mean and deviation of their colour', () => {
  const white = image(1, 1, () => [255, 255, 255])
  const into = new Float32Array(3)
  planes(white, whole(white), 1, 1, { mean: [0.5, 0.4, 0], deviation: [0.5, 0.2, 2] }, into, 0, 1)
  expect(rounded(into)).toEqual([1, 3, 0.5])
})

test('turned by a quarter, what was at the left is at the top, on paper that holds it whole; what is new is white', () => {
  const leftDark = image(40, 20, (x) => (x < 10 ? [0, 0, 0] : [200, 200, 200]))
  const { width, height, data } = turned(leftDark, Math.PI / 2)
  expect([Math.abs(width - 20) <= 1, Math.abs(height - 40) <= 1]).toEqual([true, true])
  const at = (x: number, y: number): number => data[(y * width + x) * 3]!
  expect([at(10, 4), at(10, 30)]).toEqual([0, 200])
  const askew = turned(leftDark, 0.1)
  expect(askew.data[0]).toBe(255)
  expect(askew.height).toBeGreaterThan(20)
})
