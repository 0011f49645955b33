import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { afterAll, describe, expect, it } from 'vitest'
import { makePdf, type PdfText } from '../../../../test/fixtures/make-pdf.ts'
import { openFile, readDocument, type ReadEnd, type ReadSection } from './read.ts'

const directory = mkdtempSync(join(tmpdir(), 'siku-pdf-'))
afterAll(() => rmSync(directory, { recursive: true }))

async function read(bytes: Uint8Array): Promise<{ sections: ReadSection[]; end: ReadEnd }> {
  const path = join(directory, 'document.pdf')
  writeFileSync(path, bytes)
  const opened = openFile(path)
  if (opened.kind === 'failed') throw new Error(opened.reason.message)
  const sections: ReadSection[] = []
  const reading = readDocument(opened.file, 'pdf')
  let next = await reading.next()
  for (; next.done !== true; next = await reading.next()) sections.push(next.value)
  opened.file.close()
  return { sections, end: next.value }
}

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await read(bytes)).sections.map((section) => section.text).join('\f')
}

/** Lines under each other, 14 points apart. */
function column(x: number, top: number, lines: string[], font: PdfText['font'] = 'latin'): PdfText[] {
  return lines.map((text, index) => ({ x, y: top - index * 14, text, font }))
}

describe('a page in reading order', () => {
  it('joins lines to a paragraph, parts paragraphs and joins only words that a hyphen broke', async () => {
    const texts = column(60, 600, [
      'The tenant pays the rent on the first day of each month and keeps the gar-',
      'den in good order, as the well-known rules of the house say; a long-',
      'term contract is a long-term matter, and the deposit is returned at its end.',
      '',
      'The landlord keeps the roof, the walls and the pipes of the house in repair,',
      'and answers within seven days.',
    ]).filter((line) => line.text !== '')
    expect(await textOf(makePdf([{ texts }]))).toBe(
      'The tenant pays the rent on the first day of each month and keeps the garden in good order, as the well-known rules of the house say; ' +
        'a long-term contract is a long-term matter, and the deposit is returned at its end.\n\n' +
        'The landlord keeps the roof, the walls and the pipes of the house in repair, and answers within seven days.',
    )
  })

  it('reads one column after the other, below a title that stands over both', async () => {
    const left = Array.from({ length: 8 }, (_, index) => `left column line ${index} goes on and on`)
    const right = Array.from({ length: 8 }, (_, index) => `right column line ${index} goes on and on`)
    const rows = left.flatMap((line, index) => [
      { x: 40, y: 560 - index * 14, text: line },
      { x: 270, y: 560 - index * 14, text: right[index]! },
    ])
    const text = await textOf(makePdf([{ texts: [{ x: 40, y: 640, size: 18, text: 'A wide title over the two columns of it' }, ...rows] }]))
    expect(text.indexOf('A wide title')).toBe(0)
    expect(text.indexOf('left column line 7')).toBeLessThan(text.indexOf('right column line 0'))
  })

  it('keeps the rows of a table, and the lines of one cell together', async () => {
    const rows: [string, string, string][] = [
      ['Item', 'First', 'Second'],
      ['Rent', '1,200.00', '1,250.00'],
      ['Water', '30.00', '31.00'],
    ]
    const texts = rows.flatMap((cells, row) => cells.map((text, cell) => ({ x: 50 + cell * 150, y: 600 - row * 20, text })))
    texts.push(
      { x: 50, y: 540, text: 'Repair of the' },
      { x: 50, y: 528, text: 'old roof' },
      { x: 200, y: 534, text: '500.00' },
      { x: 350, y: 534, text: '0.00' },
    )
    expect((await textOf(makePdf([{ texts }]))).split('\n')).toEqual([
      'Item  First  Second',
      'Rent  1,200.00  1,250.00',
      'Water  30.00  31.00',
      'Repair of the old roof  500.00  0.00',
    ])
  })

  it('reads Chinese without embedded fonts, across lines without blanks, and drops the blanks of wide setting', async () => {
    const texts = [
      ...column(50, 600, ['第一条承租人应当于每月的第一日之前向出租人支付当月的租金，逾期支付', '的应当按日支付违约金。'], 'chinese'),
      { x: 50, y: 540, text: '出 租 人 义 务', font: 'chinese' as const },
    ]
    expect(await textOf(makePdf([{ texts }]))).toBe(
      '第一条承租人应当于每月的第一日之前向出租人支付当月的租金，逾期支付的应当按日支付违约金。\n\n出租人义务',
    )
  })

  it('reads columns of upright Chinese from the right', async () => {
    const texts: PdfText[] = [
      { x: 400, y: 600, text: '春眠不觉晓', font: 'columns' },
      { x: 380, y: 600, text: '处处闻啼鸟', font: 'columns' },
    ]
    expect((await textOf(makePdf([{ texts }]))).replace(/\s/g, '')).toBe('春眠不觉晓处处闻啼鸟')
  })

  it('knows the headings by their size, and that they hold on the next page', async () => {
    const body = (y: number): PdfText => ({ x: 50, y, text: 'Some running text of the usual size, long enough to be the body of it.' })
    const first = [{ x: 50, y: 650, size: 20, text: 'The Title' }, body(600), { x: 50, y: 560, size: 14, text: 'A Part' }, body(530)]
    const { sections } = await read(
      makePdf([{ texts: first }, { texts: [body(650), { x: 50, y: 600, size: 14, text: 'Another' }, body(560)] }]),
    )
    expect(sections.map((section) => [section.heading, section.headings])).toEqual([
      [
        [],
        [
          { offset: 0, path: ['The Title'] },
          { offset: expect.any(Number) as number, path: ['The Title', 'A Part'] },
        ],
      ],
      [['The Title', 'A Part'], [{ offset: expect.any(Number) as number, path: ['The Title', 'Another'] }]],
    ])
  })

  it('leaves ligatures as they are shown: folding is for the index', async () => {
    const document = await PDFDocument.create()
    const page = document.addPage()
    page.drawText('The first page', { x: 50, y: 600, font: await document.embedFont(StandardFonts.TimesRoman), size: 12 })
    document.addPage().drawText('The second page', { x: 50, y: 600, size: 12 })
    const { sections, end } = await read(await document.save())
    expect(sections.map((section) => [section.place, section.text])).toEqual([
      [{ kind: 'page', page: 1 }, 'The first page'],
      [{ kind: 'page', page: 2 }, 'The second page'],
    ])
    expect(end).toEqual({ status: 'ready', reason: null, title: null, pages: 2 })
  })

  it.each([
    { rotate: 0 as const, near: { x: 0.2, y: 0.13 } },
    { rotate: 90 as const, near: { x: 0.85, y: 0.2 } },
    { rotate: 180 as const, near: { x: 0.68, y: 0.85 } },
    { rotate: 270 as const, near: { x: 0.13, y: 0.68 } },
  ])('says where a line stands on a page turned by $rotate', async ({ rotate, near }) => {
    const { sections } = await read(makePdf([{ rotate, texts: [{ x: 100, y: 600, text: 'A line of text here' }] }]))
    const positions = sections[0]!.positions
    const box = positions.kind === 'page' ? positions.lines[0]!.box : null
    expect(box?.x).toBeCloseTo(near.x, 1)
    expect(box?.y).toBeCloseTo(near.y, 1)
    expect(box!.width > box!.height).toBe(rotate === 0 || rotate === 180)
  })

  it('measures from the crop box', async () => {
    const { sections } = await read(makePdf([{ cropBox: [100, 500, 350, 700], texts: [{ x: 100, y: 600, text: 'A line of text here' }] }]))
    const positions = sections[0]!.positions
    const box = positions.kind === 'page' ? positions.lines[0]!.box : null
    expect(box?.x).toBeCloseTo(0, 2)
    expect(box?.y).toBeCloseTo(0.457, 1)
  })
})

