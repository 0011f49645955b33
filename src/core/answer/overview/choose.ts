import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import type { Aggregate, Asked } from './asked.ts'
import type { Reason } from './conditions.ts'
import { isUnique, personColumn } from './subjects.ts'
import type { OnePlan } from './table.ts'
import { isMeasure, isMoney } from './units.ts'

export interface Choice {
  table: Table
  /** Columns that are named and no groups. */
  usable: TableColumn[]
  /** Those of them that can be added up or compared. */
  measured: TableColumn[]
  /** Those of them that no condition is about. */
  free: TableColumn[]
  groups: TableColumn[]
  /** It asks which row or who. */
  asksRow: boolean
  /** The column whose different values are counted; null: rows are. */
  counted: TableColumn | null
  /** Whom "who" asks for; null where nobody is asked for. */
  who: TableColumn | null
  /** Rows happen on a day: the latest of them needs no name of a column. */
  isEvent: boolean
}
export type Chosen = Pick<OnePlan, 'aggregate' | 'column' | 'groups' | 'extreme' | 'assumed'>

/** What the words of asking and the columns that are named come to. */
export function choose(asked: Asked, choice: Choice): Chosen | Reason {
  const { usable, groups, free, asksRow } = choice
  const plain = { groups, extreme: null, assumed: false, column: null }
  if (asked.max && asked.min) return { code: 'several-asks' }
  if (asked.distinct) {
    const named = usable.filter((each) => !free.includes(each) || free.length === usable.length)
    const column = named.length === 0 && choice.counted !== null ? [choice.counted] : named
    return column.length === 1 && groups.length === 0
      ? { ...plain, aggregate: 'distinct', column: column[0]! }
      : { code: 'which-column', columns: choice.table.columns.map(({ original }) => original) }
  }
  const extreme = asked.max ? 'max' : asked.min ? 'min' : null
  if (asked.average && asked.sum !== null && asked.sum !== 'perhaps') return { code: 'several-asks' }
  const inner: Aggregate | null = asked.average
    ? 'average'
    : summing(asked, choice) || asked.count === 'much'
      ? 'sum'
      : asked.count !== null
        ? 'count'
        : null
  if (extreme !== null) return chooseExtreme(extreme, inner ?? (asked.most && free.length === 0 ? 'count' : null), asked.of, choice)
  if (inner === 'sum' || inner === 'average') return measure(inner, asked.of, choice)
  if (inner === 'count') {
    if (choice.counted !== null && !groups.includes(choice.counted) && groups.length === 0)
      return { ...plain, aggregate: 'distinct', column: choice.counted, assumed: true }
    // 多少 beside a column of numbers asks for what stands in it; more rows than one are added up, and it is said.
    if (free.length > 0 && groups.length === 0) return { ...measured('sum', choice), assumed: true }
    return { ...plain, aggregate: 'count' }
  }
  if (groups.length > 0)
    return free.length === 1 ? { ...measured('sum', choice), assumed: true } : { ...plain, aggregate: 'count', assumed: true }
  return asked.list || asksRow ? { ...plain, aggregate: 'list' } : { code: 'which-column', columns: [] }

  function measured(aggregate: Aggregate, given: Choice): Chosen {
    return { ...plain, aggregate, column: given.free[0]! }
  }
}

/** Whether words of adding up mean a sum of numbers, or only how many rows there are in all. */
function summing({ sum, count }: Asked, { table, free }: Choice): boolean {
  if (sum === null) return false
  if (sum === 'certain' || count === null || count === 'much' || free.length > 0) return true
  if (count === 'things') return false
  return sum === 'likely' && table.columns.some(isMeasure)
}

function measure(aggregate: 'sum' | 'average', of: Asked['of'], { table, usable, measured, free, groups }: Choice): Chosen | Reason {
  const plain = { groups, extreme: null, aggregate }
  const candidates = free.length > 0 ? free : measured
  const same = candidates.filter(({ original }) => foldText(original) === foldText(candidates[0]?.original ?? ''))
  if (candidates.length > 0) {
    return same.length === candidates.length
      ? { ...plain, column: candidates[0]!, assumed: false }
      : { code: 'which-column', columns: candidates.map(({ original }) => original) }
  }
  const text = usable.find((column) => column.type === 'text' && column.stray?.of === 'number') ?? usable.find(isTextMeasure)
  if (text !== undefined) return { code: 'not-numbers', column: text }
  const numbers = table.columns.filter(isMeasure).filter(({ original }) => aggregate !== 'sum' || !rates.test(foldText(original)))
  const money = numbers.filter(isMoney)
  const only = numbers.length === 1 && of !== 'money' ? numbers[0] : money.length === 1 ? money[0] : undefined
  if (only !== undefined) return { ...plain, column: only, assumed: true }
  const stray = table.columns.find(({ stray: each }) => each?.of === 'number')
  if (numbers.length === 0) return stray === undefined ? { code: 'no-numbers' } : { code: 'not-numbers', column: stray }
  return { code: 'which-column', columns: numbers.map(({ original }) => original) }
}

