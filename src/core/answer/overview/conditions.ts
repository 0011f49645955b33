import type { Table, TableColumn } from '../../../contract/tables.ts'
import { currencyOf, numberOf, quoted } from '../../tables/tables.ts'
import { namePattern, type Reading } from './text.ts'
import { takeTime } from './times.ts'
import { isMoney, isNumber, scaleOf, unitColumn } from './units.ts'

/** `empty`: the cell says nothing; it has no values. */
export type Operator = 'in' | 'not in' | 'same' | 'has' | 'empty' | '>' | '>=' | '<' | '<=' | '='
export interface Condition {
  column: string
  operator: Operator
  values: (string | number)[]
}

/** Why a question that asks something of a table cannot be answered from it. */
export type Reason =
  /** What is left of the question when all that is understood is taken away; the columns that there are, where one table is meant. */
  | { code: 'words'; words: string[]; columns?: string[] }
  | { code: 'which-column'; columns: string[] }
  | { code: 'no-numbers' }
  | { code: 'not-numbers'; column: TableColumn }
  | { code: 'value-in-several'; value: string; columns: string[] }
  | { code: 'either-or' }
  | { code: 'several-asks' }
  | { code: 'mixed-units'; column: string; units: string[] }
  | { code: 'ambiguous-date'; words: string }

/** What may stand behind a number in a question and changes nothing: 90分以上. */
const counted = '(?:\\s?(?:分|岁|天|晚|件|个|人|次|台|份|小时|nights?|days?|hours?|years?|points?|units?|pieces?))?'
const number =
  '((?:[￥¥$€£]|us\\$|hk\\$|rmb|usd|eur)?\\s?-?\\d[\\d,]*(?:\\.\\d+)?\\s*(?:百万|千万|[万亿千百]|k|m|million|thousand|bn)?\\s*(?:%|(?:元|块钱?|美元|欧元|英镑|港元|港币|日元|yuan|dollars|euros|usd|eur|gbp|rmb)(?![a-z]))?)(?![\\d.]*\\d|-\\d{1,2}(?!\\d))'
const comparisons: [string, Operator][] = [
  ['(?:at most|no more than|not more than|no greater than|up to|不超过|不多于|不高于|不大于|不晚于|至多|最多|小于(?:或)?等于|<=|≤)', '<='],
  [
    '(?:at least|no less than|not less than|no fewer than|not fewer than|a minimum of|不少于|不低于|不小于|至少|大于(?:或)?等于|>=|≥)',
    '>=',
  ],
  ['(?:more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds?|大于|超过|超出|高于|多于|>)', '>'],
  ['(?:less than|smaller than|lower than|fewer than|under|below|小于|低于|少于|不到|不足|不满|未满|<)', '<'],
  ['(?:exactly|equal(?:s|ling)?(?: to)?|等于|正好(?:是|为)?|恰好(?:是|为)?|=)', '='],
]

const ranges = [
  /(?:between|from|在|介于|处于|从)?\s*NUMBER\s*(?:and|to|到|至|~|—|-|和|与)\s*NUMBER\s*(?:之间|期间|间)/,
  /(?:between|from|介于|处于)\s*NUMBER\s*(?:and|to|到|至|~|—|-|和|与)\s*NUMBER/,
]

