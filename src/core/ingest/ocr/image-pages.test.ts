import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { openPages } from './pages.ts'

/** Left half dark, right half light. */
function halves(width = 60, height = 20): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let index = 0; index < width * height; index += 1) data.fill(index % width < width / 2 ? 20 : 230, index * 3, index * 3 + 3)
  return sharp(data, { raw: { width, height, channels: 3 } })
}

async function pixelsOf(bytes: Buffer, page = 1) {
  const opened = await openPages(bytes, 'image')
  if (opened.kind === 'failed') return opened
  const drawn = await opened.pages.pixels(page)
  opened.pages.close()
  return drawn
}

async function look(bytes: Buffer, page = 1) {
  const drawn = await pixelsOf(bytes, page)
  if (drawn.kind === 'failed') return drawn.reason.code
  const { width, height, channels, data } = drawn.pixels
  const at = (x: number, y: number): string => (data[(y * width + x) * channels]! < 128 ? 'dark' : 'light')
  return { size: [width, height], length: data.length === width * height * channels, corners: [at(2, 2), at(width - 3, height - 3)] }
}

const right = { size: [60, 20], length: true, corners: ['dark', 'light'] }

test.each([
  ['png', () => halves().png().toBuffer()],
  ['jpg', () => halves().jpeg().toBuffer()],
  ['webp', () => halves().webp().toBuffer()],
  ['gif', () => halves().gif().toBuffer()],
  ['tiff', () => halves().tiff().toBuffer()],
  ['avif', () => halves().avif().toBuffer()],
  ['grey png', () => halves().greyscale().toColourspace('b-w').png().toBuffer()],
  ['png with a palette', () => halves().png({ palette: true }).toBuffer()],
  ['png of 16 bits', () => halves().toColourspace('rgb16').png().toBuffer()],
  ['jpg in CMYK', () => halves().toColourspace('cmyk').jpeg().toBuffer()],
])('a %s is decoded to three bytes a pixel', async (_name, make) => {
  expect(await look(await make())).toEqual(right)
})

test('a photo is turned as its camera says, so that text stands upright and boxes fit what is shown', async () => {
  const turned = await halves().rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()
  expect(await look(turned)).toEqual(right)
})

test('what is transparent is white paper, not black', async () => {
  const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()
  expect(await look(clear)).toMatchObject({ corners: ['light', 'light'] })
})

test('a picture too large to unpack is refused before it is unpacked, and a large one is made smaller', async () => {
  const bomb = await halves().png().toBuffer()
  // Width and height stand in the first chunk, whose checksum covers its name and data.
  bomb.writeUInt32BE(40_000, 16)
  bomb.writeUInt32BE(40_000, 20)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  expect(await look(bomb)).toBe('too-large')
  const large = await sharp({ create: { width: 8000, height: 2500, channels: 3, background: '#fff' } })
    .jpeg()
    .toBuffer()
  const drawn = await pixelsOf(large)
  const { width, height } = drawn.kind === 'ok' ? drawn.pixels : { width: 0, height: 0 }
  expect(width * height).toBeLessThanOrEqual(12_000_000)
  expect(Math.round((width / height) * 10)).toBe(32)
})

test('a picture that is cut off still shows what it has; noise is damaged', async () => {
  const whole = await sharp({
    create: { width: 400, height: 400, channels: 3, background: '#222', noise: { type: 'gaussian', mean: 40, sigma: 10 } },
  })
    .jpeg()
    .toBuffer()
  expect(await look(whole.subarray(0, whole.length * 0.6))).toMatchObject({ size: [400, 400] })
  expect(await look(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(400, 7)]))).toBe('damaged')
})
