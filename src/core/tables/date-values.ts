import { valueOfHanNumeral } from '../search/search.ts'

/** What a shown cell says where it is a day. Each pattern is linear in the cell's length. */

/** Which of two numbers with strokes between them is the month cannot be seen in one cell. */
export type DayOrder = 'month-first' | 'day-first'

export interface DateValue {
  /** 2026-11-30, or 2026-11-30 14:05:00. */
  iso: string
  /** Null where its order is plain; `either` where both orders give a day, and not the same. */
  order: DayOrder | 'either' | null
}

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
/** 14时30分, 下午2:30: as Chinese spreadsheets show a time. */
const hanTime = /(?<=[日号 ]) ?(上午|下午)? ?(\d{1,2})[:时点](\d{1,2})分?(?::?(\d{1,2})秒?)?$/
const time = /[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(?: ?(AM|PM|am|pm))?(?:Z|[+-]\d{2}:?\d{2})?$/
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? |[ (]*(?:星期|周|礼拜)[一二三四五六日天][)]?$/i

/** `assume` decides where a cell does not show whether the day or the month stands first. */
export function dateOf(shown: string, assume: DayOrder = 'month-first'): DateValue | null {
  if (shown.length > 48 || !/[\p{Nd}〇零○一二三四五六七八九十]/u.test(shown)) return null
  let text = shown.normalize('NFKC').trim()
  if (/[上下]午|[时点]/.test(text)) text = text.replace(hanTime, plainTime)
  let clock = ''
  const timed = time.exec(text)
  if (timed !== null) {
    const found = clockOf(timed)
    if (found === null) return null
    clock = found
    text = text.slice(0, timed.index)
  }
  const day = dayOf(text.replace(weekday, '').trim(), assume)
  if (day === null) return null
  return { iso: clock === '' ? day.iso : `${day.iso} ${clock}`, order: day.order }
}

/** Days since the end of 1899, as spreadsheets count them. Null where that is no likely day of a document: before 1954, after 2119. */
export function serialDate(days: number): string | null {
  if (days < 20_000 || days > 80_000) return null
  const iso = new Date(Math.round(Date.UTC(1899, 11, 30) + days * 86_400_000)).toISOString()
  return Number.isInteger(days) ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ')
}

function plainTime(_all: string, half: string | undefined, hours: string, minutes: string, seconds = '0'): string {
  const suffix = half === undefined ? '' : half === '上午' ? ' AM' : ' PM'
  return ` ${hours}:${minutes.padStart(2, '0')}:${seconds.padStart(2, '0')}${suffix}`
}

function clockOf([, hours = '', minutes = '', seconds = '00', half]: RegExpExecArray): string | null {
  let hour = Number(hours)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  }
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}

function dayOf(text: string, assume: DayOrder): DateValue | null {
  const ordered = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4}) ?(年) ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]$/.exec(text)
  if (ordered !== null) return plain(ordered[1], ordered[3], ordered[4])
  const han = /^([〇零○一二三四五六七八九]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})[日号]$/.exec(text)
  if (han !== null) return plain(hanValue(han[1]), hanValue(han[2]), hanValue(han[3]))
  const named = /^(\d{1,2})(?:st|nd|rd|th)?[ -](?:of )?([A-Za-z]{3,9})\.?,?[ -](\d{4}|\d{2})$/.exec(text)
  if (named !== null) return plain(yearOf(named[3] ?? ''), monthOf(named[2] ?? ''), named[1])
  const american = /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(text)
  if (american !== null) return plain(american[3], monthOf(american[1] ?? ''), american[2])
  const strokes = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text)
  if (strokes === null) return null
  const [one, other] = [Number(strokes[1]), Number(strokes[3])]
  const year = yearOf(strokes[4] ?? '')
  const order = strokes[2] === '.' || one > 12 ? 'day-first' : other > 12 ? 'month-first' : one === other ? null : 'either'
  const dayFirst = order === 'either' ? assume === 'day-first' : order === 'day-first'
  const found = dayFirst ? plain(year, other, one) : plain(year, one, other)
  return found && { ...found, order }
}

function hanValue(text = ''): number {
  return valueOfHanNumeral(text) ?? Number.NaN
}

function monthOf(word: string): number {
  const wanted = word.toLowerCase()
  return months.findIndex((month) => month.startsWith(wanted)) + 1
}

function yearOf(digits: string): number {
  const year = Number(digits)
  return digits.length === 4 ? year : year < 70 ? 2000 + year : 1900 + year
}

function plain(year: string | number | undefined, month: string | number | undefined, day: string | number | undefined): DateValue | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (!(m >= 1 && m <= 12 && d >= 1 && d <= new Date(Date.UTC(y, m, 0)).getUTCDate() && y >= 1000)) return null
  return { iso: `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`, order: null }
}
