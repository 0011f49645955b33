import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { makeDocx, packed, relations, wordParagraph } from '../../../../test/fixtures/make-office.ts'
import { openPages } from '../ocr/pages.ts'
import type { RecognisedLine } from './reading.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const picture = (width = 300): Promise<Buffer> =>
  sharp({ create: { width, height: 100, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()

function line(text: string, y = 0.2): RecognisedLine {
  return { text, confidence: 0.9, box: { page: 1, x: 0.1, y, width: 0.8, height: 0.2 } }
}

/** A picture in a paragraph of its own, in inches. */
function drawing(id: string, width = 6, height = 8): string {
  const extent = `<wp:extent cx="${width * 914_400}" cy="${height * 914_400}"/>`
  return `<w:p><w:r><w:drawing><wp:inline>${extent}<a:graphic><pic:pic><a:blip r:embed="${id}"/></pic:pic></a:graphic></wp:inline></w:drawing></w:r></w:p>`
}

async function scans(body: string): Promise<Buffer> {
  return makeDocx({
    body,
    more: {
      'word/_rels/document.xml.rels': relations(['image', 'media/b.png'], ['image', 'media/a.jpeg'], ['image', 'media/drawing.emf']),
      'word/media/b.png': await picture(),
      'word/media/a.jpeg': await picture(400),
      'word/media/drawing.emf': new Uint8Array(100),
    },
  })
}

test('pictures in a docx wait for text recognition, and their text then stands where they stand', async () => {
  const body =
    wordParagraph('before') + drawing('rId1') + wordParagraph('between') + drawing('rId2') + drawing('rId2') + wordParagraph('after')
  const bytes = await scans(body)
  const first = await read(bytes, 'scan.docx')
  expect(first.text).toBe('before\n\nbetween\n\nafter')
  expect(first.end).toMatchObject({ status: 'partial', reason: { code: 'scanned' }, pagesToRecognise: [1, 2] })
  expect(first.end.reason?.message).toContain('2 pictures')
  const recognised = new Map([
    [1, [line('押金一万元'), line('每月五日支付', 0.6)]],
    [2, []],
  ])
  const then = await read(bytes, 'scan.docx', { recognised })
  expect(then.text).toMatch(/^before\n\nPicture: 押金一万元\s*每月五日支付\n\nbetween\n\nafter$/)
  expect(then.end).toMatchObject({ status: 'ready', reason: null })
  expect(then.end.pagesToRecognise).toBeUndefined()
})

test('a docx of nothing but scans waits, and ornaments and drawings in vectors do not count', async () => {
  const scan = await read(await scans(drawing('rId1')), 'scan.docx')
  expect(scan.end).toMatchObject({ status: 'failed', reason: { code: 'scanned' }, pagesToRecognise: [1] })
  const plain = await read(await scans(wordParagraph('text') + drawing('rId2', 0.3, 0.3) + drawing('rId3')), 'plain.docx')
  expect(plain.end).toMatchObject({ status: 'ready', reason: null })
})

test('pictures of slides and of open documents are read alike', async () => {
  const slide =
    '<p:sld><p:cSld><p:spTree><p:pic><p:blipFill><a:blip r:embed="rId1"/></p:blipFill><p:spPr><a:xfrm><a:ext cx="4000000" cy="3000000"/></a:xfrm></p:spPr></p:pic></p:spTree></p:cSld></p:sld>'
  const deck = packed({
    'ppt/presentation.xml': '<p:presentation/>',
    'ppt/slides/slide1.xml': slide,
    'ppt/slides/_rels/slide1.xml.rels': relations(['image', '../media/image1.png']),
    'ppt/media/image1.png': await picture(),
  })
  const frame =
    '<text:p>Over it.<draw:frame svg:width="12cm" svg:height="9cm"><draw:image xlink:href="Pictures/one.png"/></draw:frame></text:p>'
  const odt = packed({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:body><office:text>${frame}</office:text></office:body>`,
    'Pictures/one.png': await picture(),
  })
  const recognised = new Map([[1, [line('exit')]]])
  expect((await read(deck, 'a.pptx')).end.pagesToRecognise).toEqual([1])
  expect((await read(deck, 'a.pptx', { recognised })).text).toBe('Picture: exit')
  expect((await read(odt, 'a.odt')).end.pagesToRecognise).toEqual([1])
  expect((await read(odt, 'a.odt', { recognised })).text).toBe('Over it.\n\nPicture: exit')
})

test('text recognition finds each picture of a document by the number that the reading gave it', async () => {
  const opened = await openPages(await scans(drawing('rId1')), 'word')
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  const widths = await Promise.all(
    [1, 2, 3].map(async (page) => {
      const drawn = await opened.pages.pixels(page)
      return drawn.kind === 'ok' ? drawn.pixels.width : drawn.reason.code
    }),
  )
  opened.pages.close()
  expect(widths).toEqual([300, 400, 'damaged'])
  expect(await openPages(Buffer.from('noise'), 'slides')).toMatchObject({ kind: 'failed', reason: { code: 'damaged' } })
})
