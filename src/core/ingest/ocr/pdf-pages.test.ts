import { PDFDocument, rgb } from 'pdf-lib'
import { expect, test } from 'vitest'
import { mostPixels, openPages } from './pages.ts'

async function drawn(size: [number, number], page = 1) {
  const pdf = await PDFDocument.create()
  const one = pdf.addPage(size)
  one.drawRectangle({ x: 0, y: size[1] / 2, width: size[0], height: size[1] / 2, color: rgb(1, 0, 0) })
  const opened = await openPages(Buffer.from(await pdf.save()), 'pdf')
  if (opened.kind === 'failed') return opened
  const pixels = await opened.pages.pixels(page)
  opened.pages.close()
  return pixels
}

test('a page is drawn at 200 dpi, top first, red where it is red', async () => {
  const page = await drawn([144, 72])
  if (page.kind === 'failed') throw new Error(page.reason.message)
  const { width, height, channels, data, blueFirst } = page.pixels
  expect([width, height, channels, blueFirst ?? false]).toEqual([400, 200, 4, false])
  const at = (x: number, y: number): number[] => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
  expect([at(200, 20), at(200, 180)]).toEqual([
    [255, 0, 0],
    [255, 255, 255],
  ])
})

test('a page as large as a house is drawn smaller: memory is bounded', async () => {
  const page = await drawn([14_400, 14_400])
  if (page.kind === 'failed') throw new Error(page.reason.message)
  expect(page.pixels.width * page.pixels.height).toBeLessThanOrEqual(mostPixels)
})

test('a page that is not there, and what is no PDF, are failures with a reason', async () => {
  expect(await drawn([100, 100], 7)).toMatchObject({ kind: 'failed', reason: { code: 'damaged' } })
  expect(await openPages(Buffer.from('%PDF-1.4 nothing'), 'pdf')).toMatchObject({ kind: 'failed', reason: { code: 'damaged' } })
})
