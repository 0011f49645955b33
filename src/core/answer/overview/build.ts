import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { quoted } from '../../tables/tables.ts'
import type { Aggregate } from './asked.ts'
import { conditionSql, literal, type Condition } from './conditions.ts'
import { isUnique } from './subjects.ts'
import type { OnePlan } from './table.ts'
import { mayMix, unitOf, unitSql } from './units.ts'

export interface TablePlan {
  aggregate: Aggregate
  column: TableColumn | null
  groups: TableColumn[]
  extreme: 'max' | 'min' | null
  /** How many of the highest or the lowest rows; null: no such. */
  top: number | null
  conditions: Condition[]
  assumed: boolean
  isLoose: boolean
  tables: Table[]
  /** What the numbers are of, where all are of one thing; null: the first column of the result says it, row by row. */
  unit: string | null
  /** Its columns: the unit where `unit` is null, the groups, the value. */
  sql: string
  /** The rows behind the answer, as table, row and label; null for groups. */
  rowsSql: string | null
  /** What each sheet adds to the answer, as table, rows and value; null where there is one sheet. */
  partsSql: string | null
  /** The other ways in which columns of the question can be read. */
  others: { plans: OnePlan[]; told: OtherReading }[]
}

/** `order`: days and months the other way; `mark`: the decimal mark; `twin`: another column of the same name; they are numbered from 1, from the left. */
export type OtherReading =
  | { of: 'order'; example: string }
  | { of: 'mark'; example: string }
  | { of: 'twin'; name: string; taken: number; number: number; count: number }

const labelWords = /name|title|id|no\b|number|编号|名|姓名|名称|标题|项目|合同|产品|客户/

const ownWords = /号$|\bsku\b|\bcode\b/

