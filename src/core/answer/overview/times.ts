import { valueOfHanNumeral } from '../../search/search.ts'
import { takeSpan } from './dates.ts'
import type { Reading } from './text.ts'

/** Bounds of a day as the beginnings of dates: 2026, 2026-03 or 2026-03-04. `before` is left out, `through` with all of it is in. */
export interface TimeBounds {
  from?: string
  through?: string
  after?: string
  before?: string
}

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const monthWords = months.map((month) => (month === 'may' ? month : `${month}|${month.slice(0, 3)}`)).join('|')
const hanDigits = '[〇零○一二三四五六七八九十]'
const two = (text: string | number | undefined): string => String(text ?? '').padStart(2, '0')

/** Each date in a question as 2026-03-04, 2026-03 or as a range of them, whatever way it is written. Null where one can be read in two ways. */
export function plainDates(question: string): { text: string } | { ambiguous: string } {
  let ambiguous: string | null = null
  const monthOf = (word: string): number => months.findIndex((month) => month.startsWith(word.toLowerCase().slice(0, 3))) + 1
  const text = question
    .normalize('NFKC')
    .replace(new RegExp(`(${hanDigits}{4})(?=年)`, 'g'), (digits) => String(valueOfHanNumeral(digits) ?? digits))
    .replace(
      new RegExp(`(年)(${hanDigits}{1,2})(?=月)`, 'g'),
      (_all, year: string, month: string) => year + String(valueOfHanNumeral(month) ?? month),
    )
    .replace(
      new RegExp(`(月)(${hanDigits}{1,3})(?=[日号])`, 'g'),
      (_all, month: string, day: string) => month + String(valueOfHanNumeral(day) ?? day),
    )
    .replace(/(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]/g, (_all, y: string, m: string, d: string) => ` ${y}-${two(m)}-${two(d)} `)
    .replace(/(\d{4}) ?年(?:的)?第?([一二三四1-4])季度/g, (_all, y: string, q: string) => quarter(y, valueOfHanNumeral(q) ?? Number(q)))
    .replace(/\bq([1-4]) (?:of )?(\d{4})\b/gi, (_all, q: string, y: string) => quarter(y, Number(q)))
    .replace(/\b(\d{4}) ?q([1-4])\b/gi, (_all, y: string, q: string) => quarter(y, Number(q)))
    .replace(/(?:the )?(first|second|third|fourth) quarter of (\d{4})/gi, (_all, q: string, y: string) =>
      quarter(y, ['first', 'second', 'third', 'fourth'].indexOf(q.toLowerCase()) + 1),
    )
    .replace(/(\d{4}) ?年(?:的)?([上下])半年/g, (_all, y: string, half: string) =>
      half === '上' ? ` ${y}-01 to ${y}-06 ` : ` ${y}-07 to ${y}-12 `,
    )
    .replace(
      /(\d{4}) ?年 ?(\d{1,2}) ?月? ?(?:到|至|-|—|~) ?(\d{1,2}) ?月(?:份)?/g,
      (_all, y: string, m: string, n: string) => ` ${y}-${two(m)} to ${y}-${two(n)} `,
    )
    .replace(/(\d{4}) ?年 ?(\d{1,2}) ?月(?:份)?/g, (_all, y: string, m: string) => ` ${y}-${two(m)} `)
    .replace(
      new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${monthWords})\\.?,? (\\d{4})\\b`, 'gi'),
      (_all, d: string, m: string, y: string) => `${y}-${two(monthOf(m))}-${two(d)}`,
    )
    .replace(
      new RegExp(`\\b(${monthWords})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'gi'),
      (_all, m: string, d: string, y: string) => `${y}-${two(monthOf(m))}-${two(d)}`,
    )
    .replace(
      new RegExp(`\\b(${monthWords})(?: (?:and|to|through|until) |-)(${monthWords}) (\\d{4})\\b`, 'gi'),
      (_all, m: string, n: string, y: string) => `${y}-${two(monthOf(m))} to ${y}-${two(monthOf(n))}`,
    )
    .replace(new RegExp(`\\b(${monthWords})\\.? (?:of )?(\\d{4})\\b`, 'gi'), (_all, m: string, y: string) => `${y}-${two(monthOf(m))}`)
    .replace(/(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/g, (_all, y: string, m: string, d: string) => `${y}-${two(m)}-${two(d)}`)
    .replace(/(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)/g, (all, a: string, stroke: string, b: string, y: string) => {
      const [one, other] = [Number(a), Number(b)]
      if (stroke !== '.' && one <= 12 && other <= 12 && one !== other) ambiguous ??= all
      const isDayFirst = stroke === '.' || one > 12
      return isDayFirst ? `${y}-${two(other)}-${two(one)}` : `${y}-${two(one)}-${two(other)}`
    })
  return ambiguous === null ? { text } : { ambiguous }
}

