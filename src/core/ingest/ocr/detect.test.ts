import { expect, test } from 'vitest'
import { boxesOf, skewOf } from './detect.ts'

function map(
  width: number,
  height: number,
  regions: { x: number; y: number; width: number; height: number; value: number }[],
): Float32Array {
  const values = new Float32Array(width * height)
  for (const region of regions) {
    for (let y = region.y; y < region.y + region.height; y += 1)
      values.fill(region.value, y * width + region.x, y * width + region.x + region.width)
  }
  return values
}

test('two lines are two boxes, each grown around its region and no further than the map', () => {
  const boxes = boxesOf(
    map(200, 100, [
      { x: 20, y: 10, width: 100, height: 10, value: 0.9 },
      { x: 0, y: 60, width: 60, height: 8, value: 0.8 },
    ]),
    200,
    100,
  )
  expect(boxes).toHaveLength(2)
  const [first, second] = boxes
  expect(first!.x).toBeLessThan(20)
  expect(first!.x + first!.width).toBeGreaterThan(120)
  expect(first!.y + first!.height).toBeLessThan(40)
  expect([second!.x, Math.round(second!.score * 10) / 10]).toEqual([0, 0.8])
})

test('what is weak, or only a few pixels, is no text', () => {
  const boxes = boxesOf(
    map(100, 50, [
      { x: 5, y: 5, width: 40, height: 10, value: 0.4 },
      { x: 60, y: 30, width: 3, height: 3, value: 1 },
      { x: 5, y: 40, width: 40, height: 2, value: 1 },
    ]),
    100,
    50,
  )
  expect(boxes).toEqual([])
})

test('a map full of text is one region: no stack overflows on a hostile page', () => {
  const boxes = boxesOf(new Float32Array(1472 * 1472).fill(1), 1472, 1472)
  expect(boxes).toMatchObject([{ x: 0, y: 0, width: 1472, height: 1472 }])
})

/** Lines of text that lean by so many degrees. */
function leaning(...degrees: number[]): Float32Array {
  const values = new Float32Array(600 * 400)
  degrees.forEach((each, line) => {
    const slope = Math.tan((each * Math.PI) / 180)
    for (let x = 60; x < 540; x += 1) for (let y = 0; y < 10; y += 1) values[(Math.round(40 + line * 40 + slope * x) + y) * 600 + x] = 0.9
  })
  return values
}

function skewOfLines(...degrees: number[]): number {
  return Math.round((skewOf(boxesOf(leaning(...degrees), 600, 400)) * 1800) / Math.PI) / 10
}

test('lines that lean alike tell how the page lies; straight ones, and ones that do not agree, turn nothing', () => {
  expect(skewOfLines(2, 2, 2)).toBe(2)
  expect(skewOfLines(-3, -3, -3.1)).toBe(-3)
  expect(skewOfLines(0, 0, 0.1)).toBe(0)
  expect(skewOfLines(-4, 1, 5)).toBe(0)
  // A title set slantwise by itself.
  expect(skewOfLines(0, 0, 0, 5)).toBe(0)
})
