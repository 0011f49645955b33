import type { Section, Token } from './cell-format-code.ts'
import { digitNumerals, numeralsOf } from './cell-format-numerals.ts'

/** The day of a count of days, as spreadsheets count them; null where there is none. */
export type DayOf = (days: number, date1904: boolean) => { year: number; month: number; day: number; weekday: number } | null

const eras = [
  { from: 20190501, year: 2019, short: 'R', one: '令', name: '令和' },
  { from: 19890108, year: 1989, short: 'H', one: '平', name: '平成' },
  { from: 19261225, year: 1926, short: 'S', one: '昭', name: '昭和' },
  { from: 19120730, year: 1912, short: 'T', one: '大', name: '大正' },
  { from: 0, year: 1868, short: 'M', one: '明', name: '明治' },
]

/** One of its names for each weekday or month in a language. */
const names = new Map<string, readonly string[]>()

function namesOf(locale: string, unit: 'weekday' | 'month', length: 'long' | 'short'): readonly string[] {
  const key = `${locale} ${unit} ${length}`
  let found = names.get(key)
  if (found === undefined) {
    const format = new Intl.DateTimeFormat(locale, { [unit]: length, timeZone: 'UTC' })
    // The first of January 2023 was a Sunday.
    found = Array.from({ length: unit === 'month' ? 12 : 7 }, (_none, index) =>
      format.format(unit === 'month' ? Date.UTC(2023, index, 1) : Date.UTC(2023, 0, 1 + index)),
    )
    names.set(key, found)
  }
  return found
}

/** A moment under the date part of a format; null where the value is none. */
export function showDate(section: Section, value: number, date1904: boolean, dayOf: DayOf): string | null {
  const tokens = section.tokens
  const places = fractionPlaces(tokens)
  const unit = 10 ** places
  const total = Math.round(value * 86_400 * unit)
  const day = dayOf(Math.floor(total / (86_400 * unit)), date1904)
  if (day === null || value < 0) return null
  const inDay = total % (86_400 * unit)
  const seconds = Math.floor(inDay / unit)
  const hours = Math.floor(seconds / 3600)
  const locale = section.locale
  const isHalved = tokens.some(({ kind }) => kind === 'half-day')
  const digits = (count: number, least: number): string => {
    const text = `${count}`.padStart(least, '0')
    return section.numerals === 0 ? text : numeralsOf(text, section.numerals, true)
  }
  const year = (count: number, least: number): string => {
    const text = `${count}`.padStart(least, '0')
    return section.numerals === 0 ? text : digitNumerals(text, section.numerals)
  }

  function letters(token: Token, at: number): string {
    const { text } = token
    const count = text.length
    const first = text[0]?.toLowerCase()
    if (token.kind === 'elapsed') {
      const whole = first === 'h' ? 3600 * unit : first === 'm' ? 60 * unit : unit
      return digits(Math.floor(total / whole), count)
    }
    if (first === 'h') return digits(isHalved ? hours % 12 || 12 : hours, Math.min(count, 2))
    if (first === 's') return digits(seconds % 60, Math.min(count, 2))
    if (first === 'm' && isMinutes(tokens, at)) return digits(Math.floor(seconds / 60) % 60, Math.min(count, 2))
    return dayLetters(first ?? '', count)
  }

  function dayLetters(first: string, count: number): string {
    const { year: y, month, day: d, weekday } = day!
    const named = (unit: 'weekday' | 'month', index: number, length: 'long' | 'short', own = 'en'): string =>
      namesOf(locale ?? own, unit, length)[index] ?? ''
    switch (first) {
      case 'y':
        return count > 2 ? year(y, 4) : year(y % 100, 2)
      case 'b':
        return count > 2 ? year(y + 543, 4) : year((y + 543) % 100, 2)
      case 'm':
        if (count < 3) return digits(month, count)
        return count === 5 ? named('month', month - 1, 'long').slice(0, 1) : named('month', month - 1, count === 3 ? 'short' : 'long')
      case 'd':
        return count < 3 ? digits(d, count) : named('weekday', weekday, count === 3 ? 'short' : 'long')
      case 'a':
        return named('weekday', weekday, count === 3 ? 'short' : 'long', 'zh-CN')
      case 'e':
        if (locale?.startsWith('ja') === true) return digits(y - eraOf(day!).year + 1, Math.min(count, 2))
        return locale === 'zh-TW' ? digits(y - 1911, 1) : year(y, 4)
      case 'g':
        if (locale === 'zh-TW') return count > 2 ? '中華民國' : '民國'
        if (locale?.startsWith('ja') !== true) return ''
        return count === 1 ? eraOf(day!).short : count === 2 ? eraOf(day!).one : eraOf(day!).name
      default:
        return ''
    }
  }

  let shown = ''
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'date' || token.kind === 'elapsed') shown += letters(token, at)
    else if (token.kind === 'half-day') shown += halfDay(token.text, locale, hours >= 12)
    else if (token.kind === 'digit') continue
    else if (token.kind === 'point' && tokens[at + 1]?.kind === 'digit') shown += `.${`${inDay % unit}`.padStart(places, '0')}`
    else shown += token.text
  }
  return shown
}

function eraOf({ year, month, day }: { year: number; month: number; day: number }): (typeof eras)[number] {
  const number = year * 10_000 + month * 100 + day
  return eras.find(({ from }) => number >= from)!
}

function halfDay(text: string, locale: string | null, isAfternoon: boolean): string {
  const own = locale?.startsWith('zh') === true ? '上午/下午' : locale?.startsWith('ja') === true ? '午前/午後' : text
  return (text === 'A/P' ? text : own).split('/')[isAfternoon ? 1 : 0] ?? ''
}

/** Places behind the point of the seconds. */
function fractionPlaces(tokens: readonly Token[]): number {
  const point = tokens.findIndex(({ kind }, at) => kind === 'point' && tokens[at + 1]?.kind === 'digit')
  let places = 0
  while (point !== -1 && tokens[point + 1 + places]?.kind === 'digit') places += 1
  return Math.min(places, 3)
}

/** Behind hours or before seconds, `m` stands for minutes. */
function isMinutes(tokens: readonly Token[], at: number): boolean {
  if ((tokens[at]?.text.length ?? 0) > 2) return false
  const isTime = ({ kind }: Token): boolean => kind === 'date' || kind === 'elapsed'
  const before = tokens.slice(0, at).findLast(isTime)
  const next = tokens.slice(at + 1).find(isTime)
  return /^h/i.test(before?.text ?? '') || /^s/i.test(next?.text ?? '')
}
