import { afterAll, describe, expect, test } from 'vitest'
import { makeDocx, packed, wordParagraph } from '../../../../test/fixtures/make-office.ts'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import { tableLines, type TableRow } from './table-rows.ts'

const files = fileReader()
const { read } = files
afterAll(() => files.close())

const lines = [
  '部门 | 2024年 | 备注',
  '部门 | 上半年 | 下半年 | 备注',
  '部门: 销售部 | 2024年 上半年: 101 | 2024年 下半年: 102 | 备注: 甲',
  '部门: 财务部 | 2024年 上半年: 103 | 2024年 下半年: 104 | 备注: 乙',
]
const values = [
  ['销售部', '101', '102', '甲'],
  ['财务部', '103', '104', '乙'],
]

describe('a header of two rows with merged cells names each value', () => {
  test('in Word', async () => {
    const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`
    const [start, on] = ['<w:vMerge w:val="restart"/>', '<w:vMerge/>']
    const rows = [
      [cell('部门', start), cell('2024年', '<w:gridSpan w:val="2"/>'), cell('备注', start)],
      [cell('', on), cell('上半年'), cell('下半年'), cell('', on)],
      ...values.map((row) => row.map((text) => cell(text))),
    ]
    const body = `<w:tbl>${rows.map((row) => `<w:tr>${row.join('')}</w:tr>`).join('')}</w:tbl>`
    expect((await read(makeDocx({ body }), 'a.docx')).text.split('\n')).toEqual(lines)
  })

  test('in a page, whose own cells are not marked, or only those of its first row', async () => {
    for (const name of ['td', 'th']) {
      const rows = values.map((row) => `<tr>${row.map((text) => `<td>${text}`).join('')}`).join('')
      const page = `<table><tr><${name} rowspan="2">部门</${name}><${name} colspan="2">2024年</${name}><${name} rowspan="2">备注</${name}><tr><td>上半年<td>下半年${rows}</table>`
      expect((await read(`<!doctype html><html><body>${page}`, 'a.html')).text.split('\n')).toEqual(lines)
    }
  })

  test('in an open document', async () => {
    const cell = (text: string, spans = ''): string => `<table:table-cell ${spans}><text:p>${text}</text:p></table:table-cell>`
    const covered = '<table:covered-table-cell/>'
    const down = 'table:number-rows-spanned="2"'
    const rows = [
      [cell('部门', down), cell('2024年', 'table:number-columns-spanned="2"'), covered, cell('备注', down)],
      [covered, cell('上半年'), cell('下半年'), covered],
      ...values.map((row) => row.map((text) => cell(text))),
    ]
    const table = `<table:table>${rows.map((row) => `<table:table-row>${row.join('')}</table:table-row>`).join('')}</table:table>`
    const content = `<office:document-content><office:body><office:text>${table}</office:text></office:body></office:document-content>`
    const { text } = await read(packed({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content }), 'a.odt')
    expect(text.split('\n')).toEqual(lines)
  })

  test('on a slide', async () => {
    const cell = (text: string, merge = ''): string => `<a:tc ${merge}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
    const rows = [
      [cell('部门', 'rowSpan="2"'), cell('2024年', 'gridSpan="2"'), cell('', 'hMerge="1"'), cell('备注', 'rowSpan="2"')],
      [cell('', 'vMerge="1"'), cell('上半年'), cell('下半年'), cell('', 'vMerge="1"')],
      ...values.map((row) => row.map((text) => cell(text))),
    ]
    const table = `<p:graphicFrame><a:tbl>${rows.map((row) => `<a:tr>${row.join('')}</a:tr>`).join('')}</a:tbl></p:graphicFrame>`
    const slide = `<p:sld><p:cSld><p:spTree>${table}</p:spTree></p:cSld></p:sld>`
    const { text } = await read(packed({ 'ppt/presentation.xml': '<p:presentation/>', 'ppt/slides/slide1.xml': slide }), 'a.pptx')
    expect(text.split('\n')).toEqual(lines)
  })
})

const row = (cells: string[], merged: number[] = [], hanging: number[] = [], header = false): TableRow => ({
  cells,
  merged: new Set(merged),
  hanging: new Set(hanging),
  header,
})

test('the title over a table is none of its names; three layers and a free corner are names', () => {
  const titled = [
    row(['销售表', '销售表', '销售表'], [1, 2], [], true),
    row(['产品', '数量', '单价']),
    row(['电缆', '12', '3']),
    row(['插头', '34', '5']),
  ]
  expect(tableLines(titled)).toEqual(['销售表', '产品 | 数量 | 单价', '产品: 电缆 | 数量: 12 | 单价: 3', '产品: 插头 | 数量: 34 | 单价: 5'])
  const layers = [
    row(['地区', '2024', '2024', '2024'], [2, 3]),
    row(['地区', '一季度', '一季度', '二季度'], [2], [0]),
    row(['地区', '收入', '成本', '收入'], [], [0]),
    row(['华东', '1', '2', '3']),
  ]
  layers[0]!.cells.splice(1, 3, '年度', '年度', '年度')
  expect(tableLines(layers).at(-1)).toBe('地区: 华东 | 年度 一季度 收入: 1 | 年度 一季度 成本: 2 | 年度 二季度 收入: 3')
  const corner = [row(['', '甲方', '甲方'], [2]), row(['', '姓名', '电话']), row(['代表', '张三', '139'])]
  expect(tableLines(corner).at(-1)).toBe('代表 | 甲方 姓名: 张三 | 甲方 电话: 139')
})

test('a form with merged cells has no header', () => {
  const form = [
    row(['姓名', '张三', '性别', '男']),
    row(['住址', '北京', '北京', '北京'], [2, 3]),
    row(['电话', '139', '139', '139'], [2, 3]),
  ]
  expect(tableLines(form)).toEqual(['姓名 | 张三 | 性别 | 男', '住址 | 北京', '电话 | 139'])
  const wide = [row(['单位', '某公司', '某公司'], [2]), row(['地址', '南京', '南京'], [2]), row(['法人', '李四', '男'])]
  expect(tableLines(wide)).toEqual(['单位 | 某公司', '地址 | 南京', '法人 | 李四 | 男'])
})

test('what hangs down beside all rows of a table is the name of rows', () => {
  const table = [
    row(['教育', '学校', '专业', '专业'], [3]),
    row(['教育', '南大', '物理', '光学'], [], [0]),
    row(['教育', '清华', '化学', '有机'], [], [0]),
  ]
  expect(tableLines(table).at(-1)).toBe('教育 | 清华 | 化学 | 有机')
})

test('a deleted row and a deleted cell of a table are read as if that were accepted', async () => {
  const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`
  const body = `<w:tbl><w:tr>${cell('a')}${cell('b', '<w:cellDel w:id="3"/>')}${cell('c')}</w:tr><w:tr><w:trPr><w:del w:id="9"/></w:trPr>${cell('gone')}${cell('gone')}</w:tr><w:tr><w:trPr><w:ins w:id="9"/></w:trPr>${cell('d')}${cell('e')}${cell('f')}</w:tr></w:tbl>`
  const { text, end } = await read(makeDocx({ body }), 'a.docx')
  expect(text).toBe('a | – | c\nd | e | f')
  expect(end.reason?.code).toBe('tracked-changes')
})
