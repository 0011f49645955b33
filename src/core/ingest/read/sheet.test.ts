import { join } from 'node:path'
import XLSX from '@e965/xlsx'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { packed } from '../../../../test/fixtures/make-office.ts'
import { loadTokenizer } from '../../embed/embed.ts'
import { splitByStructure } from '../split.ts'
import { csvRows, separatorOf } from './csv.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())
const resources = join(import.meta.dirname, '..', '..', '..', '..', 'resources')

type Cell = string | number | boolean | Date | null

/** A workbook by an independent writer. */
function workbook(sheets: Record<string, Cell[][]>, bookType: 'xlsx' | 'biff8' | 'ods', prepare?: (sheet: XLSX.WorkSheet) => void): Buffer {
  const book = XLSX.utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = XLSX.utils.aoa_to_sheet(rows)
    prepare?.(sheet)
    XLSX.utils.book_append_sheet(book, sheet, name)
  }
  return XLSX.write(book, { type: 'buffer', bookType, compression: true }) as Buffer
}

const stock: Cell[][] = [
  ['Region', 'Item', 'Count'],
  ['EU', 'Cable', 12],
  ['EU', 'Plug', 7],
  ['中国', '插座', 1204],
]
const stockText = 'Region · Item · Count\nEU · Cable · 12\nEU · Plug · 7\n中国 · 插座 · 1204'

test.each([
  ['xlsx', workbook({ Stock: stock }, 'xlsx')],
  ['xls', workbook({ Stock: stock }, 'biff8')],
  ['ods', workbook({ Stock: stock }, 'ods')],
])('every row of an %s stands under the names of its columns, with its rows as the place', async (ending, bytes) => {
  const { kind, sections, end } = await read(bytes, `stock.${ending}`)
  expect([kind, end.status]).toEqual(['sheet', 'ready'])
  expect(sections.map(({ text, place, heading }) => [text, place, heading])).toEqual([
    [stockText, { kind: 'sheet', sheet: 'Stock', from: 2, to: 4 }, ['Stock']],
  ])
})

test('every sheet is read, numbers and dates as they are shown, a title above the header and merged cells', async () => {
  const bytes = workbook(
    {
      一季度: [
        ['2026 年一季度销售表'],
        ['地区', '', '金额', '比例', '日期'],
        ['华东', '南京', 1234.5, 0.125, 46_000],
        ['', '上海', 99, 1, 46_001],
      ],
      Second: [
        ['a', 'b'],
        ['x', 0.1],
      ],
    },
    'xlsx',
    (sheet) => {
      for (const [cell, format] of Object.entries({ C3: '#,##0.00', D3: '0.0%', E3: 'yyyy"年"m"月"d"日"', E4: 'yyyy-mm-dd' }))
        if (sheet[cell] !== undefined) (sheet[cell] as XLSX.CellObject).z = format
      if (sheet['E3'] !== undefined) sheet['!merges'] = ['A1:E1', 'A2:B2', 'A3:A4'].map((range) => XLSX.utils.decode_range(range))
    },
  )
  const { sections, end } = await read(bytes, 'book.xlsx')
  expect(end).toMatchObject({ status: 'ready', pages: 2 })
  expect(sections.map(({ text, heading }) => [text, heading])).toEqual([
    ['2026 年一季度销售表', ['一季度']],
    [
      '地区 · 地区 · 金额 · 比例 · 日期\n华东 · 南京 · 1,234.50 · 12.5% · 2025年12月9日\n华东 · 上海 · 99 · 1 · 2025-12-10',
      ['一季度', '2026 年一季度销售表'],
    ],
    ['a · b\nx · 0.1', ['Second']],
  ])
})

