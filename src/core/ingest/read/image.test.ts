import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import type { RecognisedLine } from './reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

function blank(width = 80, height = 40): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#fff' } })
}

function tiff(pages: number): Promise<Buffer> {
  return sharp(Buffer.alloc(60 * 40 * pages, 9), { raw: { width: 60, height: 40 * pages, channels: 1, pageHeight: 40 } })
    .tiff()
    .toBuffer()
}

function line(text: string, page: number): RecognisedLine {
  return { text, confidence: 0.9, box: { page, x: 0.1, y: 0.2, width: 0.5, height: 0.1 } }
}

test.each([
  ['photo.png', () => blank().png().toBuffer()],
  ['photo.jpg', () => blank().jpeg().toBuffer()],
  ['photo.webp', () => blank().webp().toBuffer()],
  ['photo.gif', () => blank().gif().toBuffer()],
  ['photo.avif', () => blank().avif().toBuffer()],
  ['named wrongly.txt', () => blank().png().toBuffer()],
])('%s waits for text recognition as one page', async (name, make) => {
  const { kind, end } = await reader.read(await make(), name)
  expect([kind, end.status, end.reason?.code, end.pages, end.pagesToRecognise]).toEqual(['image', 'failed', 'scanned', 1, [1]])
})

test('frames of a TIFF are pages: those that were recognised are sections with boxes, the others wait by number', async () => {
  const recognised = new Map([
    [1, [line('the first page', 1)]],
    [2, []],
  ])
  const { sections, end } = await reader.read(await tiff(4), 'fax.tif', { recognised })
  expect(sections.map(({ text, place }) => [text, place])).toEqual([['the first page', { kind: 'page', page: 1 }]])
  const { positions } = sections[0]!
  expect(positions.kind === 'page' && Math.abs(positions.lines[0]!.box.x - 0.1) < 0.01).toBe(true)
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'scanned', pages: '3-4' }, pages: 4, pagesToRecognise: [3, 4] })
})

test('a picture of which all is recognised is ready, or has no text in it', async () => {
  const png = await blank().png().toBuffer()
  const read = await reader.read(png, 'sign.png', { recognised: new Map([[1, [line('出口', 1)]]]) })
  expect([read.text, read.end.status, read.end.reason]).toEqual(['出口', 'ready', null])
  const { end } = await reader.read(png, 'sky.png', { recognised: new Map([[1, []]]) })
  expect([end.status, end.reason?.code, end.pagesToRecognise]).toEqual(['skipped', 'no-text', undefined])
})

test.each(['png', 'jpeg'] as const)('a %s that is cut short is damaged, with what was left of it; a whole one is not', async (format) => {
  const noisy = sharp(Buffer.from(Array.from({ length: 120 * 80 * 3 }, (_none, at) => (at * 7919) % 251)), {
    raw: { width: 120, height: 80, channels: 3 },
  })
  const whole = await noisy.toFormat(format).toBuffer()
  const cut = whole.subarray(0, Math.round(whole.length * 0.6))
  const some = { recognised: new Map([[1, [line('Rent 4,200', 1)]]]) }
  const none = { recognised: new Map([[1, []]]) }
  expect((await reader.read(whole, 'a.' + format, some)).end).toMatchObject({ status: 'ready', reason: null })
  expect((await reader.read(whole, 'a.' + format, none)).end).toMatchObject({ status: 'skipped', reason: { code: 'no-text' } })
  expect((await reader.read(cut, 'a.' + format, some)).end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
  expect((await reader.read(cut, 'a.' + format, none)).end).toMatchObject({ status: 'failed', reason: { code: 'damaged' } })
})

test('a photograph with a preview and restart marks inside, and bytes behind its end, is whole', async () => {
  const picture = blank(600, 400).jpeg({ progressive: true })
  const whole = await picture.withExif({ IFD0: { Copyright: 'x'.repeat(400) } }).toBuffer()
  const { end } = await reader.read(Buffer.concat([whole, Buffer.alloc(100)]), 'a.jpg', { recognised: new Map([[1, [line('出口', 1)]]]) })
  expect(end.status).toBe('ready')
})

test('what is no picture inside is damaged, and HEIC says what to do', async () => {
  const noise = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300, 5)])
  expect((await reader.read(noise, 'noise.png')).end).toMatchObject({ status: 'failed', reason: { code: 'damaged' } })
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const { end } = await reader.read(heic, 'photo.heic')
  expect([end.status, end.reason?.code]).toEqual(['skipped', 'unsupported-kind'])
  expect(end.reason?.message).toContain('JPEG')
})
