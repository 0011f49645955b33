import { basename, extname } from 'node:path'
import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { asksWithout, takeAsked, type Aggregate, type Asked } from './asked.ts'
import { buildPlan, type TablePlan } from './build.ts'
import { stemPattern, takeConditions, takeTimes, type Condition, type Reason } from './conditions.ts'
import { escaped, namePattern, readQuestion, type Reading } from './text.ts'
import { plainDates, plainNumerals } from './times.ts'
import { isMeasure, isMoney, isNumber } from './units.ts'
import { takeValues } from './values.ts'

/** A question that one table's columns answer, with every word of it accounted for. */
export interface OnePlan {
  table: Table
  aggregate: Aggregate
  /** What is added up or compared; null where rows are counted or listed. */
  column: TableColumn | null
  groups: TableColumn[]
  /** Only the group with the most or the least of it. */
  extreme: 'max' | 'min' | null
  conditions: Condition[]
  isNamed: boolean
  /** Something was taken for granted that the question does not say: it is told with the answer. */
  assumed: boolean
}

/** A table that the question is about, and why it does not answer it. */
export interface Unplanned {
  table: Table
  isNamed: boolean
  /** Named, or one of its columns and a value of another stand in the question. */
  isMeant: boolean
  reason: Reason
}

/** The tables that answer the question without any word left over; null where that is not certain. */
export function planTable(question: string, tables: readonly Table[], now = Date.now()): TablePlan | null {
  const chosen = choosePlans(tables.flatMap((table) => planOne(question, table, now) ?? []))
  return chosen === null || 'why' in chosen ? null : buildPlan(chosen)
}

/** Terms of one SELECT over several tables are limited. */
const mostTogether = 40

export type NoPlan = { why: Reason; tables: Table[] } | { why: { code: 'which-table' }; tables: Table[] }

/** The plans that count together, or why there are none; null where nothing here is about a table. */
export function choosePlans(found: readonly (OnePlan | Unplanned)[]): OnePlan[] | NoPlan | null {
  const plans = found.filter(isPlan)
  // A table that the question names comes before those that only have such columns.
  const named = plans.filter(({ isNamed }) => isNamed)
  const chosen = named.length > 0 ? named : plans
  const unplanned = found.filter((each): each is Unplanned => !isPlan(each) && each.isMeant)
  if (chosen.length === 0) {
    const first = unplanned[0]
    return first === undefined ? null : { why: first.reason, tables: unplanned.map(({ table }) => table) }
  }
  // Sheets of the same make are counted together; anything else leaves a choice that is not ours.
  if (chosen.length > mostTogether || chosen.some((plan) => keyOf(plan) !== keyOf(chosen[0]!)))
    return named.length === 0 ? null : { why: { code: 'which-table' }, tables: chosen.map(({ table }) => table) }
  const all = [...chosen, ...alike(chosen[0]!, found)]
  return all.length > mostTogether ? null : all
}

/** What is left of "not from", 除了……以外. */
const negation = /^(?:not|isn't|aren't|except|excluding|without|other|besides|no|不|非|除|外|不包括|不含)$/

/**
 * Sheets of the same make in which a value of the question does not stand at all: they are counted too, or "not from Oslo" would
 * miss them. What else a sheet lacks, such as the name of another one, tells that it is not meant.
 */
function alike(plan: OnePlan, found: readonly (OnePlan | Unplanned)[]): OnePlan[] {
  const shape = (table: Table): string => JSON.stringify(table.columns.map(({ name, type }) => [name, type]))
  const values = new Set(plan.conditions.flatMap((each) => each.values.map((value) => foldText(String(value)).trim())))
  const lacksValuesOnly = ({ table, isNamed, reason }: Unplanned): boolean =>
    reason.code === 'words' &&
    reason.words.every((word) => values.has(word) || negation.test(word)) &&
    isNamed === plan.isNamed &&
    shape(table) === shape(plan.table)
  return found.flatMap((each) => (!isPlan(each) && lacksValuesOnly(each) ? [{ ...plan, table: each.table }] : []))
}

function isPlan(found: OnePlan | Unplanned): found is OnePlan {
  return !('reason' in found)
}

