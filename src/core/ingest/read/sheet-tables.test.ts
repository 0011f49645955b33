import XLSX from '@e965/xlsx'
import { afterAll, describe, expect, test } from 'vitest'
import { fileReader } from '../../../../test/fixtures/read-file.ts'
import type { SheetRow } from './sheet-rows.ts'
import { tablesOf } from './sheet-tables.ts'

const files = fileReader()
afterAll(() => files.close())

type Cell = string | number | null

/** Rows as a reader gives them: what is empty is not there. */
function rowsOf(sheet: Cell[][]): SheetRow[] {
  return sheet
    .map((cells, index) => ({ number: index + 1, cells: cells.map((cell) => (cell === null ? '' : `${cell}`)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

async function tables(sheet: Cell[][], isStreamed = false): Promise<string[][]> {
  const rows = isStreamed
    ? [...rowsOf(sheet), ...Array.from({ length: 6000 }, (_none, at) => ({ number: 1000 + at, cells: ['x', '1'] }))]
    : rowsOf(sheet)
  const all: string[][] = []
  for await (const table of tablesOf({ name: 'S', rows })) {
    const lines: string[] = []
    for await (const { number, cells } of table.rows) if (number < 1000) lines.push(`${number} ${cells.join('|')}`)
    all.push(lines)
  }
  return all
}

const people: Cell[][] = [
  ['姓名', '年龄'],
  ['甲', 30],
  ['乙', 40],
]
const goods: Cell[][] = [
  ['物资', '单价', '数量'],
  ['沙子', 50, 7],
  ['砖', 1, 1000],
]
const cities: Cell[][] = [
  ['城市', '人口'],
  ['南京', 900],
  ['苏州', 1200],
]

/** Rows beside each other with so many empty columns between. */
function beside(left: Cell[][], right: Cell[][], gap: number): Cell[][] {
  const width = Math.max(...left.map((row) => row.length))
  return Array.from({ length: Math.max(left.length, right.length) }, (_none, at) => {
    const row = left[at] ?? []
    const padding: null[] = Array.from({ length: width - row.length + gap }, () => null)
    return [...row, ...padding, ...(right[at] ?? [])]
  })
}

/** Of each table its first row and how many it has. */
const firsts = (parts: string[][]): [string, number][] => parts.map((lines) => [lines[0] ?? '', lines.length])

describe('tables below each other', () => {
  test.each<[string, Cell[][], [string, number][]]>([
    [
      'apart by an empty row',
      [...people, [], ...goods],
      [
        ['1 姓名|年龄', 3],
        ['5 物资|单价|数量', 3],
      ],
    ],
    [
      'with titles',
      [['表一'], ...people, [], ['表二'], ...goods],
      [
        ['1 表一', 4],
        ['6 表二', 4],
      ],
    ],
    [
      'with a title that stands apart',
      [['表一'], ...people, [], ['表二'], [], ...goods],
      [
        ['1 表一', 4],
        ['6 表二', 4],
      ],
    ],
    [
      'with a title and no empty row',
      [...people, ['表二 物资'], ...goods],
      [
        ['1 姓名|年龄', 3],
        ['4 表二 物资', 4],
      ],
    ],
    [
      'after a sum',
      [...people, ['合计', 70], ...goods],
      [
        ['1 姓名|年龄', 4],
        ['5 物资|单价|数量', 3],
      ],
    ],
    [
      'of the same columns under another title',
      [['一月'], ...people, [], ['二月'], ...people],
      [
        ['1 一月', 4],
        ['6 二月', 4],
      ],
    ],
    [
      'of the same columns in another order',
      [...goods, [], ['物资', '数量', '单价'], ['水泥', 5, 300]],
      [
        ['1 物资|单价|数量', 3],
        ['5 物资|数量|单价', 2],
      ],
    ],
    [
      'three of them',
      [...people, [], ...goods, [], ...cities],
      [
        ['1 姓名|年龄', 3],
        ['5 物资|单价|数量', 3],
        ['9 城市|人口', 3],
      ],
    ],
    [
      'of words only',
      [...people, [], ['部门', '负责人', '电话'], ['销售部', '张三', '内线'], ['技术部', '李四', '内线']],
      [
        ['1 姓名|年龄', 3],
        ['5 部门|负责人|电话', 3],
      ],
    ],
    [
      'with a header of two rows',
      [...people, [], ['地区', '上半年', '上半年'], ['地区', '数量', '金额'], ['华东', 1, 2], ['华北', 3, 4]],
      [
        ['1 姓名|年龄', 3],
        ['5 地区|上半年|上半年', 4],
      ],
    ],
    [
      'in English',
      [['Name', 'Age'], ['Ann', 30], ['Bob', 40], [], ['Item', 'Price', 'Stock'], ['Cable', 5, 7], ['Plug', 6, 8]],
      [
        ['1 Name|Age', 3],
        ['5 Item|Price|Stock', 3],
      ],
    ],
    [
      'after a form',
      [['客户', '张三'], ['电话', '138'], ['地址', '南京'], [], ...goods],
      [
        ['1 客户|张三', 3],
        ['5 物资|单价|数量', 3],
      ],
    ],
  ])('%s', async (_how, sheet, expected) => {
    expect(firsts(await tables(sheet))).toEqual(expected)
    expect(firsts(await tables(sheet, true)).slice(0, expected.length - 1)).toEqual(expected.slice(0, -1))
  })

  test.each<[string, Cell[][]]>([
    ['a title, notes and an empty row above the header', [['销售统计表'], ['单位：万元'], [], ...people, ['合计', 70]]],
    ['groups of rows with empty ones between', [...people, [], ['丙', 50], ['丁', 60], [], ['戊', 70]]],
    [
      'groups with names of their own',
      [['姓名', '部门', '工资'], ['华东'], ['甲', '销售', 1], ['乙', '销售', 2], ['华北'], ['丙', '销售', 3], ['丁', '技术', 4]],
    ],
    [
      'a row of words among numbers',
      [
        ['姓名', '奖金', '部门'],
        ['甲', 100, '销售'],
        ['乙', 200, '技术'],
        [],
        ['丙', '待补', '销售'],
        ['丁', 300, '销售'],
        ['戊', 400, '技术'],
      ],
    ],
    ['the header once more on each page', [...people, [], ...people]],
    ['title and header once more on each page', [['名单'], ...people, [], ['名单'], ...people]],
    ['signatures below', [...people, [], ['制表：李四', '审核：王五'], ['日期：2024-01-01', '第 1 页']]],
    ['a note below', [...people, [], ['注：年龄按周岁'], ['按 2024 年']]],
    ['cells of words and numbers in turn', [['名目', '值'], ['比例', '12%'], ['隐值'], ['条件', '及格'], ['单位', '12件'], ['浮点', 0.3]]],
    [
      'a header of two rows',
      [
        ['地区', '一季度', '一季度'],
        ['地区', '收入', '成本'],
        ['华东', 1, 2],
        ['华北', 3, 4],
      ],
    ],
    ['nothing but words', [['姓名', '城市'], ['甲', '南京'], [], ['乙', '苏州'], ['丙', '无锡']]],
  ])('are not seen in %s', async (_what, sheet) => {
    expect(await tables(sheet)).toHaveLength(1)
  })
})

describe('tables beside each other', () => {
  test.each<[string, Cell[][], string[]]>([
    ['far apart', beside(people, cities, 2), ['1 姓名|年龄', '1 城市|人口']],
    ['of other lengths', beside(people, [...cities, ['无锡', 700]], 1), ['1 姓名|年龄', '1 城市|人口']],
    ['with titles', beside([['表一'], ...people], [['表二'], ...cities], 1), ['1 表一', '1 表二']],
    ['beginning in other rows', beside(people, [[], ...cities], 1), ['1 姓名|年龄', '2 城市|人口']],
    [
      'of the same columns',
      beside(
        people,
        [
          ['姓名', '年龄'],
          ['丙', 50],
          ['丁', 60],
        ],
        1,
      ),
      ['1 姓名|年龄', '1 姓名|年龄'],
    ],
    ['and below each other', beside([...people, [], ...goods], cities, 2), ['1 姓名|年龄', '5 物资|单价|数量', '1 城市|人口']],
    [
      'below a table of both widths',
      [['项目', '一', '二', '三', '四', '五'], ['甲', 1, 2, 3, 4, 5], ['乙', 1, 2, 3, 4, 5], [], ...beside(people, cities, 2)],
      ['1 项目|一|二|三|四|五', '5 姓名|年龄', '5 城市|人口'],
    ],
  ])('%s', async (_how, sheet, expected) => {
    expect((await tables(sheet)).map((lines) => lines[0])).toEqual(expected)
  })

  test.each<[string, Cell[][]]>([
    [
      'an empty column before numbers',
      beside(
        people,
        [
          ['收入', '成本'],
          [1, 2],
          [3, 4],
        ],
        1,
      ),
    ],
    [
      'an empty column before words of the same rows',
      beside(
        people,
        [
          ['城市', '部门'],
          ['南京', '销售'],
          ['苏州', '技术'],
        ],
        1,
      ),
    ],
    [
      'remarks in a few rows',
      beside(
        [...people, ['丙', 50]],
        [
          ['备注', '来源'],
          [null, null],
          ['新人', '网上'],
        ],
        1,
      ),
    ],
    ['one column of its own', beside(people, [['备注'], ['新人'], ['老人']], 2)],
  ])('are not seen in %s', async (_what, sheet) => {
    expect(await tables(sheet)).toHaveLength(1)
  })
})

test.each(['xlsx', 'biff8', 'ods', 'csv'] as const)('each table of a %s is read under its own header', async (bookType) => {
  const book = XLSX.utils.book_new()
  const sheet = XLSX.utils.aoa_to_sheet([['表一 仓库甲'], ['物资', '数量', '单价'], ['水泥', 5, 300], [], ['表二 仓库乙'], ...goods])
  XLSX.utils.book_append_sheet(book, sheet, '盘点')
  const ending = bookType === 'biff8' ? 'xls' : bookType
  const { sections } = await files.read(XLSX.write(book, { type: 'buffer', bookType }) as Buffer, `two.${ending}`)
  const name = bookType === 'csv' ? [] : ['盘点']
  expect(sections.map(({ text, heading }) => [text, heading])).toEqual([
    ['表一 仓库甲', name],
    ['物资 · 数量 · 单价\n水泥 · 5 · 300', [...name, '表一 仓库甲']],
    ['表二 仓库乙', name],
    ['物资 · 单价 · 数量\n沙子 · 50 · 7\n砖 · 1 · 1000', [...name, '表二 仓库乙']],
  ])
  expect(sections.at(-1)?.place).toMatchObject({ kind: 'sheet', from: 7, to: 8 })
})
