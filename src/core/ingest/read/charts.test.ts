import { afterAll, expect, test } from 'vitest'
import { makeDocx, packed, relations, wordParagraph } from '../../../../test/fixtures/make-office.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { chartParagraphs } from './chart.ts'

const files = fileReader()
afterAll(() => files.close())

const points = (values: string[], format = 'General'): string =>
  `<c:formatCode>${format}</c:formatCode>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}`
const title = (text: string): string => `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`
const series = (name: string, values: string[], format?: string): string =>
  `<c:ser><c:tx><c:strRef><c:f>S!B1</c:f><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points(['North', 'South'])}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points(values, format)}</c:numCache></c:numRef></c:val></c:ser>`
const chart = (inside: string): string =>
  `<c:chartSpace><c:chart>${title('Sales of rope')}<c:plotArea><c:barChart>${inside}</c:barChart><c:valAx>${title('in tonnes')}</c:valAx></c:plotArea></c:chart></c:chartSpace>`
const both = chart(series('2025', ['12', '7.300000000000001']) + series('2026', ['0.5', '0.25'], '0%'))
const lines = ['Chart: Sales of rope · in tonnes', 'North | 2025: 12 | 2026: 50%', 'South | 2025: 7.3 | 2026: 25%']

test('a chart is its title and a row for each category, with each value under the name of its series', async () => {
  expect((await chartParagraphs(both)).map(({ text }) => text)).toEqual(lines)
  const dated = `<c:ser><c:cat><c:numRef><c:numCache>${points(['46000'], 'yyyy-mm-dd')}</c:numCache></c:numRef></c:cat><c:val><c:numLit>${points(['3'])}</c:numLit></c:val></c:ser>`
  expect((await chartParagraphs(dated)).map(({ text }) => text)).toEqual(['2025-12-09 | 3'])
  expect(await chartParagraphs('<c:chartSpace/>')).toEqual([])
})

test('a chart of a document stands behind the paragraph that shows it', async () => {
  const body =
    wordParagraph('before') +
    '<w:p><w:r><w:drawing><a:graphicData><c:chart r:id="rId1"/></a:graphicData></w:drawing></w:r></w:p>' +
    wordParagraph('after')
  const more = { 'word/_rels/document.xml.rels': relations(['chart', 'charts/chart1.xml']), 'word/charts/chart1.xml': both }
  const { text, end } = await files.read(makeDocx({ body, more }), 'a.docx')
  expect([text.split(/\n+/), end.status]).toEqual([['before', ...lines, 'after'], 'ready'])
})

test('a chart of a slide is a part of it', async () => {
  const bytes = packed({
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations(['slide', 'slides/slide1.xml']),
    'ppt/slides/slide1.xml':
      '<p:sld><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Ports</a:t></a:r></a:p></p:txBody></p:sp><p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></p:graphicFrame></p:spTree></p:cSld></p:sld>',
    'ppt/slides/_rels/slide1.xml.rels': relations(['chart', '../charts/chart1.xml']),
    'ppt/charts/chart1.xml': both,
  })
  const { text, end } = await files.read(bytes, 'a.pptx')
  expect([text.split(/\n+/), end.status]).toEqual([['Ports', ...lines], 'ready'])
})

test('a sheet says what its charts are about and has the text of its boxes, and that the text in its pictures is not read', async () => {
  const anchor = (row: number, inside: string): string =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>${row}</xdr:row></xdr:from>${inside}</xdr:twoCellAnchor>`
  const picture = (size: number): string => `<xdr:pic><xdr:spPr><a:xfrm><a:ext cx="${size}" cy="${size}"/></a:xfrm></xdr:spPr></xdr:pic>`
  const book = (drawn: string): Buffer =>
    packed({
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
      'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>x</v></c></row></sheetData></worksheet>',
      'xl/worksheets/_rels/sheet1.xml.rels': relations(['drawing', '../drawings/drawing1.xml']),
      'xl/drawings/drawing1.xml': `<xdr:wsDr>${drawn}</xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relations(['chart', '../charts/chart1.xml']),
      'xl/charts/chart1.xml': both,
    })
  const charted = await files.read(book(anchor(4, '<c:chart r:id="rId1"/>') + anchor(8, picture(200_000))), 'a.xlsx')
  expect(charted.end).toMatchObject({ status: 'ready', reason: null })
  expect(charted.sections.map(({ text, place }) => [text, place])).toEqual([
    ['x', { kind: 'sheet', sheet: 'S', from: 1, to: 1 }],
    ['Chart: Sales of rope · in tonnes · 2025, 2026', { kind: 'sheet', sheet: 'S', from: 5, to: 5 }],
  ])
  const paragraphs = ['Prices hold', '含税'].map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`).join('')
  const noted = await files.read(book(anchor(6, `<xdr:sp><xdr:txBody><a:bodyPr/>${paragraphs}</xdr:txBody></xdr:sp>`)), 'c.xlsx')
  expect(noted.sections[1]).toMatchObject({ text: 'Prices hold 含税', place: { kind: 'sheet', sheet: 'S', from: 7, to: 7 } })
  const { end } = await files.read(book(anchor(1, picture(2_000_000)) + anchor(2, picture(2_000_000))), 'b.xlsx')
  expect(end).toMatchObject({
    status: 'partial',
    reason: { code: 'parts-unread', message: 'The text in 2 pictures of it is not read.' },
  })
})

test('the text in a picture of RTF is not read, and it says so once', async () => {
  const picture = (width: number): string => `\\pict\\picwgoal${width}\\pichgoal${width}\\pngblip 00ff`
  const rtf = (width: number): string => `{\\rtf1 words{\\*\\shppict{${picture(width)}}}{\\nonshppict{${picture(width)}}}\\par}`
  expect((await files.read(rtf(4000), 'a.rtf')).end).toMatchObject({
    status: 'partial',
    reason: { code: 'parts-unread', message: 'The text in a picture of it is not read.' },
  })
  expect((await files.read(rtf(200), 'b.rtf')).end).toMatchObject({ status: 'ready', reason: null })
})
