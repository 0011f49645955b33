import { expect, it } from 'vitest'
import { onePagePdf, pdfStream } from '../../../../test/fixtures/make-pdf.ts'
import { openPdfium } from './pdfium.ts'
import { pdfiumItems } from './pdfium-text.ts'

/** The codes from A on stand for these signs. */
async function itemsOf(content: string, signs: string): Promise<{ str: string; dir: string }[]> {
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')
  const pairs = [...signs].map((sign, index) => `<${(0x41 + index).toString(16)}> <${hex(sign)}>`).join(' ')
  const map = `1 begincodespacerange <00> <ff> endcodespacerange ${signs.length} beginbfchar ${pairs} endbfchar`
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap ${map} endcmap end end`
  const widths = Array.from({ length: 256 }, () => 1000).join(' ')
  const font = `<< /Type /Font /Subtype /TrueType /BaseFont /House /FirstChar 0 /LastChar 255 /Widths [${widths}] /Encoding /WinAnsiEncoding /ToUnicode 6 0 R`
  const descriptor =
    '<< /Type /FontDescriptor /FontName /House /Flags 32 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>'
  const bytes = onePagePdf(content, { 5: `${font} /FontDescriptor 7 0 R >>`, 6: pdfStream(cmap), 7: descriptor })
  const opened = await openPdfium({ sizeBytes: bytes.length, chunks: () => [bytes], bytes: () => bytes })
  if (opened.kind !== 'ok') throw new Error(opened.kind)
  const { pdfium } = opened
  const found = pdfium.withPage(1, (page) => pdfiumItems(pdfium, page).items.map(({ str, dir }) => ({ str, dir })))
  pdfium.close()
  return found ?? []
}

function sign(index: number, x: number, y: number): string {
  return `BT /F1 12 Tf ${x} ${y} Td (${String.fromCharCode(0x41 + index)}) Tj ET`
}

it('a column of Chinese that is set sign by sign runs down', async () => {
  const signs = '红楼梦第一回甄士隐幻识通灵贾雨村'
  const content = [...signs].map((_sign, index) => sign(index, index < 8 ? 300 : 280, 600 - (index % 8) * 12)).join('\n')
  expect(await itemsOf(content, signs)).toEqual([signs.slice(0, 8), signs.slice(8)].map((str) => ({ str, dir: 'ttb' })))
})

it('lines of text whose first signs stand under each other run on', async () => {
  const content = ['(AB)', '(CD)'].map((text, index) => `BT /F1 12 Tf 50 ${600 - index * 15} Td ${text} Tj ET`).join('\n')
  expect(await itemsOf(content, '红楼梦第')).toEqual(['红楼', '梦第'].map((str) => ({ str, dir: 'ltr' })))
})
