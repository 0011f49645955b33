import type { Reading } from './text.ts'

/** Milliseconds since 1970, in the time zone of this machine; `before` null: until now. */
export interface Span {
  from: number
  before: number | null
}

const dayMs = 86_400_000
const englishDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const han: Record<string, number> = { 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10, 日: 0, 天: 0 }

function midnight(at: number, days = 0): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

function monthStart(at: number, change = 0): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth() + change, 1).getTime()
}

/** Weeks begin on Monday. */
function weekStart(at: number, change = 0): number {
  return midnight(at, -((new Date(at).getDay() + 6) % 7) + change * 7)
}

/** The last such day that has begun; today counts. */
function lastWeekday(at: number, day: number): number {
  return midnight(at, -((new Date(at).getDay() - day + 7) % 7))
}

function numberOf(text: string): number {
  const digits = Number(text)
  if (Number.isFinite(digits)) return digits
  if (text === 'a' || text === 'an' || text === 'one') return 1
  const words = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].indexOf(text)
  return words >= 0 ? words + 2 : (han[text] ?? 1)
}

/** Takes a time out of a question: "since Monday", "in the last 3 days", "本周", "11月1日以来". Null where there is none. */
export function takeSpan(reading: Reading, now: number): Span | null {
  const today = midnight(now)
  const year = new Date(now).getFullYear()

  const recent =
    reading.take(
      /(?:in|during|within|over)? ?(?:the )?(?:last|past) (\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (hour|day|week|month|year)s?/,
    ) ??
    reading.take(
      /(?:最近|过去|近)(?:的)?\s*(\d{1,3}|[一两二三四五六七八九十])\s*(?:个)?(小时|天|日|周|星期|礼拜|月|年)(?:以来|来|内|里|之内)?/,
    )
  if (recent !== null) {
    const count = numberOf(recent[1] ?? '1')
    switch (recent[2]) {
      case 'hour':
      case '小时':
        return { from: now - count * 3_600_000, before: null }
      case 'day':
      case '天':
      case '日':
        return { from: now - count * dayMs, before: null }
      case 'week':
      case '周':
      case '星期':
      case '礼拜':
        return { from: now - count * 7 * dayMs, before: null }
      case 'month':
      case '月':
        return { from: midnight(monthsAgo(now, count)), before: null }
      default:
        return { from: midnight(monthsAgo(now, count * 12)), before: null }
    }
  }

  const since = /(?:since|from|after) (?:last |this |the )?/
  const day = reading.take(new RegExp(`(?:${since.source}|on )(${englishDays.join('|')})`))
  if (day !== null) {
    const from = lastWeekday(now, englishDays.indexOf(day[1] ?? ''))
    return { from, before: day[0].startsWith('on ') ? from + dayMs : null }
  }
  const chineseDay = reading.take(/(?:自|从)?(上)?(?:周|星期|礼拜)([一二三四五六日天])(?:以来|开始|之后|以后|起)?/)
  if (chineseDay !== null) {
    const index = han[chineseDay[2] ?? ''] ?? 0
    const from = chineseDay[1] === undefined ? lastWeekday(now, index) : weekStart(now, -1) + ((index + 6) % 7) * dayMs
    return { from, before: /以来|开始|之后|以后|起|自|从/.test(chineseDay[0]) ? null : from + dayMs }
  }

  const dated =
    reading.take(/(since|after|from|on|in|before)? ?(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?/) ??
    reading.take(/(自|从)?(\d{4})年(?:(\d{1,2})月)?(?:(\d{1,2})[日号])?(以来|之后|以后|起|以前|之前)?/)
  if (dated !== null) return spanOf(Number(dated[2]), dated[3], dated[4], dated[1] ?? dated[5])
  const short = reading.take(/(自|从)?(\d{1,2})月(?:(\d{1,2})[日号])?(?:份)?(以来|之后|以后|起|以前|之前)?/)
  if (short !== null) return spanOf(year, short[2], short[3], short[1] ?? short[4])
  const named = reading.take(
    new RegExp(`(since|after|from|on|in|before) (${months.join('|')})(?: (\\d{1,2})(?!\\d)(?:st|nd|rd|th)?)?(?:,? (\\d{4}))?`),
  )
  if (named !== null) {
    const month = months.indexOf(named[2] ?? '') + 1
    const inYear = named[4] === undefined ? (month > new Date(now).getMonth() + 1 ? year - 1 : year) : Number(named[4])
    return spanOf(inYear, String(month), named[3], named[1])
  }

  const open = (text: string): boolean => /since|from|after|自|从|以来|开始|起|之后|以后/.test(text)
  const close = (from: number, before: number, text: string): Span => ({ from, before: open(text) ? null : before })
  const yesterday = reading.take(/(?:since |from )?yesterday|(?:自|从)?(?:昨天|昨日)(?:以来|开始|起)?/)
  if (yesterday !== null) return close(midnight(now, -1), today, yesterday[0])
  if (reading.take(/(?:since |from )?(?:today|this morning)|今天|今日|今早/) !== null) return { from: today, before: null }
  const lastWeek = reading.take(/(?:since |from |in |during )?last week|(?:自|从)?上(?:个)?(?:周|星期|礼拜)(?:以来|开始|起)?/)
  if (lastWeek !== null) return close(weekStart(now, -1), weekStart(now), lastWeek[0])
  if (reading.take(/(?:since |in |during )?this week|(?:本|这)(?:个)?(?:周|星期|礼拜)/) !== null)
    return { from: weekStart(now), before: null }
  const lastMonth = reading.take(/(?:since |from |in |during )?last month|(?:自|从)?上(?:个)?月(?:以来|开始|起)?/)
  if (lastMonth !== null) return close(monthStart(now, -1), monthStart(now), lastMonth[0])
  if (reading.take(/(?:since |in |during )?this month|(?:本|这个)月/) !== null) return { from: monthStart(now), before: null }
  const lastYear = reading.take(/(?:since |from |in |during )?last year|去年(?:以来)?/)
  if (lastYear !== null) return close(new Date(year - 1, 0, 1).getTime(), new Date(year, 0, 1).getTime(), lastYear[0])
  if (reading.take(/(?:since |in |during )?this year|今年/) !== null) return { from: new Date(year, 0, 1).getTime(), before: null }
  return null
}

function monthsAgo(now: number, count: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth() - count, date.getDate()).getTime()
}

function spanOf(year: number, month: string | undefined, day: string | undefined, word: string | undefined): Span | null {
  const m = month === undefined ? 0 : Number(month) - 1
  const d = day === undefined ? 1 : Number(day)
  const from = new Date(year, m, d).getTime()
  const after = day !== undefined ? new Date(year, m, d + 1) : month !== undefined ? new Date(year, m + 1, 1) : new Date(year + 1, 0, 1)
  if (word !== undefined && /before|以前|之前/.test(word)) return { from: 0, before: from }
  if (word === 'after' || (word !== undefined && /之后|以后/.test(word))) return { from: after.getTime(), before: null }
  const isOpen = word !== undefined && /since|from|自|从|以来|起/.test(word)
  return { from, before: isOpen ? null : after.getTime() }
}
