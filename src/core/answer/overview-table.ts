import { basename, extname } from 'node:path'
import type { Table, TableColumn } from '../../contract/tables.ts'
import { foldText } from '../search/search.ts'
import { quoted } from '../tables/tables.ts'
import { namePattern, readQuestion, type Reading } from './overview-text.ts'
import { takeConditions, type Condition } from './overview-conditions.ts'

export type Aggregate = 'count' | 'distinct' | 'sum' | 'average' | 'max' | 'min' | 'list'

/** A question that the columns of some tables answer, with every word of it accounted for. */
export interface TablePlan {
  aggregate: Aggregate
  /** What is added up or compared; null where rows are counted or listed. */
  column: TableColumn | null
  group: TableColumn | null
  /** An extreme: rows are asked for, not the value alone. */
  asksForRow: boolean
  tables: Table[]
  sql: string
  /** The rows behind the answer, as table, row and label; null for groups. */
  rowsSql: string
}

const aggregates: [RegExp, Aggregate][] = [
  [
    /\bhow many (?:different|distinct|unique)\b|\bnumber of (?:different|distinct|unique)\b|(?:多少|几)种(?:不同的?)?|有多少不同的?/,
    'distinct',
  ],
  [/\b(?:average|mean|avg)\b|平均(?:值|数)?|均值/, 'average'],
  [/\b(?:total|sum|combined|altogether|in all)(?: (?:number|sum) of)?\b|总(?:额|和|计|共|数|量)?(?:是多少)?|合计|一共多少/, 'sum'],
  [
    /\b(?:highest|largest|biggest|greatest|maximum|max|most expensive|latest|newest|longest|most|last|oldest|top)\b|最(?:高|大|多|贵|晚|新|长|后)/,
    'max',
  ],
  [/\b(?:lowest|smallest|least|minimum|min|cheapest|earliest|shortest|fewest|first|soonest)\b|最(?:低|小|少|便宜|早|短|先|快|近)/, 'min'],
  [/\bhow many\b|\bnumber of\b|\bcount\b|多少|几(?=[个条笔份家人位名种项张台件次])|数量|计数/, 'count'],
  [/\b(?:list|show)\b|列出|列举|显示|哪些/, 'list'],
]
const groupWords = /\b(?:per|by|for each|in each|for every|of each)(?= |$)|每(?:一)?个?|各个?|按(?:照)?/
const fillers =
  /\b(?:rows?|records?|entries|entry|lines?|items?|tables?|sheets?|spreadsheets?|data|there|listed|recorded|number|amount of|names?|one)\b|(?:行|条目|记录|数据|表格|表|清单|名单|台账|统计|各自|数|人)/g

const labelWords = /name|title|id|no\b|number|编号|名|姓名|名称|标题|项目|合同|产品|客户/

/** The tables that answer the question without any word left over; null where that is not certain. */
export function planTable(question: string, tables: readonly Table[]): TablePlan | null {
  return choosePlan(tables.flatMap((table) => planOne(question, table) ?? []))
}

/** One plan of those that single tables allow; null where it is not certain which is meant. */
export function choosePlan(plans: readonly OnePlan[]): TablePlan | null {
  // A table that the question names comes before those that only have such columns.
  const named = plans.filter(({ isNamed }) => isNamed)
  const chosen = named.length > 0 ? named : plans
  const first = chosen[0]
  if (first === undefined || chosen.length > mostTogether) return null
  const key = (plan: OnePlan): string => JSON.stringify([plan.aggregate, plan.column?.name, plan.group?.name, plan.conditions.map(shapeOf)])
  // Sheets of the same make are counted together; anything else leaves a choice that is not ours.
  if (chosen.some((plan) => key(plan) !== key(first))) return null
  return build(chosen)
}

/** Terms of one SELECT over several tables are limited. */
const mostTogether = 40

function shapeOf({ column, operator, values }: Condition): unknown {
  return [column, operator, operator === 'in' ? [...new Set(values.map((value) => foldText(String(value)).trim()))].sort() : values]
}

export interface OnePlan {
  table: Table
  aggregate: Aggregate
  column: TableColumn | null
  group: TableColumn | null
  asksForRow: boolean
  conditions: Condition[]
  isNamed: boolean
}