function keyOf({ aggregate, column, groups, extreme, conditions }: OnePlan): string {
  const shapes = conditions.map(({ column: name, operator, values }) => [
    name,
    operator === 'same' ? 'in' : operator,
    operator === 'in' || operator === 'not in' || operator === 'same'
      ? [...new Set(values.map((value) => foldText(String(value)).trim()))].sort()
      : values,
  ])
  return JSON.stringify([aggregate, column?.name, groups.map(({ name }) => name), extreme, shapes])
}

const groupWords =
  '(?:\\b(?:per|by|for each|in each|for every|of each|each|every|grouped by|broken down by)(?= )|每一?个?|各个?|分|按照?|根据)'
const groupEnds = '(?:\\s*(?:分组|分类|分别|统计|汇总|划分|来看))*'
const fillers =
  /\b(?:rows?|records?|entries|entry|lines?|items?|tables?|sheets?|spreadsheets?|data|there|listed|recorded|number|amount of|names?|one|ones|people|worth|up|paid|sold)\b|(?:行|条目|记录|数据|表格|表|清单|名单|台账|统计|各自|分别|数|人|钱|元|块|加|占)/g

/** A word of the question that was found in a table's cells. */
export interface KnownWord {
  word: string
  condition: Condition
}

/** What this table alone can say to the question. */
export function planOne(question: string, table: Table, now = Date.now(), known: readonly KnownWord[] = []): OnePlan | Unplanned | null {
  const dated = plainDates(plainNumerals(question))
  const reading = readQuestion('text' in dated ? dated.text : question)
  const asksWhich = reading.has(/\b(?:which|what|who|whose)\b|哪|谁|什么/)
  for (const { word } of known) reading.take(new RegExp(escaped(word)))
  // Values go first: a row of "Total" or "Most" is no word of adding up.
  const values = takeValues(reading, table)
  // "Last month" asks for no last one.
  const times = takeTimes(reading, table, now)
  const mentioned = takeAskingColumns(reading, table)
  const asked = takeAsked(reading) ?? (asksWhich ? nothingAsked : null)
  if (asked === null) return null
  const isNamed = takeNames(reading, table)
  const isMeant = (): boolean => isNamed || (mentioned.length > 0 && Array.isArray(values) && values.length > 0)
  const unplanned = (reason: Reason): Unplanned => ({ table, isNamed, isMeant: isMeant(), reason })
  if ('code' in values) return unplanned(values)
  if ('ambiguous' in dated) return unplanned({ code: 'ambiguous-date', words: dated.ambiguous })
  if ('code' in times) return unplanned(times)
  const groups = takeGroups(reading, table)
  const compared = takeConditions(reading, table)
  if ('code' in compared) return unplanned(compared)
  const conditions = [...values, ...known.map(({ condition }) => condition), ...compared, ...times]
  const isExtreme = asked.max || asked.min
  mentioned.push(...takeColumns(reading, table, isExtreme || times.length > 0))
  // "A or B" is one of two values of a column, and nothing else that would be certain.
  if (reading.has(/\b(?:or|nor)\b|或|要么/) && new Set(conditions.map(({ column }) => column)).size > 1)
    return unplanned({ code: 'either-or' })
  const left = leftOver(reading)
  if (left !== null) return unplanned(left)

  const inConditions = new Set(conditions.map(({ column }) => column))
  const usable = mentioned.filter((column) => !groups.includes(column))
  const measured = usable.filter((column) => isNumber(column) || (isExtreme && column.type === 'date'))
  const free = measured.filter(({ name }) => !inConditions.has(name))
  const one = choose(asked, { table, usable, measured, free, groups, asksWhich, hasConditions: conditions.length > 0 })
  if ('code' in one) return unplanned(one)
  const { aggregate, column } = one
  const isAbout = isNamed || conditions.length > 0 || (one.groups.length > 0 && column !== null) || isCertainOf(asked, column)
  // A column's name alone, such as "fee" or "names", may be meant of anything.
  if (!isAbout) return null
  if (aggregate === 'list' && conditions.length === 0 && !(isNamed && asked.list)) return null
  return { table, ...one, conditions, isNamed, assumed: one.assumed || known.length > 0 }
}

