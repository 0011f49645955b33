import type { CellReading } from '../../../contract/tables.ts'
import type { Language } from '../../../contract/library.ts'
import type { Aggregate } from './asked.ts'
import type { OtherReading } from './build.ts'
import type { Operator, Reason } from './conditions.ts'
import { shownNumber } from './words.ts'

/** The words in which an answer from tables is told. Numbers and names come in as they are to be shown. */
export interface TableWords {
  rows(count: string): string
  aggregate(name: Aggregate, column: string, value: string): string
  distinct(column: string, count: string): string
  /** Of several units: no one number. */
  byUnit(name: Aggregate, column: string, values: string[]): string
  noUnit(): string
  groups(): string
  result(): string
  /** No row is left to add up or compare. */
  noRows(column: string): string
  /** Heads the first rows of an order. */
  ranked(fromHighest: boolean, column: string, count: string): string
  sheetRow(row: string): string
  part(sheet: string, value: string, rows: string): string
  basis(sheets: string, rows: string, cut: boolean): string
  understood(parts: UnderstoodParts): string
  understoodAs(what: string): string
  /** Told with the answer: the reading that was taken, and what the other one would give. */
  otherReading(reading: OtherReading, other: string | null): string
  cellsRead(column: string, reading: CellReading): string
  unitTaken(column: string, unit: string): string
  severalUnits(sheet: string, column: string): string
  strayCells(column: string, cells: string, example: string): string
  cannot(reason: Reason | { code: 'which-table' }, tables: string[], rows: string): string
  overview(sheet: string, rows: string, columns: string[]): string
}

export interface UnderstoodParts {
  aggregate: Aggregate
  column: string | null
  tables: string[]
  groups: string[]
  extreme: 'max' | 'min' | null
  conditions: { column: string; operator: Operator; values: string[] }[]
}

function plural(count: string, one: string): string {
  return `${count} ${one}${count === '1' ? '' : 's'}`
}

const listShown = 8
function few(names: readonly string[], between: string): string {
  return names.length > listShown ? `${names.slice(0, listShown).join(between)}${between}…` : names.join(between)
}

const nounsEnglish: Record<Aggregate, string> = {
  count: 'number of rows',
  list: 'rows',
  distinct: 'number of different values',
  sum: 'sum',
  average: 'average',
  max: 'highest value',
  min: 'lowest value',
}
const nounsChinese: Record<Aggregate, string> = {
  count: '行数',
  list: '各行',
  distinct: '不同值的个数',
  sum: '合计',
  average: '平均值',
  max: '最大值',
  min: '最小值',
}
const operatorsEnglish: Record<Operator, string> = {
  in: 'is',
  'not in': 'is not',
  same: 'is',
  has: 'has',
  empty: 'is empty',
  '>': 'over',
  '>=': 'at least',
  '<': 'under',
  '<=': 'at most',
  '=': 'is',
}
const operatorsChinese: Record<Operator, string> = {
  in: '是',
  'not in': '不是',
  same: '是',
  has: '含有',
  empty: '为空',
  '>': '大于',
  '>=': '不小于',
  '<': '小于',
  '<=': '不大于',
  '=': '等于',
}

/** "Through 2026-03" holds all of March. */
function bound(value: string): string {
  return value.replace('\uffff', '')
}

