import { expect, test } from 'vitest'
import type { Pixels } from './pixels.ts'
import { isMostlyLatin, isTall, laidSideBySide, quarterTurned, withColumnMarks } from './tall.ts'

/** White, with black boxes. */
function paper(width: number, height: number, ...boxes: [number, number, number, number][]): Pixels {
  const data = new Uint8Array(width * height * 3).fill(255)
  for (const [x, y, w, h] of boxes) for (let row = y; row < y + h; row += 1) data.fill(0, (row * width + x) * 3, (row * width + x + w) * 3)
  return { width, height, channels: 3, data }
}

function darkAt({ width, data }: Pixels, x: number, y: number): boolean {
  return data[(y * width + x) * 3]! < 128
}

test('what ran down runs to the right after a quarter turn, and what ran up too', () => {
  const topDark = paper(10, 40, [0, 0, 10, 10])
  const whole = { x: 0, y: 0, width: 10, height: 40 }
  const [down, up] = [quarterTurned(topDark, whole, 'down'), quarterTurned(topDark, whole, 'up')]
  expect([down.width, down.height, darkAt(down, 5, 5), darkAt(down, 35, 5)]).toEqual([40, 10, true, false])
  expect([darkAt(up, 5, 5), darkAt(up, 35, 5)]).toEqual([false, true])
  // The right edge of a line that runs down is its top.
  const rightDark = paper(10, 40, [8, 0, 2, 40])
  expect([darkAt(quarterTurned(rightDark, whole, 'down'), 20, 0), darkAt(quarterTurned(rightDark, whole, 'up'), 20, 9)]).toEqual([
    true,
    true,
  ])
})

test('characters below each other come to stand beside each other; parts of one stay one, and touching ones are parted', () => {
  const size = 20
  // A character in two parts, as 二; a thin one, as 一; two that touch.
  const column = paper(30, 140, [5, 10, size, 4], [5, 24, size, 4], [5, 46, size, 3], [5, 64, size, 2 * size])
  const laid = laidSideBySide(column, { x: 0, y: 0, width: 30, height: 140 })!
  const pitch = laid.width / 4
  expect(pitch).toBeGreaterThanOrEqual(30)
  const inked = Array.from(
    { length: 4 },
    (_none, cell) =>
      Array.from({ length: laid.height }, (_row, y) => darkAt(laid, Math.floor(cell * pitch) + 15, y)).filter(Boolean).length,
  )
  expect(inked).toEqual([8, 3, size, size])
})

test('a single mark, or nothing at all, is no column', () => {
  expect(laidSideBySide(paper(20, 60, [5, 20, 10, 12]), { x: 0, y: 0, width: 20, height: 60 })).toBeNull()
  expect(laidSideBySide(paper(20, 60), { x: 0, y: 0, width: 20, height: 60 })).toBeNull()
  expect([isTall({ x: 0, y: 0, width: 20, height: 60 }), isTall({ x: 0, y: 0, width: 60, height: 60 })]).toEqual([true, false])
})

test('a number on its side in a column is set upright among the characters, and a column without one is left alone', () => {
  const size = 40
  const character = (y: number): [number, number, number, number] => [5, y, size, size - 4]
  // Three signs of a number, on their side: as wide as a digit is high, and low.
  const digits: [number, number, number, number][] = [0, 1, 2].map((index) => [10, 110 + index * 20, 28, 14])
  const column = paper(50, 280, character(5), character(50), ...digits, character(186), character(232))
  const whole = { x: 0, y: 0, width: 50, height: 280 }
  const laid = laidSideBySide(column, whole, true)!
  const pitch = laidSideBySide(paper(50, 100, character(5), character(50)), { ...whole, height: 100 })!.width / 2
  // The number is as long as it was, with a blank at both sides.
  expect(laid.width).toBe(4 * pitch + 54 + 2 * 8)
  const inked = (x: number): number => Array.from({ length: laid.height }, (_row, y) => darkAt(laid, x, y)).filter(Boolean).length
  // Its signs stand beside each other, as high as they were wide.
  expect([0, 1, 2].map((index) => inked(2 * pitch + 8 + index * 20 + 7))).toEqual([28, 28, 28])
  expect(inked(2 * pitch + 8 + 17)).toBe(0)
  expect(inked(2 * pitch + 3)).toBe(0)
  expect(laidSideBySide(paper(50, 100, character(5), character(50)), { ...whole, height: 100 }, true)).toBeNull()
})

test('a comma or a stop at the upper right of a column goes where a line has it; a dot between names stays in the middle', () => {
  const size = 40
  const character = (y: number): [number, number, number, number] => [5, y, size, size]
  const column = paper(50, 240, character(5), [36, 50, 8, 8], character(95), [23, 160, 6, 6], character(190))
  const laid = laidSideBySide(column, { x: 0, y: 0, width: 50, height: 240 })!
  const pitch = laid.width / 5
  const inked = (cell: number): { x: number; y: number }[] =>
    Array.from({ length: pitch * laid.height }, (_none, at) => ({ x: at % pitch, y: Math.floor(at / pitch) })).filter(({ x, y }) =>
      darkAt(laid, cell * pitch + x, y),
    )
  const [mark, dot] = [inked(1), inked(3)]
  expect(mark).toHaveLength(64)
  expect(Math.max(...mark.map(({ x }) => x))).toBeLessThan(pitch / 2)
  expect(Math.min(...mark.map(({ y }) => y))).toBeGreaterThan(laid.height / 2)
  expect(dot).toHaveLength(36)
  expect(dot.map(({ x }) => x).sort((one, other) => one - other)[0]).toBe(23)
  expect(Math.abs(dot[0]!.y + 3 - laid.height / 2)).toBeLessThanOrEqual(1)
})

test('marks of a column are read as what they are, and quotations keep theirs', () => {
  expect(withColumnMarks('二〇二六年’租约到期°丶等')).toBe('二〇二六年，租约到期。丶等')
  expect(withColumnMarks('他说‘好’。20°')).toBe('他说‘好’。20°')
  expect([isMostlyLatin('leading the NFL with 24'), isMostlyLatin('以 24 次拦截领先（NFL）'), isMostlyLatin('1l')]).toEqual([
    true,
    false,
    false,
  ])
})
