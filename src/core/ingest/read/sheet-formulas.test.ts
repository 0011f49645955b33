import XLSX from '@e965/xlsx'
import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { packed, relations } from '../../../../test/fixtures/make-office.ts'
import { sheetEvents } from '../tables/sheet-events.ts'
import { readOdsTables } from './ods.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

interface WorkbookParts {
  rows: string
  calculation?: string
  application?: string
  strings?: string
}

/** A workbook of one sheet, of the cells as they stand in the file. */
function workbook({ rows, calculation = '', application = '', strings = '' }: WorkbookParts): Buffer {
  return packed({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/></sheets>${calculation}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'docProps/app.xml': `<Properties><Application>${application}</Application></Properties>`,
  })
}

const header = '<row r="1"><c r="A1" t="str"><v>数</v></c><c r="B1" t="str"><v>和</v></c></row>'
const row = (sum: string): string => `${header}<row r="2"><c r="A2"><v>5</v></c>${sum}</row>`
const message = 'A cell has a formula whose result is not in the file.'
const partly = { status: 'partial', reason: { code: 'formulas-without-results', message } }
const whole = { status: 'ready', reason: null }
const recalculated = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'

/** A workbook of Excel 97 with 1+2 in B2, and this as its result ([MS-XLS] 2.5.133). */
function oldWorkbook(result: Buffer): Buffer {
  const sheet = XLSX.utils.aoa_to_sheet([
    ['a', 'b'],
    [1, 2.5],
  ])
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'S')
  const file = XLSX.CFB.read(XLSX.write(book, { type: 'buffer', bookType: 'biff8' }), { type: 'buffer' })
  const stream = XLSX.CFB.find(file, '/Workbook')
  const records = Buffer.from(stream.content)
  let at = 0
  while (records.readUInt16LE(at) !== 0x0203 || records.readUInt16LE(at + 4) !== 1 || records.readUInt16LE(at + 6) !== 1)
    at += 4 + records.readUInt16LE(at + 2)
  const sum = Buffer.from('1e01001e020003', 'hex')
  const body = Buffer.concat([records.subarray(at + 4, at + 10), result, Buffer.alloc(6), Buffer.from([sum.length, 0]), sum])
  const head = Buffer.from([0x06, 0, body.length, 0])
  stream.content = Buffer.concat([records.subarray(0, at), head, body, records.subarray(at + 4 + records.readUInt16LE(at + 2))])
  stream.size = stream.content.length
  return Buffer.from(XLSX.CFB.write(file, { type: 'buffer' }))
}