describe('what cannot be read says why', () => {
  const page = { texts: [{ x: 50, y: 600, text: 'Some text' }] }

  it('pages that are pictures', async () => {
    expect((await read(makePdf([{ image: true }, { image: true }]))).end).toMatchObject({
      status: 'failed',
      reason: { code: 'scanned' },
      pages: 2,
    })
    expect((await read(makePdf([page, { image: true }, { image: true }, page, { image: true }]))).end).toMatchObject({
      status: 'partial',
      reason: { code: 'scanned', pages: '2-3, 5' },
    })
    expect((await read(makePdf([page, { image: true }, {}]))).end).toMatchObject({ reason: { code: 'scanned', pages: '2' } })
  })

  it('pages without anything', async () => {
    expect((await read(makePdf([{}]))).end).toMatchObject({ status: 'failed', reason: { code: 'no-text' } })
    const drawing = { content: '100 100 50 50 re f' }
    expect((await read(makePdf([{ ...page, image: true }, drawing]))).end).toMatchObject({
      status: 'partial',
      reason: { code: 'no-text', pages: '2' },
    })
    expect((await read(makePdf([page, {}]))).end).toMatchObject({ status: 'ready', reason: null })
  })

  it('a password for reading, and not one for changing', async () => {
    expect((await read(makePdf([page], { password: { user: 'secret', owner: 'owner' } }))).end).toMatchObject({
      status: 'failed',
      reason: { code: 'encrypted' },
    })
    const open = await read(makePdf([page], { title: 'A lease', password: { user: '', owner: 'owner' } }))
    expect(open.sections[0]?.text).toBe('Some text')
    expect(open.end).toMatchObject({ status: 'ready', title: 'A lease' })
  })

  it('damage: all of it, its table, one page', async () => {
    expect((await read(Buffer.from('%PDF-1.7 and then nothing of it'))).end).toMatchObject({
      status: 'failed',
      reason: { code: 'damaged' },
    })
    const whole = makePdf([page, page])
    const lostTable = Buffer.from(whole.toString('latin1').replace(/startxref\n\d+/, 'startxref\n99999'), 'latin1')
    expect((await read(lostTable)).sections).toHaveLength(2)
    const lost = await read(makePdf([page, { ...page, missing: true }]))
    expect(lost.sections).toHaveLength(1)
    expect(lost.end).toMatchObject({ status: 'partial', reason: { code: 'damaged', pages: '2' } })
  })

  it('no bytes at all', async () => {
    expect((await read(Buffer.alloc(0))).end).toMatchObject({ status: 'failed', reason: { code: 'empty' } })
  })

  it('letters that no font explains', async () => {
    const odd = Buffer.from('\u0161\u017eÿþðÐÞßæÆøØåÅ', 'latin1').toString('hex')
    const garbled = await read(makePdf([page, { content: `BT /F1 10 Tf 50 600 Td <${odd}> Tj ET` }]))
    expect(garbled.end).toMatchObject({ status: 'partial', reason: { code: 'garbled', pages: '2' }, pagesToRecognise: [2] })
  })
})
