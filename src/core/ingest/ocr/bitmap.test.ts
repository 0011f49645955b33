import { expect, test } from 'vitest'
import { readBitmap } from './bitmap.ts'

interface Made {
  width: number
  height: number
  bits: number
  compression?: number
  palette?: number[][]
  rows: number[][]
  topDown?: boolean
}

/** A bitmap with the 40-byte header; `rows` are bytes as they stand in the file. */
function bitmap({ width, height, bits, compression = 0, palette = [], rows, topDown = false }: Made): Buffer {
  const head = Buffer.alloc(54 + palette.length * 4)
  head.write('BM', 0, 'latin1')
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(topDown ? -height : height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(bits, 28)
  head.writeUInt32LE(compression, 30)
  palette.forEach((colour, index) => Buffer.from([...colour, 0]).copy(head, 54 + index * 4))
  return Buffer.concat([head, ...rows.map((row) => Buffer.from(row))])
}

function pixelsOf(bytes: Buffer): number[][] {
  const read = readBitmap(bytes, 1e6)
  if (read.kind !== 'ok') throw new Error(read.kind)
  const { data, width, height } = read.pixels
  return Array.from({ length: width * height }, (_none, index) => [...data.subarray(index * 3, index * 3 + 3)])
}

const [red, green, blue, white] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
]

test('24 bits: rows from the bottom, padded to four bytes, blue first', () => {
  const rows = [
    [255, 0, 0, 255, 255, 255, 0, 0],
    [0, 0, 255, 0, 255, 0, 0, 0],
  ]
  expect(pixelsOf(bitmap({ width: 2, height: 2, bits: 24, rows }))).toEqual([red, green, blue, white])
  expect(pixelsOf(bitmap({ width: 2, height: 2, bits: 24, rows: rows.reverse(), topDown: true }))).toEqual([red, green, blue, white])
})

test('32 bits, and palettes of eight, four and one bit', () => {
  expect(pixelsOf(bitmap({ width: 2, height: 1, bits: 32, compression: 3, rows: [[0, 0, 255, 7, 0, 255, 0, 7]] }))).toEqual([red, green])
  const palette = [
    [0, 0, 255],
    [255, 255, 255],
    [255, 0, 0],
  ]
  expect(pixelsOf(bitmap({ width: 3, height: 1, bits: 8, palette, rows: [[2, 0, 1, 0]] }))).toEqual([blue, red, white])
  expect(pixelsOf(bitmap({ width: 3, height: 1, bits: 4, palette, rows: [[0x20, 0x10, 0, 0]] }))).toEqual([blue, red, white])
  expect(pixelsOf(bitmap({ width: 3, height: 1, bits: 1, palette, rows: [[0b01000000, 0, 0, 0]] }))).toEqual([red, white, red])
})

test.each([
  ['packed by runs', bitmap({ width: 2, height: 1, bits: 8, compression: 1, rows: [[0, 0, 0, 0]] }), 'unsupported'],
  ['cut off', bitmap({ width: 100, height: 100, bits: 24, rows: [[0, 0, 0]] }), 'damaged'],
  ['lying about its size', bitmap({ width: 60_000, height: 60_000, bits: 1, rows: [] }), 'too-large'],
  ['without height', bitmap({ width: 2, height: 0, bits: 24, rows: [] }), 'damaged'],
  ['without a head', Buffer.from('BM and no more of it than this'), 'damaged'],
])('one that is %s says so and reads nothing beyond its end', (_what, bytes, kind) => {
  expect(readBitmap(bytes, 1e6).kind).toBe(kind)
})
