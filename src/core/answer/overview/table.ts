import { basename, extname } from 'node:path'
import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { takeAsked, type Aggregate, type Asked } from './asked.ts'
import { buildPlan, type TablePlan } from './build.ts'
import { choose } from './choose.ts'
import { stemPattern, takeConditions, takeTimes, type Condition, type Reason } from './conditions.ts'
import { takeEmpty, takeMarks, takeTop } from './marks.ts'
import { columnPatterns, countedColumn, takeAskingColumns, takeColumns, takeGroups, takeLonger } from './named-columns.ts'
import { hasSomeone, isEvent, isOfPeople, isUnique, personColumn, someoneColumn, takeSubjects } from './subjects.ts'
import { escaped, namePattern, readQuestion, type Reading } from './text.ts'
import { plainDates, plainNumerals } from './times.ts'
import { isNumber, mayMix } from './units.ts'
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
  /** What the question calls the rows, where that is what tells the table: 合同 of 合同台账. */
  subject: string | null
  /** What a row is called when it is told of, where the question says it. */
  label: TableColumn | null
  /** How many of the highest or the lowest; null: the one. */
  top: number | null
  /** Only a column's name tells the table: it may be meant of something else. */
  isLoose: boolean
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
  // What only a column's name speaks for may be meant of any document.
  return chosen === null || 'why' in chosen || chosen.some(({ isLoose }) => isLoose) ? null : buildPlan(chosen)
}

/** Terms of one SELECT over several tables are limited. */
const mostTogether = 40

export type NoPlan = { why: Reason; tables: Table[] } | { why: { code: 'which-table' }; tables: Table[] }