/** 一万元以上 as 10000元以上: numerals of Chinese that stand for an amount. */
export function plainNumerals(question: string): string {
  const numeral = '[一二两三四五六七八九十百千万亿零〇]*[十百千万亿]'
  const before = '超过|大于|高于|多于|不足|不到|少于|低于|小于|至少|不少于|不低于|至多|不超过|介于|在|到|至|和|与'
  const after = '元|块|美元|欧元|及?以上|及?以下|以内|之间|到|至|和'
  return question.replace(new RegExp(`(?<=${before})${numeral}(?![一二两三四五六七八九])|${numeral}(?=${after})`, 'g'), (text) => {
    const value = /^[十百千万亿]/.test(text) ? null : valueOfHanNumeral(text)
    return value === null ? text : String(value)
  })
}

function quarter(year: string, number: number): string {
  return ` ${year}-${two(number * 3 - 2)} to ${year}-${two(number * 3)} `
}

const point = '(\\d{4}(?:-\\d{1,2}(?:-\\d{1,2})?)?)(?!\\d)'

/** Takes a time out of a question whose dates are plain. Null where there is none. */
export function takeTime(reading: Reading, now: number): { at: number; bounds: TimeBounds } | null {
  const range =
    reading.take(
      new RegExp(
        `(?:between|from|in|during|within|从|自|在)? ?(?<![\\d-])${point}年? ?(?:and|to|until|through|到|至|和|与|~|—|-) ?${point}年?(?: ?(?:之间|期间|间|内))?`,
      ),
    ) ?? null
  if (range !== null) return { at: range.index, bounds: { from: plainPoint(range[1]), through: plainPoint(range[2]) } }
  const found =
    reading.take(new RegExp(`(?:on or |since |from )(after|since)? ?(?<![\\d-])${point}()(?: onwards?)?`)) ??
    reading.take(
      new RegExp(
        `(before|after|since|until|till|through|by|on|in|during|not earlier than|not later than|earlier than|later than|prior to|不早于|不晚于|早于|先于|晚于|迟于)? ?(?<![\\d.,-])${point}(?: ?(年))? ?(及?以前|之前|前|及?以后|之后|后|以来|起)?(?: ?(?:的时候|当天|全年|这一年|这年|年度))?`,
      ),
    )
  if (found === null) return fromSpan(reading, now)
  const value = plainPoint(found[2])
  // Four digits are a year only where something says so.
  if (/^\d{4}$/.test(value) && found[1] === undefined && found[3] === undefined && !/^(?:on or|since|from)/.test(found[0])) return null
  const word = /^(?:on or |since |from )/.test(found[0]) ? 'since' : (found[1] ?? found[4] ?? '')
  return { at: found.index, bounds: boundsOf(word, value) }
}

function plainPoint(text = ''): string {
  const [year = '', ...rest] = text.split('-')
  return [year, ...rest.map(two)].join('-')
}

function boundsOf(word: string, value: string): TimeBounds {
  switch (word) {
    case 'before':
    case 'earlier than':
    case 'prior to':
    case '早于':
    case '先于':
    case '以前':
    case '之前':
    case '前':
      return { before: value }
    case 'since':
    case 'not earlier than':
    case '不早于':
    case '以来':
    case '起':
      return { from: value }
    case 'until':
    case 'not later than':
    case '不晚于':
    case 'till':
    case 'through':
    case 'by':
    case '及以前':
      return { through: value }
    case '及以后':
      return { from: value }
    case 'after':
    case '晚于':
    case '迟于':
    case 'later than':
    case '以后':
    case '之后':
    case '后':
      return { after: value }
    default:
      return { from: value, through: value }
  }
}

/** "This year", 上个月: against the day of asking. */
function fromSpan(reading: Reading, now: number): { at: number; bounds: TimeBounds } | null {
  const mark = reading.rest
  const span = takeSpan(reading, now)
  if (span === null) return null
  const day = (at: number): string => {
    const date = new Date(at)
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  }
  const at = firstDifference(mark, reading.rest)
  return {
    at,
    bounds: {
      ...(span.from > 0 ? { from: day(span.from) } : {}),
      ...(span.before === null ? { through: day(now) } : { before: day(span.before) }),
    },
  }
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}