/** Comparisons with numbers and times that a question has, or why they cannot be told. */
export function takeConditions(reading: Reading, table: Table): Condition[] | Reason {
  const conditions: Condition[] = []
  const add = (at: number, operators: [Operator, string | undefined][], known: TableColumn | null = null): Reason | null => {
    const column =
      known ??
      columnAt(
        reading,
        table,
        at,
        isNumber,
        operators.some(([, text]) => currencyIn(text) !== null),
      )
    if (column === null) return { code: 'which-column', columns: table.columns.filter(isNumber).map(({ original }) => original) }
    for (const [operator, text = ''] of operators) {
      const value = numberOf(text.replace(/块钱?$/, '元').replace(/\s+/g, ''))
      if (value === null) return { code: 'words', words: [text.trim()] }
      const unit = unitReason(table, column, value.unit)
      if (unit !== null && 'code' in unit) return unit
      if (unit !== null && !conditions.some((each) => each.column === unit.column)) conditions.push(unit)
      // "Over 10" of shares that are shown as 10%.
      const isShare = column.units.length > 0 && column.units.every((each) => each === '%') && value.unit !== '%'
      // "Over 200,000 yuan" of a column in ten thousands of them; a bare number is as the column has it.
      const scale = value.unit !== '' || /[万亿千百]|[km]\b|million|thousand|bn/.test(text) ? scaleOf(column) : 1
      const plain = isShare && Math.abs(value.value) > 1 ? value.value / 100 : value.value / scale
      conditions.push({ column: column.name, operator, values: [Number(plain.toPrecision(15))] })
    }
    return null
  }
  const fill = (pattern: RegExp): RegExp => new RegExp(pattern.source.replaceAll('COUNTED', counted).replaceAll('NUMBER', number))
  for (const range of ranges.map(fill)) {
    for (;;) {
      const found = reading.copy().take(range)
      // Days have signs of a range too.
      if (found === null || /^\s*\d{4}-\d/.test(found[1] ?? '')) break
      reading.take(range)
      const failed = add(found.index, [
        ['>=', sharedScale(found[1], found[2])],
        ['<=', found[2]],
      ])
      if (failed !== null) return failed
    }
  }
  for (const [words, operator] of comparisons) {
    for (;;) {
      const found = reading.take(new RegExp(`(?:is |are |of |was |being )?${words}\\s*${number}(?!-\\d)`))
      if (found === null) break
      const failed = add(found.index, [[operator, found[1]]])
      if (failed !== null) return failed
    }
  }
  const endings: [RegExp, Operator][] = [
    [fill(/NUMBERCOUNTED\s*(?:and above|or more|and more|or above|and over|及?以上|或以上)/), '>='],
    [fill(/NUMBERCOUNTED\s*(?:and below|or less|or fewer|or below|及?以下|或以下|以内)/), '<='],
  ]
  for (const [pattern, operator] of endings) {
    for (;;) {
      const found = reading.take(pattern)
      if (found === null) break
      const failed = add(found.index, [[operator, found[1]]])
      if (failed !== null) return failed
    }
  }
  for (const column of table.columns.filter(isNumber)) {
    const name = namePattern(column.original)
    if (name === null) continue
    const found = reading.take(new RegExp(`${name.source}\\s*(?:is|=|:|of|为|是)?\\s*${number}`))
    if (found === null) continue
    const failed = add(found.index, [['=', found[1]]], column)
    if (failed !== null) return failed
  }
  return conditions
}

/** The time that a question names, as conditions on the column of dates that is meant. */
export function takeTimes(reading: Reading, table: Table, now: number): Condition[] | Reason {
  const whole = reading.copy()
  const time = takeTime(reading.copy(), now)
  if (time === null) return []
  const values = Object.values(time.bounds).map(String)
  // "Between 1900 and 2000" may be amounts, and 9000 is no year.
  const isYear = values.some((value) => /^\d{4}\uffff?$/.test(value))
  if (isYear && !values.every((value) => /^(?:19|20)\d\d/.test(value))) return []
  if (
    isYear &&
    lastNamed(whole.rest.slice(0, time.at), table.columns.filter(isNumber)) >
      lastNamed(
        whole.rest,
        table.columns.filter(({ type }) => type === 'date'),
      )
  )
    return []
  takeTime(reading, now)
  const column = columnAt(whole, table, time.at, (each) => each.type === 'date', false)
  if (column === null) {
    const dates = table.columns.filter((each) => each.type === 'date' || each.stray?.of === 'date')
    return dates.length === 0
      ? { code: 'words', words: values.slice(0, 1) }
      : { code: 'which-column', columns: dates.map(({ original }) => original) }
  }
  const { from, through, after, before } = time.bounds
  const bounds: [Operator, string | undefined][] = [
    ['>=', from],
    ['<=', through && `${through}\uffff`],
    ['>', after && `${after}\uffff`],
    ['<', before],
  ]
  return bounds.flatMap(([operator, value]) => (value === undefined ? [] : [{ column: column.name, operator, values: [value] }]))
}

/** "1 to 2万" is ten to twenty thousand. */
function sharedScale(first = '', second = ''): string {
  const scale = /百万|千万|[万亿千百]|k|million/.exec(second)?.[0]
  if (scale === undefined || /[万亿千百k]|million/.test(first)) return first
  return Number.parseFloat(first.replace(/[^\d.]/g, '')) < Number.parseFloat(second.replace(/[^\d.]/g, ''))
    ? `${first.trim()}${scale}`
    : first
}

function currencyIn(text = ''): string | null {
  const unit = numberOf(text.replace(/块钱?/, '元').replace(/\s+/g, ''))?.unit ?? ''
  return unit === '' || unit === '%' ? null : unit
}

/** Numbers of several currencies can be compared only with one that names its own. */
function unitReason(table: Table, column: TableColumn, unit: string): Condition | Reason | null {
  const beside = unitColumn(table, column)
  if (beside === null) return null
  const units = column.unitIn !== null ? column.units : (table.columns.find(({ name }) => name === beside)?.values ?? [])
  const same = units.filter((each) => (currencyOf(each) ?? each) === unit)
  if (unit !== '' && same.length > 0) return { column: beside, operator: 'in', values: same }
  return units.filter((each) => each !== '').length < 2 && column.unitIn === null
    ? null
    : { code: 'mixed-units', column: column.original, units: [...units] }
}