const english: TableWords = {
  rows: (count) => `${plural(count, 'row')}.`,
  aggregate: (name, column, value) => `The ${nounsEnglish[name]} of ${column} is ${value}.`,
  distinct: (column, count) => `${column} has ${plural(count, 'different value')}.`,
  byUnit: (name, column, values) =>
    `The ${nounsEnglish[name]} of ${column} is, for each unit apart: ${values.join('; ')}. Different units are not put together.`,
  noUnit: () => '(no unit)',
  groups: () => 'The result:',
  result: () => 'The result:',
  noRows: (column) => `No row that counts has anything in ${column}, so there is no result.`,
  ranked: (fromHighest, column, count) => `The first ${plural(count, 'row')} by ${column}, from the ${fromHighest ? 'highest' : 'lowest'}:`,
  sheetRow: (row) => `row ${row}`,
  part: (sheet, value, rows) => `${sheet}: ${value} (${plural(rows, 'row')})`,
  basis: (sheets, rows, cut) =>
    `Counted in ${plural(sheets, 'sheet')}, ${plural(rows, 'row')}${cut ? ' (some rows were left out: too many)' : ''}.`,
  understood: ({ aggregate, column, tables, groups, extreme, conditions }) =>
    [
      `the ${nounsEnglish[aggregate]}${column === null ? '' : ` of ${column}`} in ${few(tables, ', ')}`,
      ...(conditions.length === 0
        ? []
        : [
            `where ${conditions.map((each) => `${each.column} ${operatorsEnglish[each.operator]} ${few(each.values.map(bound), ' or ')}`.trim()).join(' and ')}`,
          ]),
      ...(groups.length === 0 ? [] : [`for each ${groups.join(' and ')}`]),
      ...(extreme === null ? [] : [extreme === 'max' ? 'the most of them' : 'the least of them']),
    ].join(', '),
  understoodAs: (what) => `Understood as: ${what}.`,
  otherReading(reading, other) {
    const [taken, instead] =
      reading.of === 'order'
        ? [`Dates such as ${reading.example} can be read in two ways; here they are month/day/year.`, 'As day/month/year']
        : reading.of === 'mark'
          ? [
              `Numbers such as ${reading.example} can be read in two ways; here the point is a decimal point.`,
              'With points between thousands',
            ]
          : [
              `There are ${reading.count} columns named ${reading.name}; this is number ${reading.taken} of them from the left.`,
              `With number ${reading.number}`,
            ]
    return `${taken} ${instead} the answer ${other === null ? 'is the same' : `would be: ${other}`}.`
  },
  cellsRead(column, { as, example }) {
    switch (as) {
      case 'month-first':
        return `${column}: dates such as ${example} were read as month/day/year; the sheet does not say.`
      case 'decimal-point':
        return `${column}: in numbers such as ${example} the point was read as a decimal point; the sheet does not say.`
      case 'decimal-comma':
        return `${column}: numbers such as ${example} have a decimal comma.`
      case 'serial':
        return `${column}: numbers such as ${example} were read as days since 1900, as spreadsheets count them.`
    }
  },
  unitTaken: (column, unit) => `${column}: cells without a unit were taken as ${unit}.`,
  strayCells: (column, cells, example) =>
    `${column}: ${plural(cells, 'cell')} ${cells === '1' ? 'is no number' : 'are no numbers'}, such as “${example}”; SQL counts text as 0.`,
  severalUnits: (sheet, column) => `${column} in ${sheet} holds amounts of several units: check that the query keeps them apart.`,
  cannot(reason, tables, rows) {
    const where = few(tables, ', ')
    switch (reason.code) {
      case 'words':
        return `This could not be counted, because “${reason.words.join('”, “')}” is no column and stands in no cell of ${where} (${plural(rows, 'row')} looked at).${
          reason.columns === undefined || reason.columns.length === 0
            ? ''
            : ` The columns${tables.length > 1 ? ' of the largest' : ''} are ${few(reason.columns, ', ')}.`
        }`
      case 'which-column':
        return reason.columns.length === 0
          ? `This could not be counted, because it is not said which column of ${where} is meant.`
          : `This could not be counted, because it is not said which column of ${where} is meant: ${few(reason.columns, ', ')}.`
      case 'no-numbers':
        return `This could not be added up, because ${where} has no column of numbers.`
      case 'not-numbers': {
        const { original, stray, values } = reason.column
        const what = stray?.of === 'date' ? 'date' : 'number'
        const example = stray?.example || values?.[0] || ''
        const such = example === '' ? '' : `, such as “${example}”`
        if (stray === null) return `This could not be counted, because ${original} in ${where} holds text${such}.`
        if (stray.cells === 0)
          return `This could not be counted, because ${original} in ${where} has ${what}s written in ways that contradict each other.`
        return `This could not be counted, because ${plural(shownNumber(stray.cells), 'cell')} of ${original} in ${where} ${stray.cells === 1 ? `is no ${what}` : `are no ${what}s`}${such}.`
      }
      case 'value-in-several':
        return `This could not be counted, because “${reason.value}” stands in several columns of ${where}: ${few(reason.columns, ', ')}. Name the column.`
      case 'either-or':
        return `This could not be counted, because conditions on different columns are joined by “or”. Ask for one at a time.`
      case 'several-asks':
        return `This could not be counted, because it asks for several things at once. Ask for one at a time.`
      case 'mixed-units':
        return `This could not be counted, because ${reason.column} in ${where} holds amounts in ${few(
          reason.units.map((unit) => unit || '(no unit)'),
          ', ',
        )}. Name the currency.`
      case 'ambiguous-date':
        return `This could not be counted, because ${reason.words} can be read in two ways. Write the date as 2026-03-04.`
      case 'which-table':
        return `This could not be counted, because it may be meant of ${few(tables, ', ')}. Name one of them.`
    }
  },
  overview: (sheet, rows, columns) => `${sheet}: ${plural(rows, 'row')}, with the columns ${columns.join(', ')}.`,
}

