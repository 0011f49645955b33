import XLSX from '@e965/xlsx'
import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { packed, relations } from '../../../../test/fixtures/make-office.ts'
import { csvRows } from './csv.ts'
import { findHeader } from './sheet-rows.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

/** Rows with their numbers, and those that begin with a stray quote. */
function csv(text: string): { rows: [number, ...string[]][]; stray: number[] } {
  const stray: number[] = []
  const rows = [...csvRows([text], { separator: ',', onStrayQuote: (row) => void stray.push(row) })]
  return { rows: rows.map(({ number, cells }) => [number, ...cells]), stray }
}

test.each([
  [
    'at the end of the file',
    'a,b\n1,"open\n2,x\n3,y\n',
    [
      [1, 'a', 'b'],
      [2, '1', '"open'],
      [3, '2', 'x'],
      [4, '3', 'y'],
    ],
    [2],
  ],
  [
    'before another cell in quotes',
    'a,b\n1,"open\n2,"x, y"\n3,"two\nlines"\n',
    [
      [1, 'a', 'b'],
      [2, '1', '"open'],
      [3, '2', 'x, y'],
      [4, '3', 'two\nlines'],
    ],
    [2],
  ],
  [
    'more than once',
    '"a,1\n"b,2\nc,3\n',
    [
      [1, '"a', '1'],
      [2, '"b', '2'],
      [3, 'c', '3'],
    ],
    [1, 2],
  ],
])('a quote that is never closed ends with its line, %s', (_where, text, rows, stray) => {
  expect(csv(text)).toEqual({ rows, stray })
  for (let at = 1; at < text.length; at += 1)
    expect([...csvRows([text.slice(0, at), text.slice(at)], { separator: ',' })].map(({ number, cells }) => [number, ...cells])).toEqual(
      rows,
    )
})

test('a file with an unclosed quote is partly read, and says in which row it is', async () => {
  const lines = Array.from({ length: 500 }, (_none, index) => `${index},word${index}`)
  lines[300] = '300,"word300'
  const { text, end, sections } = await read(`n,word\n${lines.join('\n')}\n`, 'open.csv')
  expect(end).toMatchObject({ status: 'partial', reason: { code: 'damaged' } })
  expect(end.reason?.message).toContain('row 302')
  expect(text).toContain('499 · word499')
  expect(sections.at(-1)?.place).toMatchObject({ kind: 'sheet', to: 501 })
})

test('a megabyte of quotes without an end is read in time that grows with its length', () => {
  const rows = csv('"a\n'.repeat(300_000)).rows
  expect(rows.length).toBeGreaterThan(1)
})

const at = (...rows: string[][]) => rows.map((cells, index) => ({ number: index + 1, cells }))

test.each([
  [
    'groups over columns of the same names',
    at(['上半年', '上半年', '下半年', '下半年', '负责人'], ['数量', '金额', '数量', '金额', '负责人'], ['1', '100', '2', '200', '张三']),
    ['上半年 数量', '上半年 金额', '下半年 数量', '下半年 金额', '负责人'],
    2,
  ],
  [
    'values of words below a merged name',
    at(['姓名', '联系方式', '联系方式'], ['张三', 'zhang@x.cn', '上海'], ['李四', 'li@x.cn', '南京']),
    ['姓名', '联系方式', '联系方式'],
    1,
  ],
  [
    'years',
    at(['指标', '2021', '2022', '2023'], ['收入', '88', '90', '95'], ['成本', '60', '61', '70']),
    ['指标', '2021', '2022', '2023'],
    1,
  ],
  ['years as values', at(['a', '2021', '2022'], ['b', '2023', '2024']), [], 0],
  ['months', at(['', '1月', '2月'], ['南京', '5', '6']), ['', '1月', '2月'], 1],
])('the header of a sheet: %s', (_what, rows, names, count) => {
  const header = findHeader(rows)
  expect([header.names, header.rows]).toEqual([names, count])
})

function book(bookType: 'xlsx' | 'biff8' | 'ods'): Buffer {
  const workbook = XLSX.utils.book_new()
  const add = (name: string, cells: string[][]): void => void XLSX.utils.book_append_sheet(workbook, XLSX.utils.aoa_to_sheet(cells), name)
  add('Shown', [
    ['key', 'value'],
    ['a', 'b'],
  ])
  add('Secret', [
    ['key', 'value'],
    ['fox', 'den'],
  ])
  workbook.Workbook = { Sheets: [{}, { Hidden: 1 }] }
  return XLSX.write(workbook, { type: 'buffer', bookType, compression: true }) as Buffer
}

