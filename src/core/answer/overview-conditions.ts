import type { Table, TableColumn } from '../../contract/tables.ts'
import { namePattern, type Reading } from './overview-text.ts'

export interface Condition {
  column: string
  operator: 'in' | 'begins' | '>' | '>=' | '<' | '<=' | '='
  values: (string | number)[]
}

const number = '([￥¥$€£]?\\s?\\d[\\d,]*(?:\\.\\d+)?)\\s*(万|亿|千|k|m)?\\s*(?:元|块|美元|yuan|dollars|usd|rmb)?'
const comparisons: [string, Condition['operator']][] = [
  ['(?:more than|greater than|larger than|higher than|over|above|exceeding|exceeds?|大于|超过|高于|多于|>)', '>'],
  ['(?:at least|no less than|not less than|不少于|不低于|至少|>=)', '>='],
  ['(?:less than|smaller than|lower than|fewer than|under|below|小于|低于|少于|不到|<)', '<'],
  ['(?:at most|no more than|not more than|up to|不超过|不多于|不高于|至多|最多|<=)', '<='],
]
const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const factors: Record<string, number> = { 万: 1e4, 亿: 1e8, 千: 1e3, k: 1e3, m: 1e6 }

/** Comparisons with numbers and times that a question has; null where it is not certain which column is meant. */
export function takeConditions(reading: Reading, table: Table): Condition[] | null {
  const conditions: Condition[] = []
  // "不超过" holds "超过": what is longer comes first.
  for (const [words, operator] of [comparisons[3]!, comparisons[1]!, comparisons[0]!, comparisons[2]!]) {
    const found = reading.take(new RegExp(`(?:is |are |of )?${words}\\s*${number}(?:以上|以下)?`))
    if (found === null) continue
    const column = columnFor(reading, table, (each) => each.type === 'integer' || each.type === 'decimal')
    if (column === null) return null
    const value = Number((found[1] ?? '').replace(/[^\d.]/g, '')) * (factors[found[2] ?? ''] ?? 1)
    if (!Number.isFinite(value)) return null
    conditions.push({ column: column.name, operator, values: [value] })
  }
  const time = takeTime(reading)
  if (time === null) return conditions
  const column = columnFor(reading, table, (each) => each.type === 'date')
  if (column === null) return null
  conditions.push({ column: column.name, ...time })
  return conditions
}

/** The column of that kind which the question names, or the only one there is. */
function columnFor(reading: Reading, table: Table, fits: (column: TableColumn) => boolean): TableColumn | null {
  const fitting = table.columns.filter(fits)
  const named = fitting.filter((column) => namePattern(column.original)?.test(reading.rest) === true)
  if (named.length === 1) return named[0]!
  return fitting.length === 1 ? fitting[0]! : null
}

function takeTime(reading: Reading): Pick<Condition, 'operator' | 'values'> | null {
  const padded = (text: string | undefined): string => (text ?? '').padStart(2, '0')
  const day =
    reading.take(/(before|after|since|until|on)? ?(\d{4})-(\d{1,2})-(\d{1,2})()/) ??
    reading.take(/()(\d{4})年(\d{1,2})月(\d{1,2})[日号](以前|之前|以后|之后|以来)?/)
  if (day !== null) {
    const value = `${day[2]}-${padded(day[3])}-${padded(day[4])}`
    return withWord(day[1] || day[5], value)
  }
  const month =
    reading.take(/(before|after|since|in)? ?(\d{4})-(\d{1,2})(?!\d)()/) ??
    reading.take(/()(\d{4})年(\d{1,2})月(?:份)?(以前|之前|以后|之后|以来)?/)
  if (month !== null) return withWord(month[1] || month[4], `${month[2]}-${padded(month[3])}`)
  const named = reading.take(new RegExp(`(before|after|since|in|during) (${months.join('|')}) (\\d{4})`))
  if (named !== null) return withWord(named[1], `${named[3]}-${padded(String(months.indexOf(named[2] ?? '') + 1))}`)
  const year = reading.take(/(before|after|since|in|during) (\d{4})(?!\d)()/) ?? reading.take(/()(\d{4})年(以前|之前|以后|之后|以来)?/)
  return year === null ? null : withWord(year[1] || year[3], year[2] ?? '')
}

/** `value` is the beginning of a date: everything in that year, month or day. */
function withWord(word: string | undefined, value: string): Pick<Condition, 'operator' | 'values'> {
  switch (word) {
    case 'before':
    case '以前':
    case '之前':
      return { operator: '<', values: [value] }
    case 'since':
    case '以来':
      return { operator: '>=', values: [value] }
    case 'until':
      return { operator: '<=', values: [`${value}\uffff`] }
    case 'after':
    case '以后':
    case '之后':
      return { operator: '>', values: [`${value}\uffff`] }
    default:
      return { operator: 'begins', values: [value] }
  }
}
