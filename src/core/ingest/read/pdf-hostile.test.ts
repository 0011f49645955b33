import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { assemblePdf, onePagePdf, pdfStream } from '../../../../test/fixtures/make-pdf.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'

const files = fileReader()
afterAll(() => files.close())

const hello = 'BT /F1 12 Tf 50 600 Td (Hello there good people) Tj ET\n'
const read = (bytes: Buffer) => files.read(bytes, 'document.pdf')

function pagesPdf(pages: string): Buffer {
  return assemblePdf(
    new Map<number, Buffer | string>([
      [1, '<< /Type /Catalog /Pages 2 0 R >>'],
      [2, pages],
      [3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>'],
      [4, pdfStream(hello)],
      [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
      [6, '<< /Type /Pages /Kids [7 0 R] /Count 1 >>'],
      [7, '<< /Type /Pages /Kids [6 0 R] /Count 1 >>'],
    ]),
  )
}

describe('a hostile document ends with what can be read, or why not', () => {
  it('a page that unpacks to gigabytes needs too much memory', async () => {
    const twice = deflateSync(deflateSync(Buffer.alloc(300 << 20, 32)))
    const { end } = await read(onePagePdf(pdfStream(twice, '/Filter [/FlateDecode /FlateDecode]')))
    expect(end).toMatchObject({ status: 'failed', reason: { code: 'too-much-memory' }, pages: 1 })
  })

  it('one such page among others is named, and the others are read', async () => {
    const twice = deflateSync(deflateSync(Buffer.alloc(300 << 20, 32)))
    const page = (content: number): string =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /Contents ${content} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`
    const bytes = assemblePdf(
      new Map<number, Buffer | string>([
        [1, '<< /Type /Catalog /Pages 2 0 R >>'],
        [2, '<< /Type /Pages /Kids [6 0 R 7 0 R 6 0 R] /Count 3 >>'],
        [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
        [6, page(8)],
        [7, page(9)],
        [8, pdfStream(hello)],
        [9, pdfStream(twice, '/Filter [/FlateDecode /FlateDecode]')],
      ]),
    )
    const { sections, end } = await read(bytes)
    expect(sections.map((section) => section.place)).toEqual([1, 3].map((page) => ({ kind: 'page', page })))
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'too-much-memory', pages: '2' }, pages: 3 })
  })

  it('forms that each show the next one three times', async () => {
    const forms: Record<number, Buffer> = {}
    for (let number = 6; number < 40; number++)
      forms[number] = pdfStream(
        number === 39 ? hello : '/X Do /X Do /X Do',
        `/Type /XObject /Subtype /Form /BBox [0 0 500 700] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${number + 1} 0 R >> >>`,
      )
    const { end } = await read(onePagePdf(`${hello}/X6 Do`, forms, '/XObject << /X6 6 0 R >>'))
    expect(end).toMatchObject({ status: 'failed', reason: { code: 'too-much-memory' } })
  })

  it('a form that shows itself', async () => {
    const form = pdfStream('/X6 Do', '/Type /XObject /Subtype /Form /BBox [0 0 500 700] /Resources << /XObject << /X6 6 0 R >> >>')
    const { text } = await read(onePagePdf(`${hello}/X6 Do`, { 6: form }, '/XObject << /X6 6 0 R >>'))
    expect(text).toBe('Hello there good people')
  })

  it('text packed as if it were a giant picture is not given to pdf.js, and the rest of the page is read', async () => {
    const packed = pdfStream(Buffer.alloc(2000, 0x41), '/Filter /JBIG2Decode')
    const whole = onePagePdf(hello, { 6: packed }).toString('latin1').replace('/Contents 4 0 R', '/Contents [4 0 R 6 0 R]')
    expect((await read(Buffer.from(whole, 'latin1'))).text).toBe('Hello there good people')
  })

  it('a picture of ten billion points is never unpacked', async () => {
    const picture =
      '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode'
    const others = { 6: pdfStream(deflateSync(Buffer.alloc(1 << 20)), picture) }
    const { text, end } = await read(onePagePdf(`${hello}q 500 0 0 700 0 0 cm /I Do Q`, others, '/XObject << /I 6 0 R >>'))
    expect(text).toBe('Hello there good people')
    expect(end).toMatchObject({ status: 'ready', reason: null })
  })

  it('a million pages: as many as any book has, and it is said where reading ended', async () => {
    const { sections, end } = await read(pagesPdf(`<< /Type /Pages /Kids [${'3 0 R '.repeat(11_000)}] /Count 11000 >>`))
    expect(sections).toHaveLength(10_000)
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'too-large', pages: '10001-11000' }, pages: 11_000 })
  }, 60_000)

  it('a count of a million pages over one', async () => {
    const { sections, end } = await read(pagesPdf('<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>'))
    expect(sections).toHaveLength(1)
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged', pages: '2-1000000' } })
  })

  it('a tree of pages that holds itself', async () => {
    const { text, end } = await read(pagesPdf('<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>'))
    expect(text).toBe('Hello there good people')
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged', pages: '2' } })
  })

  it.each([
    [
      'a table of objects that points back at itself',
      (whole: string) => whole.replace('trailer\n<< ', `trailer\n<< /Prev ${whole.lastIndexOf('xref\n0')} `),
    ],
    ['a length that is the stream itself', (whole: string) => whole.replace(/\/Length \d+ >>/, '/Length 4 0 R >>')],
  ])('%s', async (_what, harm) => {
    expect((await read(Buffer.from(harm(onePagePdf(hello).toString('latin1')), 'latin1'))).text).toBe('Hello there good people')
  })

  it.each([
    ['after its last page', 0.75, ['first', 'second']],
    ['within its second page', 0.5, ['first']],
  ])('a download that broke off %s', async (_what, share, words) => {
    const kids = [6, 8].map((number) => `${number} 0 R`).join(' ')
    const pageOf = (content: number): string =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 700] /Contents ${content} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`
    const whole = assemblePdf(
      new Map<number, Buffer | string>([
        [1, '<< /Type /Catalog /Pages 2 0 R >>'],
        [2, `<< /Type /Pages /Kids [${kids}] /Count 2 >>`],
        [5, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
        [6, pageOf(7)],
        [7, pdfStream('BT /F1 12 Tf 50 600 Td (The first page) Tj ET')],
        [8, pageOf(9)],
        [9, pdfStream('BT /F1 12 Tf 50 600 Td (The second page) Tj ET')],
        [10, pdfStream(Buffer.alloc(600, 32))],
      ]),
    )
    const cut = share === 0.75 ? whole.indexOf('10 0 obj') + 200 : whole.indexOf('8 0 obj')
    const { text, end } = await read(whole.subarray(0, cut))
    expect(words.filter((word) => text.includes(`The ${word} page`))).toEqual(words)
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
  })

  it('thousands of filters and of brackets', async () => {
    expect((await read(onePagePdf(pdfStream(hello, `/Filter [${'/FlateDecode '.repeat(5000)}]`)))).end.status).toMatch(/ready|failed/)
    expect((await read(onePagePdf('['.repeat(1_000_000)))).end).toMatchObject({ status: 'failed', reason: { code: 'no-text' } })
  })
})
