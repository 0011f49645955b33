import { withIsoDates } from './calculate-date-forms.ts'
import { wrong } from './calculate-numbers.ts'
import { withoutQuestion } from './calculate-tokens.ts'

/** Written as a date and nothing else: "2025-03-01", 2025年3月1日. "2000 - 12 - 10" with blanks is a subtraction. */
const datePattern = String.raw`(?<![\d.])(\d{4})(?:-(\d{2})-(\d{2})|年(\d{1,2})月(\d{1,2})日?)(?![\d.])`
const anyDate = new RegExp(datePattern)
const minus = '(-|−|–|minus|减去?|到)'
const unitWords: [RegExp, 'day' | 'week' | 'month' | 'year'][] = [
  [/^(?:days?|天|日)$/, 'day'],
  [/^(?:weeks?|周|星期|个星期)$/, 'week'],
  [/^(?:months?|个?月)$/, 'month'],
  [/^(?:years?|年)$/, 'year'],
]
const span = String.raw`(\d{1,6})\s*(days?|weeks?|months?|years?|天|日|个?星期|周|个?月|年)`
const difference = new RegExp(String.raw`^${datePattern}\s*${minus}\s*${datePattern}$`)
const moved = new RegExp(String.raw`^${datePattern}\s*(\+|-|−|plus|minus|加上?|减去?)\s*${span}(?:\s*(?:后|以后|之后))?$`)
const compared = new RegExp(String.raw`^${datePattern}\s*(<=|>=|<|>|==?)\s*${datePattern}$`)
const dayMs = 86_400_000
const help =
  'Dates are calculated alone: "2025-03-01 - 2025-02-01" gives days, "2025-01-31 + 3 months" a date. For a subtraction of numbers put blanks around the minus.'

/**
 * What an expression of dates gives, by the proleptic Gregorian calendar; null where there is no date in it. A month later
 * than the 31st is the last day of a shorter month. Throws where a date stands with anything else.
 */
export function dateResult(expression: string, now: () => number): string | null {
  const question = withoutQuestion(expression.normalize('NFKC')).replace(/(?:之间)?(?:一?共|有|是|相?差|相?隔)*[几多]少?天$/, '')
  const text = withIsoDates(question.replace(/^\(([^()]*)\)$/, '$1').trim(), now)
  if (!anyDate.test(text)) return null
  const apart = difference.exec(text)
  if (apart !== null) {
    const isForward = apart[6] === '到'
    const days = Math.round(((dateOf(apart, 1) - dateOf(apart, 7)) / dayMs) * (isForward ? -1 : 1))
    const rest = days % 7 === 0 ? '' : ` and ${dayCount(Math.abs(days % 7))}`
    const weeks = Math.abs(days) >= 14 ? ` (${Math.trunc(days / 7)} weeks${rest})` : ''
    return `${text} = ${dayCount(days)}${weeks}`
  }
  const away = moved.exec(text)
  if (away !== null) {
    const sign = /^(?:\+|plus|加)/.test(away[6] ?? '') ? 1 : -1
    const unit = unitWords.find(([pattern]) => pattern.test(away[8] ?? ''))?.[1] ?? 'day'
    return `${text} = ${shown(shift(dateOf(away, 1), sign * Number(away[7]), unit))}`
  }
  const order = compared.exec(text)
  if (order !== null) {
    const [one, other] = [dateOf(order, 1), dateOf(order, 7)]
    const holds = { '<': one < other, '>': one > other, '<=': one <= other, '>=': one >= other }[order[6] ?? ''] ?? one === other
    return `${text}: ${holds ? 'true' : 'false'}`
  }
  throw wrong(help)
}

/** Midnight UTC of the date whose groups begin at `at`. */
function dateOf(groups: RegExpExecArray, at: number): number {
  const [year, month, day] = [groups[at], groups[at + 1] ?? groups[at + 3], groups[at + 2] ?? groups[at + 4]].map(Number)
  const time = utc(year!, month! - 1, day!)
  const date = new Date(time)
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) throw wrong(`There is no ${year}-${two(month!)}-${two(day!)}.`)
  return time
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime()
}

function shift(time: number, count: number, unit: 'day' | 'week' | 'month' | 'year'): number {
  if (unit === 'day' || unit === 'week') return time + count * (unit === 'week' ? 7 : 1) * dayMs
  const date = new Date(time)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  const last = new Date(utc(year, month + 1, 0)).getUTCDate()
  return utc(year, month, Math.min(date.getUTCDate(), last))
}

function shown(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(time) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) throw wrong('That is outside the years 1 to 9999.')
  const weekday = new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long' }).format(date)
  return `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())} (${weekday})`
}

function dayCount(days: number): string {
  return `${days} ${Math.abs(days) === 1 ? 'day' : 'days'}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