/** What this table alone can say to the question. */
export function planOne(question: string, table: Table): OnePlan | null {
  const reading = readQuestion(question)
  const asksForRow = reading.has(/\b(?:which|what|who)\b|哪|谁|什么/)
  // Values go first: a row of "Total" or "Most" is no word of adding up.
  const conditions = takeValues(reading, table)
  if (conditions === null) return null
  let aggregate: Aggregate | null = null
  let group: TableColumn | null = null
  for (const [pattern, found] of aggregates) {
    if (reading.take(pattern) === null) continue
    aggregate = found
    break
  }
  if (aggregate === null) return null
  // "How much is the total", "一共有多少".
  if (aggregate !== 'count') reading.take(/\bhow (?:much|many)\b|多少/)
  const named = takeNames(reading, table)
  const grouping = aggregate === 'list' || !reading.has(groupWords) ? null : groupedBy(reading, table)
  if (grouping !== null) group = grouping
  const more = takeConditions(reading, table)
  if (more === null) return null
  conditions.push(...more)
  const isDate = (column: TableColumn): boolean => column.type === 'date'
  const isNumber = (column: TableColumn): boolean => column.type === 'integer' || column.type === 'decimal'
  const mentioned = takeColumns(reading, table, aggregate === 'max' || aggregate === 'min')
  const inConditions = new Set(conditions.map(({ column }) => column))
  const usable = mentioned.filter((column) => column !== group)
  const measured = usable.filter((column) => isNumber(column) || ((aggregate === 'max' || aggregate === 'min') && isDate(column)))
  let column: TableColumn | null = null
  if (aggregate === 'sum' || aggregate === 'average' || aggregate === 'max' || aggregate === 'min') {
    const free = measured.filter((each) => !inConditions.has(each.name))
    const candidates = free.length > 0 ? free : measured
    if (candidates.length !== 1) return aggregate === 'sum' && candidates.length === 0 ? countInstead() : null
    column = candidates[0]!
  } else if (aggregate === 'distinct') {
    const free = usable.filter((each) => !inConditions.has(each.name))
    if (free.length !== 1) return null
    column = free[0]!
  }
  return finish()

  /** "The total number of orders": rows, not a sum. */
  function countInstead(): OnePlan | null {
    aggregate = 'count'
    return /\bnumber of\b|\bhow many\b|多少(?!钱)|几|总数|数量/.test(foldText(question)) ? finish() : null
  }

  function finish(): OnePlan | null {
    const left = reading.copy()
    while (left.take(fillers) !== null);
    if (!left.isUsedUp() || aggregate === null) return null
    const aboutIt = named || conditions!.length > 0 || (group !== null && column !== null)
    // A column's name alone, such as "fee" or "names", may be meant of anything.
    if (!aboutIt) return null
    if (aggregate === 'list' && conditions!.length === 0) return null
    return { table, aggregate, column, group, asksForRow, conditions: conditions!, isNamed: named }
  }
}

/** Values of text columns that the question has; null where one stands in several columns. */
function takeValues(reading: Reading, table: Table): Condition[] | null {
  const found = new Map<string, Condition>()
  const candidates = table.columns
    .flatMap((column) => (column.values ?? []).map((value) => ({ column, value, folded: foldedName(value) })))
    .filter(({ folded }) => (/\p{L}/u.test(folded) || folded.length > 2) && reading.rest.includes(folded.slice(0, 2)))
    .sort((one, other) => other.folded.length - one.folded.length)
  for (const { column, value, folded } of candidates) {
    const pattern = namePattern(value)
    if (pattern === null || !reading.has(pattern)) continue
    // A value that is only the name of its column, or one word of asking, is no choice of rows.
    if (folded === foldedName(column.original) || /^(?:total|count|sum|number|name|yes|no|是|否)$/.test(folded)) continue
    const others = table.columns.filter((other) => other !== column && other.values?.some((each) => foldedName(each) === folded))
    if (others.length > 0) {
      const marked = [column, ...others].filter((each) => namePattern(each.original)?.test(reading.rest) === true)
      if (marked.length !== 1) return null
      if (marked[0] !== column) continue
    }
    reading.take(pattern)
    // All the ways in which the column writes it.
    const same = (column.values ?? []).filter((each) => foldedName(each) === folded)
    const known = found.get(column.name)
    if (known === undefined) found.set(column.name, { column: column.name, operator: 'in', values: same })
    else known.values.push(...same)
  }
  return [...found.values()]
}

function foldedName(text: string): string {
  return (/^[ -~]*$/.test(text) ? text.toLowerCase() : foldText(text)).trim()
}

/** The table's own names: its file, its sheet, its title. */
function takeNames(reading: Reading, table: Table): boolean {
  const names = [table.sheet, table.title ?? '', ...table.documents.flatMap(({ path }) => [basename(path), basename(path, extname(path))])]
  // "branch-3" tells more than "branch": what is longer is taken first.
  const parts = names
    .flatMap((name) => [name, ...foldText(name).split(/[\s_()（）]+/), ...foldText(name).split(/[\s_\-—–.()（）]+|\d{2,}/)])
    .filter((name) => name.length > 1 && !/^sheet\d*$|^\d+$/i.test(name))
  let found = false
  for (const name of [...new Set(parts)].sort((one, other) => other.length - one.length)) {
    const pattern = namePattern(name)
    if (
      pattern !== null &&
      !/^(?:the|and|of|in|for|total|count|list|data|table|sheet|xlsx?|csv)$/.test(name) &&
      reading.take(pattern) !== null
    )
      found = true
  }
  return found
}