/** What nobody adds up unasked: prices of one piece, shares, ages, marks. */
const rates =
  /\bunit\b|\beach\b|\bprices?\b|\brates?\b|\bage\b|\bscores?\b|\bpercent|%|单价|价格|均价|率|比例|占比|折扣|年龄|分数|成绩|温度/

function isTextMeasure(column: TableColumn): boolean {
  return column.type === 'text' && column.values?.some((value) => /\d/.test(value)) === true && isMoney({ ...column, type: 'decimal' })
}

/** Amounts that belong together where several rows are of one thing: what is "highest" of a client is their sum. */
const additive =
  /\b(?:amount|total|revenue|sales|turnover|quantity|qty|hours|cost|spending)s?\b|金额|销售额|营业额|收入|支出|数量|费用|工时|总额/

/** The highest value with its rows, or the group that has the most. */
function chooseExtreme(extreme: 'max' | 'min', inner: Aggregate | null, of: Asked['of'], choice: Choice): Chosen | Reason {
  const { usable, groups, table, asksRow, who } = choice
  const candidates = extremeOf(of, choice)
  const texts = usable.filter((column) => column.type === 'text')
  const isGrouped = groups.length > 0 || (texts.length === 1 && inner !== null)
  if (isGrouped) {
    const by = groups.length > 0 ? groups : texts
    // "The highest salary of each city" is of values; "which city has the most orders" is of groups.
    if (inner === null && candidates.length === 1)
      return { aggregate: extreme, column: candidates[0]!, groups: by, extreme: null, assumed: false }
    if (inner === 'count' || (inner === null && candidates.length === 0))
      return { aggregate: 'count', column: null, groups: by, extreme, assumed: false }
    const found = measure(inner === 'average' ? 'average' : 'sum', of, { ...choice, groups: by })
    return 'code' in found ? found : { ...found, extreme }
  }
  const [first] = candidates
  if (first !== undefined && candidates.every(({ original }) => foldText(original) === foldText(first.original))) {
    const text = who ?? (texts.length === 1 ? texts[0] : undefined)
    if (asksRow && text !== undefined && first.type !== 'date' && !isOwn(text, table)) {
      if (!additive.test(foldText(first.original)) || !usable.includes(first)) return { code: 'several-asks' }
      return { aggregate: 'sum', column: first, groups: [text], extreme, assumed: true }
    }
    return { aggregate: extreme, column: first, groups: [], extreme: null, assumed: !usable.includes(first) }
  }
  const text = usable.find(({ stray }) => stray !== null)
  if (text !== undefined) return { code: 'not-numbers', column: text }
  const columns = candidates.length > 0 ? candidates : table.columns.filter((column) => isMeasure(column) || column.type === 'date')
  return { code: 'which-column', columns: columns.map(({ original }) => original) }
}

/** The columns that may be compared: those that are named, or the only one that the word fits ("latest", "cheapest"). */
function extremeOf(of: Asked['of'], { free, measured, usable, table, isEvent }: Choice): TableColumn[] {
  const named = free.length > 0 ? free : measured
  const dates = (columns: readonly TableColumn[]): TableColumn[] => columns.filter(({ type }) => type === 'date')
  if (of === 'time') {
    if (named.length > 0) return dates(named)
    return isEvent && dates(table.columns).length === 1 ? dates(table.columns) : []
  }
  if (named.length > 0) return named
  // A text that is named, and holds no numbers, is what is asked for and not what is compared.
  if (usable.some(({ stray }) => stray !== null)) return []
  const fitting = table.columns.filter(of === 'money' ? isMoney : isMeasure)
  return fitting.length === 1 ? fitting : []
}

/** Each row has its own, as far as that is known. */
function isOwn(column: TableColumn, table: Table): boolean {
  const first = table.columns.find(({ type }) => type === 'text')
  return isUnique(column, table) || (column.values === null && (column === first || column === personColumn(table)))
}
