import { afterAll, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { makeDocx, packed, relations, wordParagraph, wordTable } from '../../../../test/fixtures/make-office.ts'
import { tableLines } from './table-rows.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const odt = (body: string, more: Record<string, string> = {}): Buffer =>
  packed({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...more,
  })

test('comments, headers and footers of a docx are read and marked as what they are; page numbers are not', async () => {
  const comment = (id: number, author: string, text: string): string =>
    `<w:comment w:id="${id}" w:author="${author}">${wordParagraph(text)}</w:comment>`
  const bytes = makeDocx({
    body: `<w:p><w:r><w:t>押金一万元</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>${wordParagraph('The end.')}`,
    more: {
      'word/comments.xml': `<w:comments>${comment(0, 'Li', '请核对押金数额')}${comment(1, '', 'Nobody points at me.')}</w:comments>`,
      'word/header1.xml': `<w:hdr>${wordParagraph('机密')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${wordParagraph('机密')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${wordParagraph('第 3 页 共 12 页')}</w:ftr>`,
      'word/_rels/document.xml.rels': relations(['header', 'header1.xml'], ['header', 'header2.xml'], ['footer', 'footer1.xml']),
    },
  })
  const { text } = await read(bytes, 'notes.docx')
  expect(text).toBe('Header: 机密\n\n押金一万元\n\nComment (Li): 请核对押金数额\n\nThe end.\n\nComment: Nobody points at me.')
})

test('comments, headers and formulas of an open document are read', async () => {
  const body =
    '<text:p>租金<office:annotation><dc:creator>Wang</dc:creator><dc:date>2026-01-01</dc:date><text:p>批注鲸鱼</text:p></office:annotation>每月</text:p>' +
    '<text:p>E=<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame> holds.</text:p>'
  const bytes = odt(body, {
    'Object 1/content.xml': '<math><mfrac><mi>m</mi><mn>2</mn></mfrac></math>',
    'styles.xml':
      '<office:master-styles><style:master-page><style:header><text:p>Draft</text:p></style:header><style:footer><text:p><text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles>',
  })
  const { text, end } = await read(bytes, 'notes.odt')
  expect(text).toBe('Header: Draft\n\n租金每月\n\nComment (Wang): 批注鲸鱼\n\nE=m/2 holds.')
  expect(end).toMatchObject({ status: 'ready', reason: null })
})

test('a formula in a docx stands where it was written', async () => {
  const half = '<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>'
  const { text } = await read(
    makeDocx({ body: `<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r>${half}<w:r><w:t> of it.</w:t></w:r></w:p>` }),
    'a.docx',
  )
  expect(text).toBe('It is 1/2 of it.')
})

test('how a word is spoken does not stand in the word', async () => {
  const ruby = (base: string, above: string): string =>
    `<w:r><w:ruby><w:rt><w:r><w:t>${above}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`
  expect((await read(makeDocx({ body: `<w:p>${ruby('汉', 'hàn')}${ruby('语', 'yǔ')}</w:p>` }), 'a.docx')).text).toBe('汉语')
})

test('a row that looks like a header is one, and a table within a cell keeps its rows apart', async () => {
  const cell = (text: string, look: string): string => `<w:tc><w:tcPr>${look}</w:tcPr>${wordParagraph(text)}</w:tc>`
  const shaded = '<w:shd w:val="clear" w:fill="D9D9D9"/>'
  const inner = wordTable([
    ['甲', '乙'],
    ['丙', '丁'],
  ])
  const body =
    wordTable([
      [cell('姓名', shaded), cell('部门', shaded)],
      ['张三', '研发'],
    ]) +
    wordParagraph('between') +
    wordTable([[`<w:tc>${wordParagraph('外层')}${inner}</w:tc>`, '外右']])
  const { text } = await read(makeDocx({ body }), 'a.docx')
  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    '姓名 | 部门',
    '姓名: 张三 | 部门: 研发',
    'between',
    '外层 [甲 | 乙; 丙 | 丁] | 外右',
  ])
})

const rows = (...cells: string[][]) => cells.map((row) => ({ cells: row, header: false }))

test.each([
  [
    'three columns of words',
    rows(['姓名', '部门', '城市'], ['张三', '研发', '南京'], ['李四', '销售', '上海']),
    '姓名: 李四 | 部门: 销售 | 城市: 上海',
  ],
  ['numbers with a sum in words', rows(['产品', '数量'], ['电缆', '12'], ['插头', '34'], ['合计', '四十六']), '产品: 合计 | 数量: 四十六'],
  ['a free corner', rows(['', '一季度', '二季度'], ['收入', '88', '90'], ['成本', '60', '61']), '成本 | 一季度: 60 | 二季度: 61'],
  ['a form in two pairs', rows(['姓名', '张三', '性别', '男'], ['籍贯', '江苏', '民族', '汉']), '籍贯 | 江苏 | 民族 | 汉'],
  [
    'values that repeat',
    rows(['a', 'b', 'c', 'd'], ['x1', 'open', 'p', 'q'], ['x2', 'open', 'r', 's'], ['x3', 'shut', 't', 'u'], ['x4', 'shut', 'v', 'w']),
    'a: x4 | b: shut | c: v | d: w',
  ],
  ['equal values and free cells', rows(['3', '3', '', '4']), '3 | 3 | – | 4'],
])('a table without a marked header: %s', (_what, table, last) => {
  expect(tableLines(table).at(-1)).toBe(last)
})

test('cells that are merged are said once, under all the columns they cover', () => {
  const table = [
    { cells: ['Region', 'Item', 'Count'], header: true },
    { cells: ['EU', 'EU', '1'], merged: new Set([1]), header: false },
    { cells: ['All', 'All', 'All'], merged: new Set([1, 2]), header: false },
    { cells: ['5', '5', '5'], header: false },
  ]
  expect(tableLines(table).slice(1)).toEqual(['Region / Item: EU | Count: 1', 'All', 'Region: 5 | Item: 5 | Count: 5'])
})

test('rich text: notes, comments and headers stand apart from the text that they stand beside', async () => {
  const rtf = String.raw`{\rtf1\ansi{\header \pard\plain Secret\par}{\footer \pard\plain {\field{\fldrslt 7}}\par}
{\pard Rent{\footnote \pard\plain  Paid\par monthly.} is due{\*\atnauthor Ann}{\*\annotation \pard\plain Check this.}.\par}{\pard{\deleted GONE\plain  kept} end\par}}`
  const { text, end } = await read(rtf, 'a.rtf')
  expect(text).toBe('Header: Secret\n\nRent¹ is due.\n\n¹ Paid monthly.\n\nComment (Ann): Check this.\n\nkept end')
  expect(end.status).toBe('ready')
})