function groupedBy(reading: Reading, table: Table): TableColumn | null {
  for (const column of table.columns) {
    const pattern = namePattern(column.original)
    if (pattern === null) continue
    const marked = new RegExp(`(?:${groupWords.source})\\s*${pattern.source.replace(/^\(\?<![^)]*\)/, '')}`)
    if (reading.take(marked) !== null) return column
  }
  return null
}

/** Columns that the question names, in full or by the telling word of a date ("ends" for "End date"). */
function takeColumns(reading: Reading, table: Table, withStems: boolean): TableColumn[] {
  const found: TableColumn[] = []
  const columns = [...table.columns].sort((one, other) => other.original.length - one.original.length)
  for (const column of columns) {
    const bare = foldText(column.original)
      .replace(/[(（[].*?[)）\]]/g, '')
      .trim()
    const patterns = [namePattern(column.original), namePattern(bare)]
    if (withStems && column.type === 'date') {
      const stem = bare.replace(/\b(?:date|day|time|on|at|of)\b|日期|时间|日$/g, '').trim()
      if (/^[a-z]{3,}$/.test(stem)) patterns.push(new RegExp(`\\b${stem.replace(/(?:ed|ing|e|s)$/, '')}(?:e?s|e?d|ing|e)?\\b`))
      else if (/^[\u3400-\u9fff]{2,}$/.test(stem)) patterns.push(new RegExp(stem))
    }
    if (patterns.some((pattern) => pattern !== null && reading.take(pattern) !== null)) found.push(column)
  }
  return found
}

function build(plans: readonly OnePlan[]): TablePlan {
  const { aggregate, column, group, asksForRow } = plans[0]!
  const tables = plans.map(({ table }) => table)
  const conditions = mergedConditions(plans)
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(conditionSql).join(' AND ')}`
  const used = [
    ...new Set([column?.name, group?.name, ...conditions.map((condition) => condition.column)].filter((name) => name !== undefined)),
  ]
  const source =
    tables.length === 1
      ? quoted(tables[0]!.table)
      : `(${tables.map(({ table }) => `SELECT ${['_row', ...used.map(quoted)].join(', ')} FROM ${quoted(table)}`).join(' UNION ALL ')})`
  const measure = column === null ? '*' : quoted(column.name)
  const not = column === null ? '' : `${where === '' ? ' WHERE' : ' AND'} ${measure} IS NOT NULL`
  const value = {
    count: 'count(*)',
    distinct: `count(DISTINCT fold(${measure}))`,
    sum: `sum(${measure})`,
    average: `avg(${measure})`,
    max: `max(${measure})`,
    min: `min(${measure})`,
    list: 'count(*)',
  }[aggregate]
  const sql =
    group === null
      ? `SELECT ${value} AS ${quoted(aggregate === 'list' ? 'count' : aggregate)} FROM ${source}${where}`
      : `SELECT ${quoted(group.name)}, ${value} AS ${quoted(aggregate)} FROM ${source}${where} GROUP BY 1 ORDER BY 2 DESC, 1`
  const isExtreme = aggregate === 'max' || aggregate === 'min'
  const only = isExtreme ? `${not === '' ? '' : not} AND ${measure} = (SELECT ${value} FROM ${source}${where})` : not
  const rowsSql = tables
    .map(
      (table) =>
        `SELECT ${literal(table.table)} AS sheet, _row, ${labelOf(table, column)} AS label FROM ${quoted(table.table)}${where}${only}`,
    )
    .join(' UNION ALL ')
  return { aggregate, column, group, asksForRow, tables, sql, rowsSql }
}

/** Each table may write a value in its own way. */
function mergedConditions(plans: readonly OnePlan[]): Condition[] {
  return plans[0]!.conditions.map((condition) => {
    if (condition.operator !== 'in') return condition
    const values = plans.flatMap(
      (plan) => plan.conditions.find((each) => each.operator === 'in' && each.column === condition.column)?.values ?? [],
    )
    return { ...condition, values: [...new Set(values)] }
  })
}

function conditionSql({ column, operator, values }: Condition): string {
  const name = quoted(column)
  switch (operator) {
    case 'in':
      return values.length === 1 ? `${name} = ${literal(values[0]!)}` : `${name} IN (${values.map((value) => literal(value)).join(', ')})`
    case 'begins':
      return `${name} LIKE ${literal(`${values[0] ?? ''}%`)}`
    default:
      return `${name} ${operator} ${typeof values[0] === 'number' ? values[0] : literal(String(values[0]))}`
  }
}

function literal(value: string | number): string {
  return `'${String(value).replaceAll("'", "''")}'`
}

/** What a row is called when it is told of. */
function labelOf(table: Table, column: TableColumn | null): string {
  const texts = table.columns.filter((each) => each.type === 'text' && each !== column)
  const best =
    texts.find(({ original }) => labelWords.test(foldText(original))) ?? texts[0] ?? table.columns.find((each) => each !== column)
  return best === undefined ? '_row' : quoted(best.name)
}