/** The column that is meant at a place of the question: named nearest before it, or after it, by its verb, or the only one. */
function columnAt(
  reading: Reading,
  table: Table,
  at: number,
  fits: (column: TableColumn) => boolean,
  isMoneyMeant: boolean,
): TableColumn | null {
  const fitting = table.columns.filter(fits)
  if (fitting.length === 1) return fitting[0]!
  const [before, after] = [reading.rest.slice(0, at), reading.rest.slice(at)]
  const patterns = fitting.map((column) => ({
    column,
    patterns: [namePattern(column.original), stemPattern(column)].filter((each) => each !== null),
  }))
  const places = patterns.flatMap(({ column, patterns: each }) =>
    each.map((pattern) => ({ column, at: lastIndex(before, pattern), length: column.original.length })),
  )
  const nearest = places.filter((place) => place.at >= 0).sort((one, other) => other.at - one.at || other.length - one.length)[0]
  if (nearest !== undefined) return nearest.column
  const following = patterns
    .flatMap(({ column, patterns: each }) => each.map((pattern) => ({ column, at: pattern.exec(after)?.index ?? -1 })))
    .filter((place) => place.at >= 0)
    .sort((one, other) => one.at - other.at)[0]
  if (following !== undefined) return following.column
  const money = isMoneyMeant ? fitting.filter(isMoney) : []
  return money.length === 1 ? money[0]! : null
}

/** Where in a text the last of these columns is named; -1 where none is. */
function lastNamed(text: string, columns: readonly TableColumn[]): number {
  const patterns = columns.flatMap((column) => [namePattern(column.original), stemPattern(column)].filter((each) => each !== null))
  return Math.max(-1, ...patterns.map((pattern) => lastIndex(text, pattern)))
}

function lastIndex(text: string, pattern: RegExp): number {
  let last = -1
  for (const found of text.matchAll(new RegExp(pattern.source, 'g'))) last = found.index
  return last
}

/** "Ends", "ending" for "End date"; 到期 for 到期日期. */
export function stemPattern(column: TableColumn): RegExp | null {
  if (column.type !== 'date') return null
  const bare = column.original
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[(（[].*?[)）\]]/g, '')
  const stem = bare.replace(/\b(?:date|day|time|on|at|of|last|first|latest)\b|日期|时间|日$/g, '').trim()
  const forms = (word: string): string => {
    const root =
      /^\w{3,}(?:al|ure|ment|ation)$/.test(word) && word.length > 5
        ? word.replace(/(?:al|ure|ment|ation)$/, '')
        : word.replace(/(?:ed|ing|e|y|s)$/, '')
    return `\\b${root}(?:${root.at(-1) ?? ''})?(?:e?s|e?d|ing|e)?\\b`
  }
  if (/^[a-z]{3,}$/.test(stem)) return new RegExp(sameAs(stem).map(forms).join('|'))
  return /^[\u3400-\u9fff]{2,}$/.test(stem) ? new RegExp(sameAs(stem).join('|')) : null
}

/** What is said in several words of one day. */
const sameDays: readonly (readonly string[])[] = [
  ['end', 'expire', 'expiry', 'expiration', 'terminate', 'termination'],
  ['start', 'begin', 'commence'],
  ['到期', '届满', '截止', '结束'],
  ['签订', '签署', '签约'],
]

function sameAs(stem: string): readonly string[] {
  return sameDays.find((words) => words.includes(stem)) ?? [stem]
}

export function conditionSql({ column, operator, values }: Condition): string {
  const name = quoted(column)
  switch (operator) {
    case 'in':
      return values.length === 1 ? `${name} = ${literal(values[0]!)}` : `${name} IN (${values.map(literal).join(', ')})`
    case 'not in':
      // An empty cell is not that value either.
      return `(${name} IS NULL OR ${name} NOT IN (${values.map(literal).join(', ')}))`
    case 'same':
      return `fold(${name}) IN (${values.map(literal).join(', ')})`
    case 'has':
      return `instr(fold(${name}), ${literal(values[0]!)}) > 0`
    case 'empty':
      return `(${name} IS NULL OR trim(${name}) IN ('', '-', '–', '—', '/', '无', '暂无', 'N/A', 'n/a'))`
    default:
      return `${name} ${operator} ${typeof values[0] === 'number' ? values[0] : literal(values[0] ?? '')}`
  }
}

export function literal(value: string | number): string {
  return `'${String(value).replaceAll("'", "''")}'`
}