test('separated values: quotes, line breaks in cells, doubled quotes, other separators, other encodings, every end of line', async () => {
  const rows = (text: string): string[][] => [...csvRows([text])].map((row) => row.cells)
  expect(rows('a,b\r\n"x\r\ny","say ""hi"", ok"\r\n1,')).toEqual([
    ['a', 'b'],
    ['x\r\ny', 'say "hi", ok'],
    ['1', ''],
  ])
  expect(rows('a;b\n1,5;2\n')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ])
  expect(rows('sep=|\na|b\r1|2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(separatorOf('名称\t数量\n"a, b"\t3\n')).toBe('\t')
  const { sections } = await read(iconv.encode('品名,数量\n电缆,12\n插头,7\n', 'gb18030'), '库存.csv')
  expect(sections.map(({ text, place }) => [text, place])).toEqual([
    ['品名 · 数量\n电缆 · 12\n插头 · 7', { kind: 'sheet', sheet: '', from: 2, to: 3 }],
  ])
})

test('separated values read the same wherever their pieces are cut', () => {
  const text = 'name,note\r\n"A ""quoted"" one","two\nlines"\r\n\r\nplain,3\r\n"",x\n'
  const whole = [...csvRows([text], { separator: ',' })]
  for (let at = 1; at < text.length; at += 1) {
    expect([...csvRows([text.slice(0, at), text.slice(at)], { separator: ',' })]).toEqual(whole)
    expect([...csvRows(text.split(''), { separator: ',' })]).toEqual(whole)
  }
})

test('each value of generated sheets is in one passage with its row and the name of its column', async () => {
  const tokenizer = await loadTokenizer(resources)
  let seed = 7
  const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
  const facts: [string, string, string][] = []
  for (const [columns, rows] of [
    [4, 120],
    [12, 60],
    [40, 25],
    [90, 8],
  ] as const) {
    const names = Array.from({ length: columns }, (_none, column) =>
      column % 2 === 0 ? `Column ${column} of ${columns}` : `指标${column}项`,
    )
    const body = Array.from({ length: rows }, (_none, row) =>
      names.map((_name, column) =>
        column === 0 ? `key-${columns}-${row}` : column % 3 === 0 ? `值${random(9_999_999)}号` : random(9_999_999),
      ),
    )
    const { sections } = await read(workbook({ Data: [names, ...body] }, 'xlsx'), 'generated.xlsx')
    const passages = splitByStructure(sections, tokenizer, { maxTokens: tokenizer.passageBudget }).map((passage) => passage.text)
    for (const row of body)
      for (const [column, value] of row.entries()) {
        const key = String(row[0])
        const found = passages.some(
          (text) => text.includes(key) && text.includes(names[column]!) && new RegExp(`(?<!\\d)${String(value)}(?!\\d)`).test(text),
        )
        if (!found) facts.push([key, names[column]!, String(value)])
      }
  }
  expect(facts).toEqual([])
})

test('a very long cell is cut and said, and rows far down are not made passages', async () => {
  const long = await read(`a,b\n1,${'x'.repeat(40_000)}\n2,3\n`, 'long.csv')
  expect(long.end).toMatchObject({ status: 'partial', reason: { code: 'too-large' } })
  expect(long.text).toContain('2 · 3')
  const many = await read(`n,m\n${Array.from({ length: 50_010 }, (_none, row) => `${row},${row}`).join('\n')}\n`, 'many.csv')
  expect(many.end).toMatchObject({ status: 'partial', reason: { code: 'too-large' } })
  expect(many.sections.at(-1)?.place).toMatchObject({ to: 50_001 })
})

test.each([
  ['a workbook without sheets', packed({ 'xl/workbook.xml': '<workbook/>' }), 'a.xlsx', 'empty'],
  ['a cut workbook', workbook({ Stock: stock }, 'xlsx').subarray(0, 300), 'a.xlsx', 'damaged'],
  ['a cut old workbook', workbook({ Stock: stock }, 'biff8').subarray(0, 900), 'a.xls', 'damaged'],
  ['a bomb', packed({ 'xl/workbook.xml': '<workbook/>', 'xl/sharedStrings.xml': new Uint8Array(300 << 20) }), 'a.xlsx', 'too-large'],
  ['noise', Buffer.from('\0\x01\x02\x03', 'latin1'), 'a.ods', 'damaged'],
])('%s fails alone, with its reason', async (_what, bytes, name, code) => {
  const { end } = await read(bytes, name)
  expect([end.status, end.reason?.code]).toEqual(['failed', code])
})

describe('an .xls that is damaged', () => {
  const rows = Array.from({ length: 400 }, (_none, index) => [`item ${index}`, `remark ${index}`])
  const workbook = XLSX.utils.book_new()
  for (const name of ['One', 'Two']) XLSX.utils.book_append_sheet(workbook, XLSX.utils.aoa_to_sheet([['Item', 'Remark'], ...rows]), name)
  const whole = XLSX.write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer
  const zeroed = Buffer.from(whole).fill(0, Math.floor(whole.length * 0.6), Math.floor(whole.length * 0.7))

  test.each([
    ['is cut in its second sheet', whole.subarray(0, Math.floor(whole.length * 0.8))],
    ['is cut in its first sheet', whole.subarray(0, Math.floor(whole.length * 0.4))],
    ['has a hole', zeroed],
  ])('%s: what is whole of it is read, and it says so', async (_how, bytes) => {
    const { text, end } = await read(bytes, 'a.xls')
    expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
    expect(text).toContain('item 20 · remark 20')
    expect(text.split('\n').length).toBeLessThan(800)
  })

  test('and one that is whole does not', async () => {
    const { text, end } = await read(whole, 'a.xls')
    expect([end.status, end.reason]).toEqual(['ready', null])
    expect(text.split('item 399 · remark 399').length).toBe(3)
  })
})

test('a workbook of Excel 2003 as XML is read with its sheets, headers, empty cells and formats', async () => {
  const cell = (type: string, value: string, more = ''): string => `<Cell${more}><Data ss:Type="${type}">${value}</Data></Cell>`
  const rows = [
    cell('String', '品名') + cell('String', '件数') + cell('String', '日期'),
    cell('String', '螺丝 &amp; 垫片') + cell('Number', '1200') + cell('DateTime', '2026-03-05T00:00:00.000', ' ss:StyleID="d"'),
    cell('Number', '30', ' ss:Index="2"'),
  ]
  const xml =
    '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">' +
    '<Styles><Style ss:ID="d"><NumberFormat ss:Format="yyyy\\-mm\\-dd"/></Style></Styles>' +
    `<Worksheet ss:Name="表甲"><Table>${rows.map((row) => `<Row>${row}</Row>`).join('')}</Table></Worksheet></Workbook>`
  const { text, end, sections } = await files.read(xml, 'export.xls')
  expect([text, end.status, sections[0]?.place]).toEqual([
    '品名 · 件数 · 日期\n螺丝 & 垫片 · 1200 · 2026-03-05\n– · 30',
    'ready',
    { kind: 'sheet', sheet: '表甲', from: 2, to: 3 },
  ])
})
