import { expect, test } from 'vitest'
import { boxesOf } from './detect.ts'

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