export function buildPlan(plans: readonly OnePlan[]): TablePlan {
  const { aggregate, column, groups, extreme, top } = plans[0]!
  const tables = plans.map(({ table }) => table)
  const conditions = mergedConditions(plans)
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(conditionSql).join(' AND ')}`
  const measured = column === null ? [] : tables.map((table) => ({ table, column: columnOf(table, column) }))
  const isMixed = aggregate !== 'distinct' && mayMix(measured)
  const names = [column?.name, ...groups.map(({ name }) => name), ...conditions.map((condition) => condition.column)]
  const used = [...new Set(names.filter((name) => name !== undefined))]
  const selectOf = (table: Table): string => {
    const unit = isMixed && column !== null ? [`${unitSql(table, columnOf(table, column))} AS _unit`] : []
    return `SELECT ${[`${literal(table.table)} AS _sheet`, '_row', ...unit, ...used.map(quoted)].join(', ')} FROM ${quoted(table.table)}`
  }
  const isSimple = tables.length === 1 && !isMixed
  const source = isSimple ? quoted(tables[0]!.table) : `(${tables.map(selectOf).join(' UNION ALL ')})`
  const value = valueSql(aggregate, column)
  const filled = column === null || aggregate === 'distinct' ? '' : `${where === '' ? ' WHERE' : ' AND'} ${quoted(column.name)} IS NOT NULL`
  const keys = [...(isMixed ? ['_unit'] : []), ...groups.map(({ name }) => quoted(name))]
  const alias = quoted(aggregate === 'list' ? 'count' : aggregate)
  const order = extreme === null ? '' : ` ORDER BY ${alias} ${extreme === 'max' ? 'DESC' : 'ASC'}`
  const sorted =
    groups.length > 0 && extreme === null
      ? ` ORDER BY ${[...(isMixed ? ['1'] : []), `${alias} DESC`, quoted(groups[0]!.name)].join(', ')}`
      : order
  const sql =
    keys.length === 0
      ? `SELECT ${value} AS ${alias} FROM ${source}${where}`
      : `SELECT ${[...keys, `${value} AS ${alias}`].join(', ')} FROM ${source}${where}${filled} GROUP BY ${keys.map((_key, index) => index + 1).join(', ')}${sorted || (isMixed ? ' ORDER BY 1' : '')}`
  const isExtreme = aggregate === 'max' || aggregate === 'min'
  const descending = aggregate === 'max' ? 'DESC' : 'ASC'
  const ranked =
    top !== null && column !== null
      ? `${filled} AND ${quoted(column.name)} ${aggregate === 'max' ? '>=' : '<='} (SELECT ${aggregate === 'max' ? 'min' : 'max'}(value) FROM (SELECT ${quoted(column.name)} AS value FROM ${source}${where}${filled} ORDER BY 1 ${descending} LIMIT ${top}))`
      : null
  const only =
    ranked ?? (isExtreme && column !== null ? `${filled} AND ${quoted(column.name)} = (SELECT ${value} FROM ${source}${where})` : filled)
  const rowsSql = tables
    .map((table, index) => {
      const label = labelOf(table, column, plans[index]?.label ?? null)
      const shown = ranked === null || column === null ? '' : `, ${quoted(column.name)} AS value`
      return `SELECT ${literal(table.table)} AS sheet, _row, ${label} AS label${shown} FROM ${quoted(table.table)}${where}${only}`
    })
    .join(' UNION ALL ')
    .concat(ranked === null ? '' : ` ORDER BY 4 ${descending}, 1, 2`)
  const hasParts = tables.length > 1 && keys.length === 0 && (aggregate === 'count' || aggregate === 'list' || aggregate === 'sum')
  const partsSql = hasParts ? `SELECT _sheet, count(*) AS rows, ${value} AS ${alias} FROM ${source}${where} GROUP BY 1` : null
  const units = [...new Set(measured.map((each) => unitOf(each.column)).filter((unit) => unit !== ''))]
  return {
    ...{ aggregate, column, groups, extreme, top, conditions, tables, partsSql },
    sql: ranked === null ? sql : rowsSql,
    assumed: plans.some(({ assumed }) => assumed),
    isLoose: plans.some(({ isLoose }) => isLoose),
    unit: isMixed ? null : (units[0] ?? ''),
    rowsSql: keys.length > 0 ? null : rowsSql,
    others: otherReadings(plans),
  }
}

function columnOf(table: Table, column: TableColumn): TableColumn {
  return table.columns.find(({ name }) => name === column.name) ?? column
}

function valueSql(aggregate: Aggregate, column: TableColumn | null): string {
  const measure = column === null ? '*' : quoted(column.name)
  switch (aggregate) {
    case 'count':
    case 'list':
      return 'count(*)'
    case 'distinct':
      return `count(DISTINCT fold(${measure}))`
    case 'sum':
      return `sum(${measure})`
    case 'average':
      return `avg(${measure})`
    case 'max':
    case 'min':
      return `${aggregate}(${measure})`
  }
}

/** Each table may write a value in its own way. */
function mergedConditions(plans: readonly OnePlan[]): Condition[] {
  return plans[0]!.conditions.map((condition, index) => {
    if (condition.operator !== 'in' && condition.operator !== 'not in' && condition.operator !== 'same') return condition
    const all = plans.flatMap((plan) => plan.conditions[index] ?? [])
    const values = all.flatMap((each) => each.values)
    // Where one table's values are not all known, those of all are compared in their folded form.
    return all.some(({ operator }) => operator === 'same')
      ? { ...condition, operator: 'same' as const, values: [...new Set(values.map((value) => foldText(String(value)).trim()))] }
      : { ...condition, values: [...new Set(values)] }
  })
}

/** What a row is called when it is told of. */
function labelOf(table: Table, column: TableColumn | null, named: TableColumn | null): string {
  if (named !== null && named !== column) return quoted(named.name)
  const texts = table.columns.filter((each) => each.type === 'text' && each !== column)
  const telling = texts.filter(({ original }) => labelWords.test(foldText(original)))
  const best =
    telling.find((each) => isUnique(each, table)) ??
    texts.find((each) => isUnique(each, table) && ownWords.test(foldText(each.original))) ??
    telling[0] ??
    texts[0] ??
    table.columns.find((each) => each !== column)
  return best === undefined ? '_row' : quoted(best.name)
}

/** The same plans with a column in its other reading, or with another column of the same name: one change in each. */
function otherReadings(plans: readonly OnePlan[]): TablePlan['others'] {
  const first = plans[0]!
  const uses = (name: string): boolean =>
    first.column?.name === name ||
    first.groups.some((group) => group.name === name) ||
    first.conditions.some(({ column }) => column === name)
  const others: TablePlan['others'] = []
  for (const column of first.table.columns) {
    if (!uses(column.name)) continue
    if (column.other !== null && plans.every(({ table }) => columnOf(table, column).other === column.other)) {
      const { other, reading } = column
      const example = reading?.example ?? ''
      others.push({
        plans: plans.map((plan) => swapped(plan, column, { ...column, name: other, other: null })),
        told: column.type === 'date' ? { of: 'order', example } : { of: 'mark', example },
      })
    }
    const twins = first.table.columns.filter(({ original }) => original !== '' && foldText(original) === foldText(column.original))
    for (const [index, twin] of twins.entries()) {
      if (twin === column || plans.some(({ table }) => table.columns.every(({ name }) => name !== twin.name))) continue
      others.push({
        plans: plans.map((plan) => swapped(plan, column, twin)),
        told: { of: 'twin', name: column.original, taken: twins.indexOf(column) + 1, number: index + 1, count: twins.length },
      })
    }
  }
  return others
}

function swapped(plan: OnePlan, from: TableColumn, to: TableColumn): OnePlan {
  const swap = (column: TableColumn): TableColumn => (column.name === from.name ? to : column)
  return {
    ...plan,
    table: { ...plan.table, columns: plan.table.columns.map(swap) },
    column: plan.column === null ? null : swap(plan.column),
    groups: plan.groups.map(swap),
    conditions: plan.conditions.map((condition) => (condition.column === from.name ? { ...condition, column: to.name } : condition)),
  }
}