const chinese: TableWords = {
  rows: (count) => `共 ${count} 行。`,
  aggregate: (name, column, value) => `${column}的${nounsChinese[name]}是 ${value}。`,
  distinct: (column, count) => `${column}有 ${count} 种不同的值。`,
  byUnit: (name, column, values) => `${column}的${nounsChinese[name]}按单位分别是：${values.join('；')}。单位不同，不能相加。`,
  noUnit: () => '（无单位）',
  groups: () => '结果：',
  result: () => '结果：',
  noRows: (column) => `符合条件的行里${column}没有内容，因此没有结果。`,
  ranked: (fromHighest, column, count) => `按${column}从${fromHighest ? '大到小' : '小到大'}的前 ${count} 行：`,
  sheetRow: (row) => `第 ${row} 行`,
  part: (sheet, value, rows) => `${sheet}：${value}（${rows} 行）`,
  basis: (sheets, rows, cut) => `在 ${sheets} 个表、${rows} 行中统计${cut ? '（行数过多，有些没有载入）' : ''}。`,
  understood: ({ aggregate, column, tables, groups, extreme, conditions }) =>
    [
      `${few(tables, '、')}中${column ?? ''}${column === null ? '' : '的'}${nounsChinese[aggregate]}`,
      ...(conditions.length === 0
        ? []
        : [
            `条件是${conditions.map((each) => `${each.column}${operatorsChinese[each.operator]}${few(each.values.map(bound), '或')}`).join('，且')}`,
          ]),
      ...(groups.length === 0 ? [] : [`按${groups.join('和')}分组`]),
      ...(extreme === null ? [] : [extreme === 'max' ? '取其最多者' : '取其最少者']),
    ].join('，'),
  understoodAs: (what) => `按此理解：${what}。`,
  otherReading(reading, other) {
    const [taken, instead] =
      reading.of === 'order'
        ? [`像 ${reading.example} 这样的日期有两种读法，这里按“月/日/年”读。`, '按“日/月/年”读']
        : reading.of === 'mark'
          ? [`像 ${reading.example} 这样的数字有两种读法，这里把点读作小数点。`, '若点是千位分隔符']
          : [`有 ${reading.count} 列都叫“${reading.name}”，这里用的是从左数第 ${reading.taken} 个。`, `若用第 ${reading.number} 个`]
    return `${taken}${instead}，结果${other === null ? '相同' : `是：${other}`}。`
  },
  cellsRead(column, { as, example }) {
    switch (as) {
      case 'month-first':
        return `${column}：像 ${example} 这样的日期按“月/日/年”读，表里没有说明。`
      case 'decimal-point':
        return `${column}：像 ${example} 这样的数字，点读作小数点，表里没有说明。`
      case 'decimal-comma':
        return `${column}：像 ${example} 这样的数字以逗号作小数点。`
      case 'serial':
        return `${column}：像 ${example} 这样的数字按电子表格的日期序号读。`
    }
  },
  unitTaken: (column, unit) => `${column}：没有写单位的按 ${unit} 计。`,
  strayCells: (column, cells, example) => `${column}：有 ${cells} 个单元格不是数字，例如“${example}”；SQL 把文字当作 0。`,
  severalUnits: (sheet, column) => `${sheet} 的${column}有多种单位，请核对查询是否把它们分开。`,
  cannot(reason, tables, rows) {
    const where = few(tables, '、')
    switch (reason.code) {
      case 'words':
        return `无法统计：“${reason.words.join('”“')}”既不是 ${where} 的列名，也不在任何单元格里（查了 ${rows} 行）。${
          reason.columns === undefined || reason.columns.length === 0
            ? ''
            : `${tables.length > 1 ? '最大的表' : ''}有这些列：${few(reason.columns, '、')}。`
        }`
      case 'which-column':
        return reason.columns.length === 0
          ? `无法统计：没有说明指的是 ${where} 的哪一列。`
          : `无法统计：没有说明指的是 ${where} 的哪一列：${few(reason.columns, '、')}。`
      case 'no-numbers':
        return `无法合计：${where} 没有数字列。`
      case 'not-numbers': {
        const { original, stray, values } = reason.column
        const what = stray?.of === 'date' ? '日期' : '数字'
        const example = stray?.example || values?.[0] || ''
        const such = example === '' ? '' : `，例如“${example}”`
        if (stray === null) return `无法统计：${where} 的${original}是文字${such}。`
        if (stray.cells === 0) return `无法统计：${where} 的${original}里${what}的写法前后矛盾。`
        return `无法统计：${where} 的${original}有 ${shownNumber(stray.cells)} 个单元格不是${what}${such}。`
      }
      case 'value-in-several':
        return `无法统计：“${reason.value}”在 ${where} 的几列里都有：${few(reason.columns, '、')}。请说明是哪一列。`
      case 'either-or':
        return '无法统计：不同列的条件用“或”连在一起。请一次问一个。'
      case 'several-asks':
        return '无法统计：一次问了几件事。请一次问一件。'
      case 'mixed-units':
        return `无法统计：${where} 的${reason.column}有几种单位（${few(
          reason.units.map((unit) => unit || '无单位'),
          '、',
        )}）。请说明币种。`
      case 'ambiguous-date':
        return `无法统计：${reason.words} 有两种读法。请写成 2026-03-04 这样的日期。`
      case 'which-table':
        return `无法统计：可能指 ${few(tables, '、')}。请说明是哪一个。`
    }
  },
  overview: (sheet, rows, columns) => `${sheet}：${rows} 行，列有${columns.join('、')}。`,
}

export function tableWords(language: Language): TableWords {
  return language === 'zh' ? chinese : english
}