describe('a formula', () => {
  test.each([
    ['without a result shows itself', { rows: row('<c r="B2"><f>A2+1</f><v/></c>') }, '5 · =A2+1', partly],
    ['without any value shows itself', { rows: row('<c r="B2"><f>A2&amp;1</f></c>') }, '5 · =A2&1', partly],
    ['that another cell shares is marked', { rows: row('<c r="B2"><f t="shared" si="0"/></c>') }, '5 · =…', partly],
    ['with its result shows that', { rows: row('<c r="B2"><f>A2+1</f><v>6</v></c>') }, '5 · 6', whole],
    ['that gives an empty text is empty', { rows: row('<c r="B2" t="str"><f>""</f><v></v></c>') }, '5', whole],
    ['that gives zero gives zero', { rows: row('<c r="B2"><f>A2-5</f><v>0</v></c>') }, '5 · 0', whole],
    [
      'to be calculated by whoever opens the file has no result in its zero',
      { rows: row('<c r="B2"><f>A2+1</f><v>0</v></c>'), calculation: recalculated },
      '5 · =A2+1',
      partly,
    ],
    [
      'of a program that calculates nothing has none either',
      { rows: row('<c r="B2"><f>A2+1</f><v>0.0</v></c>'), application: 'Apache POI' },
      '5 · =A2+1',
      partly,
    ],
    [
      'has one beside others that have',
      { rows: row('<c r="B2"><f>A2-5</f><v>0</v></c><c r="C2"><f>A2+1</f><v>6</v></c>'), calculation: recalculated },
      '5 · 0 · 6',
      whole,
    ],
  ])('%s', async (_what, parts, shown, end) => {
    const found = await read(workbook(parts), 'a.xlsx')
    expect(found.text).toBe(`数 · 和\n${shown}`)
    expect(found.end).toMatchObject(end)
  })

  test('without a result is counted, and no row of sums is a row of values for it', async () => {
    const sums = '<row r="3"><c r="A3" t="str"><v>合计</v></c><c r="B3"><f>SUM(B2)</f></c></row>'
    const { end } = await read(workbook({ rows: row('<c r="B2"><f>A2+1</f></c>') + sums }), 'a.xlsx')
    expect(end.reason?.message).toBe('2 cells have formulas whose result is not in the file.')
    const rows = [
      { number: 1, cells: ['名', '值'] },
      { number: 2, cells: ['甲', '=A2+1'], formulas: new Set([1]) },
      { number: 3, cells: ['合计', '=SUM(B2)'], formulas: new Set([1]) },
    ]
    const events = []
    for await (const each of sheetEvents({ name: 'S', rows }, { characters: 1000 })) events.push(...each)
    expect(events[1]).toEqual({ type: 'rows', numbers: [2], cells: [['甲', '=A2+1']] })
  })

  test('of an old workbook whose formulas all give nothing shows itself', async () => {
    // A text that is empty, as writers leave it that calculate nothing; and the number 3.
    const none = Buffer.from('030000000000ffff', 'hex')
    const three = Buffer.from('0000000000000840', 'hex')
    expect(await read(oldWorkbook(none), 'a.xls')).toMatchObject({ text: 'a · b\n1 · =1+2', end: partly })
    expect(await read(oldWorkbook(three), 'a.xls')).toMatchObject({ text: 'a · b\n1 · 3', end: whole })
  })

  test('of an open document without a result shows itself', () => {
    const cell = (attributes: string, text: string): string => `<table:table-cell ${attributes}>${text}</table:table-cell>`
    const content = `<office:spreadsheet><table:table table:name="A"><table:table-row>${cell('table:formula="of:=[.A1]+1"', '')}${cell('table:formula="of:=[.A1]+1" office:value-type="float" office:value="2"', '<text:p>2</text:p>')}${cell('table:formula="of:=&quot;&quot;" office:value-type="string"', '')}${cell('', '<text:p>x</text:p>')}</table:table-row></table:table></office:spreadsheet>`
    expect(readOdsTables(Buffer.from(content))[0]?.rows).toEqual([{ number: 1, cells: ['=A1+1', '2', '', 'x'], formulas: new Set([0]) }])
  })
})

describe('a raised number in a cell', () => {
  const run = (text: string, raised: string): string => `<r><rPr>${raised}</rPr><t xml:space="preserve">${text}</t></r>`
  const raised = '<vertAlign val="superscript"/>'

  test('stays a power in shared texts and in texts of their own', async () => {
    const strings = `<si>${run('面积10', '')}${run('6', raised)}${run('平方米', '')}</si><si>${run('H', '')}${run('2', '<vertAlign val="subscript"/>')}${run('O 1', '')}${run('st', raised)}${run('-3', raised)}</si>`
    const own = `<c r="C2" t="inlineStr"><is>${run('x', '')}${run('2', raised)}<r><t> y</t></r></is></c>`
    const rows = `${header}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c>${own}</row>`
    expect((await read(workbook({ rows, strings }), 'a.xlsx')).text).toBe('数 · 和\n面积10⁶平方米 · H2O 1st⁻³ · x² y')
  })

  test('stays a power in an open document', () => {
    const styles = '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>'
    const content = `<office:automatic-styles>${styles}</office:automatic-styles><office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell><text:p>10<text:span text:style-name="T1">6</text:span> m<text:span text:style-name="T2">2</text:span></text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`
    expect(readOdsTables(Buffer.from(content))[0]?.rows).toEqual([{ number: 1, cells: ['10⁶ m2'] }])
  })
})
