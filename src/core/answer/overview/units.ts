import type { Table, TableColumn } from '../../../contract/tables.ts'
import { currencyOf, numberOf, quoted } from '../../tables/tables.ts'
import { shownNumber } from './words.ts'

const currencyNames = /^(?:currency|ccy|币种|货币|币别|幣種|貨幣)$/i
const unitNames = /^(?:units?|uom|unit of measure|单位|计量单位|單位)$/i
const quantities = /\b(?:quantity|qty|units|pieces|count|weight|volume|hours|days)\b|数量|件数|用量|重量|体积|人数|天数|小时|工时/i
const moneyNames =
  /\b(?:amount|price|fee|cost|total|salary|wage|pay|rent|revenue|budget|value|sales)s?\b|金额|价|费|款|额|薪|工资|租金|收入|支出|成本|预算/i
/** Numbers that name something: nobody adds them up. */
const idNames = /(?:^|[\s_])(?:id|no|nr|number|year|phone|zip|code)\.?$|编号|序号|号码|年份|电话|邮编|代码|工号/i

export function isNumber(column: TableColumn): boolean {
  return column.type === 'integer' || column.type === 'decimal'
}

/** A column of numbers that may be added up though the question does not name it. */
export function isMeasure(column: TableColumn): boolean {
  return isNumber(column) && !idNames.test(column.original)
}

export function isMoney(column: TableColumn): boolean {
  return isNumber(column) && (column.units.some((unit) => unit !== '' && unit !== '%') || moneyNames.test(column.original))
}

/** Where a table says of what a column's numbers are, row by row. */
export function unitColumn(table: Table, column: TableColumn): string | null {
  if (!isNumber(column)) return null
  if (column.unitIn !== null) return column.unitIn
  if (column.units.some((unit) => unit !== '')) return null
  const at = table.columns.indexOf(column)
  const isQuantity = quantities.test(column.original)
  const beside = table.columns.find((each, index) => {
    if (each.type !== 'text') return false
    const filled = (each.values ?? []).filter((value) => value.trim() !== '')
    const isCurrency =
      currencyNames.test(each.original.trim()) || (filled.length > 0 && filled.every((value) => currencyOf(value) !== null))
    if (isCurrency) return !isQuantity && isMeasure(column)
    return unitNames.test(each.original.trim()) && (index === at + 1 || (isQuantity && index > at))
  })
  return beside?.name ?? null
}

/** The one unit of a column's numbers, by its cells or by its name: "Fee (USD)", 金额（万元）. Empty where nothing says it. */
export function unitOf(column: TableColumn): string {
  const named = column.units.filter((unit) => unit !== '')
  if (named.length === 1) return named[0]!
  if (!isNumber(column)) return ''
  const inBrackets = /[(（[]\s*([^)）\]]{1,12}?)\s*[)）\]]\s*$/.exec(column.original)?.[1]
  // "Share (%)" over 12 is twelve per cent already.
  return inBrackets === undefined || inBrackets === '%' ? '' : (currencyOf(inBrackets) ?? inBrackets)
}

/** By how much a column's name says that its numbers are less than what they stand for: 10,000 for 金额（万元）. */
export function scaleOf(column: TableColumn): number {
  const inBrackets = /[(（[]\s*([^)）\]]{1,16}?)\s*[)）\]]\s*$/.exec(column.original)?.[1] ?? ''
  const han = /^([十百千]?[万亿]|[千百])/.exec(inBrackets)?.[1]
  if (han !== undefined) return numberOf(`1${han}`)?.value ?? 1
  if (/\b(?:millions?|mio|mn)\b/i.test(inBrackets)) return 1e6
  if (/\b(?:billions?|bn)\b/i.test(inBrackets)) return 1e9
  return /\b(?:thousands?|k)\b|^k[$€£¥]|^[$€£¥]k$/i.test(inBrackets) ? 1e3 : 1
}

/** An expression of SQL for the unit of a row's number. */
export function unitSql(table: Table, column: TableColumn): string {
  const beside = unitColumn(table, column)
  return beside === null ? `'${unitOf(column).replaceAll("'", "''")}'` : `trim(coalesce(${quoted(beside)}, ''))`
}

/** True where the numbers of a column, over all these tables, may be of several units: they are never added or compared as one. */
export function mayMix(columns: readonly { table: Table; column: TableColumn }[]): boolean {
  if (columns.some(({ table, column }) => unitColumn(table, column) !== null)) return true
  const units = new Set(columns.map(({ column }) => unitOf(column)).filter((unit) => unit !== ''))
  return units.size > 1
}

/** "$1,200", "12%", "30 kg". */
export function withUnit(value: number, unit: string): string {
  const known = currencyOf(unit) ?? unit
  if (known === '%') return `${shownNumber(Number((value * 100).toPrecision(12)))}%`
  if (known === '') return shownNumber(value)
  const shown = shownMoney(Math.abs(value))
  const sign = value < 0 ? '-' : ''
  if (/^[A-Z]{3}$/.test(known)) return `${sign}${known} ${shown}`
  return currencyOf(known) === null ? `${sign}${shownNumber(Math.abs(value))} ${known}` : `${sign}${known}${shown}`
}

/** 2,000.50: where there are parts of a whole, at least two of them. */
function shownMoney(value: number): string {
  return Number.isInteger(value)
    ? shownNumber(value)
    : value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
}
