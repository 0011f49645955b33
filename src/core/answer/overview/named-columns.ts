import type { Table, TableColumn } from '../../../contract/tables.ts'
import { foldText } from '../../search/search.ts'
import { asksWithout, takeAsked } from './asked.ts'
import { stemPattern } from './conditions.ts'
import { isUnique, personColumn, subjectsOf } from './subjects.ts'
import { namePattern, readQuestion, type Reading } from './text.ts'
import { isNumber } from './units.ts'

const groupWords =
  '(?:\\b(?:per|by|for each|in each|for every|of each|each|every|grouped by|broken down by)(?= )|每一?个?|各个?|分|按照?|根据)'
const groupEnds = '(?:\\s*(?:分组|分类|分别|统计|汇总|划分|来看))*'
/** Words that stand in many names and tell nothing of one. */
const general = /^(?:name|id|no|nr|number|code|date|time|type|last|first|unit|total|per|of|the|in|on|value|status|count)$/

/** Without what stands in brackets. */
function shortName(column: TableColumn): string {
  return foldText(column.original)
    .replace(/[(（[].*?[)）\]]/g, '')
    .trim()
}

/** Other words by which a question may name a column, where no other column can be meant by them. */
function aliases(table: Table, column: TableColumn): string[] {
  const name = shortName(column)
  const found: string[] = []
  const ending = /^(?<bare>.{2,}?)(?:名称|姓名)$/.exec(name)?.groups?.['bare']
  if (ending !== undefined) found.push(ending)
  for (const subject of subjectsOf(table))
    if (name.startsWith(subject) && name.length >= subject.length + 2) found.push(name.slice(subject.length).trim())
  if (/^[\u3400-\u9fff]{4}$/.test(name)) found.push(name.slice(2))
  if (/^[a-z]+(?: [a-z]+)+$/.test(name)) found.push(...name.split(' ').filter((word) => word.length > 2 && !general.test(word)))
  const others = table.columns.filter((each) => each !== column).map(shortName)
  return found.filter((alias) => !/^(?:编号|名称|号码|日期|时间|姓名)$/.test(alias) && others.every((other) => !other.includes(alias)))
}

/** The ways in which a question may name a column: first its own name. */
export function columnPatterns(table: Table, column: TableColumn): RegExp[] {
  let columns = known.get(table)
  if (columns === undefined) known.set(table, (columns = new Map()))
  let patterns = columns.get(column)
  if (patterns === undefined) columns.set(column, (patterns = findPatterns(table, column)))
  return patterns
}

const known = new WeakMap<Table, Map<TableColumn, RegExp[]>>()

function findPatterns(table: Table, column: TableColumn): RegExp[] {
  const names = [column.original, shortName(column), ...aliases(table, column)]
  return [...new Set(names)].flatMap((name) => namePattern(name) ?? [])
}

/** "Per city", "by region and status", 每个部门, 按城市统计. `ranked`: "by amount" says by what is ranked, and no group. */
export function takeGroups(reading: Reading, table: Table, ranked: boolean): TableColumn[] {
  const groups: TableColumn[] = []
  for (const column of table.columns) {
    if (ranked && (isNumber(column) || column.type === 'date')) continue
    const pattern = groupPattern(table, column)
    if (pattern === null) continue
    if (reading.take(new RegExp(`${groupWords}\\s*(?:the )?${pattern}${groupEnds}`)) === null) continue
    groups.push(column)
    // What stands beside it after "and" is a group too.
    for (const other of table.columns.filter((each) => !groups.includes(each))) {
      const more = groupPattern(table, other)
      if (
        more !== null &&
        reading.take(new RegExp(`\u0001 ?\\s*(?:and|和|及|与|、|,)\\s*(?:by |per |每个|各)?${more}${groupEnds}`)) !== null
      )
        groups.push(other)
    }
  }
  return groups
}

/** 班级 stands in 各班, and 省份 in 各省. */
function groupPattern(table: Table, column: TableColumn): string | null {
  const patterns = columnPatterns(table, column).map(({ source }) => source.replace(/^\(\?<![^)]*\)/, ''))
  const single = /^(?<one>[班省市县区])(?:级|份|别)$/.exec(shortName(column))?.groups?.['one']
  if (single !== undefined) patterns.push(`${single}(?![\\u3400-\\u9fff]{0,1}[长市县委])`)
  if (column === personColumn(table)) patterns.push('人(?!数)', 'person\\b', 'employee\\b')
  return patterns.length === 0 ? null : `(?:${patterns.join('|')})`
}

/** Columns whose names hold words of asking ("Total", 数量): taken first where the question asks without them too. */
export function takeAskingColumns(reading: Reading, table: Table, asksWhich: boolean): TableColumn[] {
  const found: TableColumn[] = []
  for (const column of byLength(table)) {
    const pattern = namePattern(column.original)
    const named = pattern?.exec(reading.rest)?.[0]
    if (pattern === null || named === undefined) continue
    if (takeAsked(readQuestion(named)) === null || !(asksWhich || asksWithout(reading, pattern))) continue
    reading.take(pattern)
    found.push(column)
  }
  return found
}

/** Columns that the question names, in full or by the telling word of a date ("ends" for "End date"). */
export function takeColumns(reading: Reading, table: Table, withStems: boolean): TableColumn[] {
  const found: TableColumn[] = []
  const take = (column: TableColumn, patterns: readonly (RegExp | null)[]): void => {
    if (found.includes(column)) patterns.forEach((pattern) => pattern !== null && reading.take(pattern))
    else if (patterns.some((pattern) => pattern !== null && reading.take(pattern) !== null)) found.push(column)
  }
  for (const column of byLength(table)) take(column, [namePattern(column.original), namePattern(shortName(column))])
  for (const column of byLength(table)) take(column, [...columnPatterns(table, column).slice(1), withStems ? stemPattern(column) : null])
  return found
}

/** Columns in full whose names begin with the noun for a row: 合同名称 is no 合同. */
export function takeLonger(reading: Reading, table: Table): TableColumn[] {
  const subjects = subjectsOf(table)
  return byLength(table).filter((column) => {
    const name = shortName(column)
    const pattern = subjects.some((subject) => name !== subject && name.includes(subject)) ? namePattern(name) : null
    return pattern !== null && reading.take(pattern) !== null
  })
}

function byLength(table: Table): TableColumn[] {
  return [...table.columns].sort((one, other) => other.original.length - one.original.length)
}

const counting = '(?:how many|number of|count of|(?:多少|几)\\s?[个种类家名位间所]?(?:不同的?)?)\\s*(?:different |distinct |unique )?'

/** The column whose values are counted: "how many cities", 几个部门. Null where it is rows. */
export function countedColumn(reading: Reading, table: Table): TableColumn | null {
  for (const column of byLength(table)) {
    if (column.type !== 'text' || isUnique(column, table)) continue
    if (columnPatterns(table, column).some(({ source }) => reading.has(new RegExp(`${counting}${source}`)))) return column
  }
  return null
}