const nothingAsked: Asked = { most: false, distinct: false, average: false, sum: null, max: false, min: false, count: null, list: false }

/** "The sum of salaries": no passage says it, whatever else may be about salaries. */
function isCertainOf(asked: Asked, column: TableColumn | null): boolean {
  return column !== null && asked.sum === 'certain'
}

interface Choice {
  table: Table
  /** Columns that are named and no groups. */
  usable: TableColumn[]
  /** Those of them that can be added up or compared. */
  measured: TableColumn[]
  /** Those of them that no condition is about. */
  free: TableColumn[]
  groups: TableColumn[]
  asksWhich: boolean
  hasConditions: boolean
}
type Chosen = Pick<OnePlan, 'aggregate' | 'column' | 'groups' | 'extreme' | 'assumed'>

/** What the words of asking and the columns that are named come to. */
function choose(asked: Asked, choice: Choice): Chosen | Reason {
  const { usable, groups, free, asksWhich } = choice
  const plain = { groups, extreme: null, assumed: false, column: null }
  if (asked.max && asked.min) return { code: 'several-asks' }
  if (asked.distinct) {
    const column = usable.filter((each) => !free.includes(each) || free.length === usable.length)
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
  if (extreme !== null) return chooseExtreme(extreme, inner ?? (asked.most && free.length === 0 ? 'count' : null), choice)
  if (inner === 'sum' || inner === 'average') return measure(inner, choice)
  if (inner === 'count') {
    // 多少 beside a column of numbers asks for what stands in it; more rows than one are added up, and it is said.
    if (free.length > 0 && groups.length === 0) return { ...measured('sum', choice), assumed: true }
    return { ...plain, aggregate: 'count' }
  }
  if (groups.length > 0) return { ...plain, aggregate: 'count', assumed: true }
  return asked.list || asksWhich ? { ...plain, aggregate: 'list' } : { code: 'which-column', columns: [] }

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

function measure(aggregate: 'sum' | 'average', { table, usable, measured, free, groups }: Choice): Chosen | Reason {
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
  const numbers = table.columns.filter(isMeasure)
  const money = numbers.filter(isMoney)
  const only = numbers.length === 1 ? numbers[0] : money.length === 1 ? money[0] : undefined
  if (only !== undefined) return { ...plain, column: only, assumed: true }
  const stray = table.columns.find(({ stray: each }) => each?.of === 'number')
  if (numbers.length === 0) return stray === undefined ? { code: 'no-numbers' } : { code: 'not-numbers', column: stray }
  return { code: 'which-column', columns: numbers.map(({ original }) => original) }
}

function isTextMeasure(column: TableColumn): boolean {
  return column.type === 'text' && column.values?.some((value) => /\d/.test(value)) === true && isMoney({ ...column, type: 'decimal' })
}

/** The highest value with its rows, or the group that has the most. */
function chooseExtreme(extreme: 'max' | 'min', inner: Aggregate | null, choice: Choice): Chosen | Reason {
  const { usable, free, measured, groups, table } = choice
  const candidates = free.length > 0 ? free : measured
  const texts = usable.filter((column) => column.type === 'text')
  const isGrouped = groups.length > 0 || (texts.length === 1 && inner !== null)
  if (isGrouped) {
    const by = groups.length > 0 ? groups : texts
    // "The highest salary of each city" is of values; "which city has the most orders" is of groups.
    if (inner === null && candidates.length === 1)
      return { aggregate: extreme, column: candidates[0]!, groups: by, extreme: null, assumed: false }
    if (inner === 'count' || (inner === null && candidates.length === 0))
      return { aggregate: 'count', column: null, groups: by, extreme, assumed: false }
    const found = measure(inner === 'average' ? 'average' : 'sum', { ...choice, groups: by })
    return 'code' in found ? found : { ...found, extreme }
  }
  if (
    candidates.length === 1 ||
    (candidates.length > 1 && candidates.every(({ original }) => foldText(original) === foldText(candidates[0]!.original)))
  )
    return { aggregate: extreme, column: candidates[0]!, groups: [], extreme: null, assumed: false }
  const text = usable.find(({ stray }) => stray !== null)
  if (text !== undefined) return { code: 'not-numbers', column: text }
  const columns = candidates.length > 0 ? candidates : table.columns.filter((column) => isMeasure(column) || column.type === 'date')
  return { code: 'which-column', columns: columns.map(({ original }) => original) }
}

/** The words that nothing is known of; null where there are none. */
function leftOver(reading: Reading): Reason | null {
  const left = reading.copy()
  while (left.take(fillers) !== null);
  if (left.isUsedUp()) return null
  return { code: 'words', words: left.remaining() }
}

/** The table's own names: its file, its sheet, its title. */
function takeNames(reading: Reading, table: Table): boolean {
  const names = [table.sheet, table.title ?? '', ...table.documents.flatMap(({ path }) => [basename(path), basename(path, extname(path))])]
  // "branch-3" tells more than "branch": what is longer is taken first.
  const parts = names
    .flatMap((name) => [name, ...foldText(name).split(/[\s_()（）]+/), ...foldText(name).split(/[\s_\-—–.()（）]+|\d{2,}/)])
    .filter((name) => name.length > 1 && !/^sheet\d*$|^\d+$/i.test(name))
  const dates = table.columns.map(stemPattern).filter((pattern) => pattern !== null)
  let found = false
  for (const name of [...new Set(parts)].sort((one, other) => other.length - one.length)) {
    const pattern = namePattern(name)
    // In "到期.csv 里最早到期的", the second is what ends.
    if (found && dates.some((each) => each.test(foldText(name)))) continue
    if (
      pattern !== null &&
      !/^(?:the|and|of|in|for|total|count|list|data|table|sheet|xlsx?|csv)$/.test(name) &&
      reading.take(pattern) !== null
    )
      found = true
  }
  return found
}

/** "Per city", "by region and status", 每个部门, 按城市统计. */
function takeGroups(reading: Reading, table: Table): TableColumn[] {
  const groups: TableColumn[] = []
  for (const column of table.columns) {
    const pattern = bare(namePattern(column.original))
    if (pattern === null) continue
    if (reading.take(new RegExp(`${groupWords}\\s*(?:the )?${pattern}${groupEnds}`)) === null) continue
    groups.push(column)
    // What stands beside it after "and" is a group too.
    for (const other of table.columns.filter((each) => !groups.includes(each))) {
      const more = bare(namePattern(other.original))
      if (
        more !== null &&
        reading.take(new RegExp(`\u0001 ?\\s*(?:and|和|及|与|、|,)\\s*(?:by |per |每个|各)?${more}${groupEnds}`)) !== null
      )
        groups.push(other)
    }
  }
  return groups
}

function bare(pattern: RegExp | null): string | null {
  return pattern === null ? null : pattern.source.replace(/^\(\?<![^)]*\)/, '')
}

/** Columns whose names hold words of asking ("Total", 数量): taken first where the question asks without them too. */
function takeAskingColumns(reading: Reading, table: Table): TableColumn[] {
  const found: TableColumn[] = []
  for (const column of [...table.columns].sort((one, other) => other.original.length - one.original.length)) {
    const pattern = namePattern(column.original)
    const named = pattern?.exec(reading.rest)?.[0]
    if (pattern === null || named === undefined) continue
    if (takeAsked(readQuestion(named)) === null || !asksWithout(reading, pattern)) continue
    reading.take(pattern)
    found.push(column)
  }
  return found
}

/** Columns that the question names, in full or by the telling word of a date ("ends" for "End date"). */
function takeColumns(reading: Reading, table: Table, withStems: boolean): TableColumn[] {
  const found: TableColumn[] = []
  const columns = [...table.columns].sort((one, other) => other.original.length - one.original.length)
  for (const column of columns) {
    const inFull = foldText(column.original)
    const short = inFull.replace(/[(（[].*?[)）\]]/g, '').trim()
    const patterns = [namePattern(column.original), namePattern(short), withStems ? stemPattern(column) : null]
    if (patterns.some((pattern) => pattern !== null && reading.take(pattern) !== null)) found.push(column)
  }
  return found
}