test.each([
  ['xlsx', 'xlsx'],
  ['biff8', 'xls'],
] as const)('a hidden sheet of a %s is read, and marked as hidden', async (bookType, ending) => {
  const { sections } = await read(book(bookType), `hidden.${ending}`)
  expect(sections.map(({ text, heading }) => [text, heading])).toEqual([
    ['key · value\na · b', ['Shown']],
    ['Hidden sheet: Secret', ['Secret (hidden sheet)']],
    ['key · value\nfox · den', ['Secret (hidden sheet)']],
  ])
})

test('a hidden sheet of an open document is told by its style', async () => {
  const table = (name: string, style: string, text: string): string =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:table-row><table:table-cell><text:p>${text}</text:p><office:annotation><dc:creator>Li</dc:creator><text:p>about ${text}</text:p></office:annotation></table:table-cell></table:table-row></table:table>`
  const content = `<office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:spreadsheet>${table('A', 'ta1', 'one')}${table('B', 'ta2', 'two')}</office:spreadsheet>`
  const bytes = packed({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content })
  const { sections } = await read(bytes, 'hidden.ods')
  expect(sections.map(({ text }) => text)).toEqual([
    'one',
    'Comment on A1: about one',
    'Hidden sheet: B',
    'two',
    'Comment on A1: about two',
  ])
})

test('comments on cells are read where the cells stand', async () => {
  const bytes = packed({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>k</v></c><c r="B1" t="str"><v>v</v></c></row><row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2"><v>5</v></c></row></sheetData></worksheet>',
    'xl/worksheets/_rels/sheet1.xml.rels': relations(['comments', '../comments1.xml']),
    'xl/comments1.xml':
      '<comments><commentList><comment ref="B2"><text><r><t>Li:</t></r><r><t xml:space="preserve"> checked</t></r></text></comment></commentList></comments>',
  })
  const { sections } = await read(bytes, 'a.xlsx')
  expect(sections.map(({ text, place }) => [text, place])).toEqual([
    ['k · v\nx · 5', { kind: 'sheet', sheet: 'S', from: 2, to: 2 }],
    ['Comment on B2: Li: checked', { kind: 'sheet', sheet: 'S', from: 2, to: 2 }],
  ])
})

test('a notebook gives what its cells put out as text, and says how many pictures it did not read', async () => {
  const outputs = [
    { output_type: 'stream', name: 'stdout', text: ['line one\n', 'line two\n'] },
    { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo', 'text/plain': ['<Figure size 640x480 with 1 Axes>'] } },
    { output_type: 'execute_result', data: { 'text/plain': ['42'], 'text/html': ['<b>42</b>'] } },
    { output_type: 'error', ename: 'ValueError', evalue: 'no such deposit', traceback: ['\u001b[31mlong\u001b[0m'] },
  ]
  const cells = [
    { cell_type: 'markdown', source: ['# Title'] },
    { cell_type: 'code', source: ['print(1)\n', 'show()'], outputs },
    { cell_type: 'code', source: ['last()'], outputs: [] },
  ]
  const { text, end } = await read(JSON.stringify({ nbformat: 4, cells }), 'a.ipynb')
  expect(text.split(/\n+/)).toEqual([
    '# Title',
    'print(1)',
    'show()',
    'Output: line one',
    'line two',
    'Output: 42',
    'Output: ValueError',
    'Output: no such deposit',
    'last()',
  ])
  expect(end).toMatchObject({
    status: 'ready',
    reason: { code: 'pictures-not-read', message: 'A picture among its outputs was not read.' },
  })
})

test('a line without end is cut, and the rows behind it keep their numbers', () => {
  const part = 'word '.repeat(1 << 18)
  const parts = ['a,b\n1,"', ...Array<string>(20).fill(part), '",2\n3,4\n', '5,6']
  const rows = [...csvRows(parts, { separator: ',' })]
  expect(rows.map(({ number, cells }) => [number, cells.length, cells[0]])).toEqual([
    [1, 2, 'a'],
    [2, 2, '1'],
    [3, 2, '3'],
    [4, 2, '5'],
  ])
  expect(rows[1]?.cells[1]?.length).toBeLessThan(20 * part.length)
})