/** The plans that count together, or why there are none; null where nothing here is about a table. */
export function choosePlans(found: readonly (OnePlan | Unplanned)[]): OnePlan[] | NoPlan | null {
  const plans = found.filter(isPlan)
  // A table that the question names comes before those that only have such columns.
  const byName = plans.filter(({ isNamed }) => isNamed)
  const named = byName.length > 0 ? byName : plans.filter(({ subject }) => subject !== null)
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

function keyOf({ aggregate, column, groups, extreme, conditions, top }: OnePlan): string {
  const shapes = conditions.map(({ column: name, operator, values }) => [
    name,
    operator === 'same' ? 'in' : operator,
    operator === 'in' || operator === 'not in' || operator === 'same'
      ? [...new Set(values.map((value) => foldText(String(value)).trim()))].sort()
      : values,
  ])
  return JSON.stringify([aggregate, column?.name, groups.map(({ name }) => name), extreme, top, shapes])
}

const fillers =
  /\b(?:rows?|records?|entries|entry|lines?|items?|tables?|sheets?|spreadsheets?|data|there|listed|recorded|number|amount of|names?|one|ones|people|worth|up|paid|sold|comes?|came|exists?|belongs?)\b|(?:行|条目|记录|数据|表格|表|清单|名单|台账|统计|各自?|分别|成绩|分数|得分|数|人|钱|元|块|加|占|分)/g
/** "How many sheets": asks of the file's make and not of its rows. */
const ofSheets =
  /\b(?:how many|number of|list|which|what) (?:\w+ )?(?:work)?(?:sheets|tables|tabs|columns|fields)\b|(?:多少|几|哪些|哪几)\s?[个张]?(?:工作表|表格|表|sheet|列|字段|栏)(?![\u3400-\u9fff]*[示明现])/
/** "We", where it is a firm: not the end of another's name. */
const ourselves = /^\s*(?:请问)?(?:我们|我|本|贵)?(?:公司|单位|集团|学校|酒店)(?:里|内)?(?=一共|总共|共|现在|目前|有|的)/
const asksForPeople = /(?:多少|几)[个名位]?人|人数|的人|\bpeople\b/

/** A word of the question that was found in a table's cells. */
export interface KnownWord {
  word: string
  condition: Condition
}

export function asksOfSheets(question: string): boolean {
  return readQuestion(question).has(ofSheets)
}

/** What this table alone can say to the question. */
export function planOne(question: string, table: Table, now = Date.now(), known: readonly KnownWord[] = []): OnePlan | Unplanned | null {
  const dated = plainDates(plainNumerals(question))
  const reading = readQuestion('text' in dated ? dated.text : question)
  if (reading.has(ofSheets)) return null
  reading.take(ourselves)
  reading.take(/\blasts? (?=more|less|fewer|over|at least|at most|up to|longer|\d)/)
  const asksWhich = reading.has(/\b(?:which|what|who|whose)\b|哪|谁|什么/)
  if (reading.has(/\bwho(?:se)?\b|谁/) && !hasSomeone(table)) return null
  const asksRow = reading.has(/\b(?:which|who|whose)\b|哪|谁/)
  const who = reading.has(/\bwho(?:se)?\b|谁|的人/) ? someoneColumn(table) : null
  const people = reading.has(asksForPeople)
  const person = people && !isOfPeople(table) ? personColumn(table) : null
  if (people && person === null && !isOfPeople(table)) return null
  for (const { word } of known) reading.take(new RegExp(escaped(word)))
  // Values go first: a row of "Total" or "Most" is no word of adding up.
  const values = takeValues(reading, table)
  // "Last month" asks for no last one.
  const times = takeTimes(reading, table, now)
  const empty = takeEmpty(reading, table)
  const top = takeTop(reading)
  const counted = person ?? countedColumn(reading, table)
  const mentioned = takeAskingColumns(reading, table, asksRow)
  const label = labelNamed(reading, table)
  const asked = takeAsked(reading) ?? (asksWhich || reading.has(/每|各|按|根据|\bper\b|\bby\b|\beach\b/) ? { ...nothingAsked } : null)
  if (asked === null) return null
  if (top?.asks === true && !asked.min) asked.max = true
  const isExtreme = asked.max || asked.min
  // Before the names: "each ward" of "ward patients.csv" is no name.
  const groups = takeGroups(reading, table, isExtreme)
  const isNamed = takeNames(reading, table)
  mentioned.push(...takeLonger(reading, table))
  const subject = takeSubjects(reading, table)
  if (person !== null && !isNamed && subject === null) return null
  const isMeant = (): boolean => isNamed || ((subject !== null || mentioned.length > 0) && Array.isArray(values) && values.length > 0)
  const unplanned = (reason: Reason): Unplanned => ({ table, isNamed, isMeant: isMeant(), reason })
  if ('code' in values) return unplanned(values)
  if ('ambiguous' in dated) return unplanned({ code: 'ambiguous-date', words: dated.ambiguous })
  if ('code' in times) return unplanned(times)
  const compared = takeConditions(reading, table)
  if ('code' in compared) return unplanned(compared)
  const marks = takeMarks(reading, table, groups)
  const conditions = [...values, ...known.map(({ condition }) => condition), ...compared, ...times, ...empty, ...marks]
  mentioned.push(...takeColumns(reading, table, isExtreme || times.length > 0))
  // "A or B" is one of two values of a column, and nothing else that would be certain.
  if (reading.has(/\b(?:or|nor)\b|或|要么/) && new Set(conditions.map(({ column }) => column)).size > 1)
    return unplanned({ code: 'either-or' })
  if (reading.has(/\b(?:in|for|of|by) (?:each|every)\b|\bper\b/)) return unplanned({ code: 'words', words: ['each'] })
  const left = leftOver(reading)
  if (left !== null) return unplanned(left)

  const inConditions = new Set(conditions.map(({ column }) => column))
  const usable = mentioned.filter((column) => !groups.includes(column))
  const measured = usable.filter((column) => isNumber(column) || (isExtreme && column.type === 'date'))
  const free = measured.filter(({ name }) => !inConditions.has(name))
  const one = choose(asked, { table, usable, measured, free, groups, asksRow, counted, who, isEvent: isEvent(subject) })
  if ('code' in one) return unplanned(one)
  const { aggregate, column } = one
  if (top !== null && (one.groups.length > 0 || (aggregate !== 'max' && aggregate !== 'min'))) return unplanned({ code: 'several-asks' })
  if (top !== null && column !== null && mayMix([{ table, column }]))
    return unplanned({ code: 'mixed-units', column: column.original, units: [...column.units] })
  // A column that the question names and the answer does not heed was named for something.
  const unheeded = usable.filter((each) => each !== column && each !== label && !inConditions.has(each.name) && !one.groups.includes(each))
  const isOfRows = aggregate === 'list' || aggregate === 'max' || aggregate === 'min'
  if (unheeded.length > 0 && !isOfRows && unheeded.some((each) => each.type !== 'text' || !isUnique(each, table)))
    return unplanned({ code: 'which-column', columns: unheeded.map(({ original }) => original) })

  const isAbout = isNamed || subject !== null || conditions.length > 0 || isCertainOf(asked, column)
  // Rows of a sheet are asked for, as far as words can tell.
  const isOfSheets = one.groups.length > 0 ? column !== null || people : asked.distinct || (isOfRows && isExtreme && asksRow)
  if (aggregate === 'list' && conditions.length === 0 && !((isNamed || subject !== null) && asked.list)) return null
  if (!isAbout && !isOfSheets && (aggregate === 'count' || aggregate === 'list')) return null
  return {
    ...{ table, ...one, conditions, isNamed, subject, label },
    top: top === null ? null : top.count,
    // A column's name alone, such as "fee" or "names", may be meant of anything.
    isLoose: !isAbout && !isOfSheets,
    assumed: one.assumed || known.length > 0,
  }
}

/** The column whose name the question uses for the rows themselves. */
function labelNamed(reading: Reading, table: Table): TableColumn | null {
  const named = table.columns.filter((column) => isUnique(column, table) && column.type === 'text')
  if (reading.has(/\bwho\b|谁/)) {
    const person = personColumn(table)
    if (person !== null) return person
  }
  return named.find((column) => columnPatterns(table, column).some((pattern) => reading.has(pattern))) ?? null
}

const nothingAsked: Asked = {
  ...{ most: false, distinct: false, average: false, sum: null, max: false, min: false, count: null, list: false, of: null },
}

/** "The sum of salaries": no passage says it, whatever else may be about salaries. */
function isCertainOf(asked: Asked, column: TableColumn | null): boolean {
  return column !== null && asked.sum === 'certain'
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
