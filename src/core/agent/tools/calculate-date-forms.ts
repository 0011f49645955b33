import { wrong } from './calculate-numbers.ts'

/**
 * Dates as people write them (2026/11/30, 2026.11.30, 2026-1-5, 11/30/2026, today) as 2026-11-30. Without blanks 2026/4/2 is a
 * division too: it is taken for a date where another date, or a span of days, stands beside it, and asked about elsewhere.
 */
const yearFirst = /(?<![\d.,/:])((?:19|20|21)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.,/:])/g
const yearLast = /(?<![\d.,/:])(\d{1,2})([/.])(\d{1,2})\2((?:19|20|21)\d{2})(?![\d.,/:])/g
const shortYear = /^\d{1,2}\/\d{1,2}\/\d{2}\s*(?:[-−–<>=到]|minus|减去?)+\s*\d{1,2}\/\d{1,2}\/\d{2}$/
const dayWords: [RegExp, number][] = [
  [/\btoday\b|今天|今日/giu, 0],
  [/\btomorrow\b|明天/giu, 1],
  [/\byesterday\b|昨天/giu, -1],
]
const isoDate = String.raw`\d{4}-\d{2}-\d{2}`
const hanDate = String.raw`\d{4}年\d{1,2}月\d{1,2}日?`
/** Nothing but dates, the sign between them, and a span of days. */
const onlyDates = new RegExp(
  String.raw`^(?:${isoDate}|${hanDate})\s*(?:-|−|–|\+|<=|>=|<|>|==?|minus|plus|加上?|减去?|到)\s*(?:${isoDate}|${hanDate}|\d{1,6}\s*(?:days?|weeks?|months?|years?|[天日周年]|个?(?:星期|月))(?:\s*(?:之|以)?后)?)$`,
)
const dayMs = 86_400_000

/** The text with its dates as 2026-11-30. Throws where one cannot be told from a division, or its day from its month. */
export function withIsoDates(text: string, now: () => number): string {
  if (shortYear.test(text)) throw wrong(`In ${text} the years are not clear. ${howToWrite}`)
  const unclear: string[] = []
  const found: string[] = []
  const iso = (written: string, year: string, month: string, day: string): string => {
    if (!isDay(month, day)) return written
    found.push(written)
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  let plain = text
    .replace(yearFirst, (written: string, year: string, _sign: string, month: string, day: string) => iso(written, year, month, day))
    .replace(yearLast, (written: string, one: string, _sign: string, other: string, year: string) => {
      if (one !== other && isDay(one, other) && isDay(other, one)) unclear.push(written)
      return isDay(one, other) ? iso(written, year, one, other) : iso(written, year, other, one)
    })
  for (const [word, days] of dayWords) plain = plain.replace(word, () => isoDay(now() + days * dayMs))
  const first = found.find((written) => !written.includes('-'))
  if (first === undefined) return plain
  if (unclear.length > 0)
    throw wrong(
      `In ${unclear[0]} it is not clear which number is the day and which the month. ${howToWrite} For a division put blanks around the signs.`,
    )
  if (!onlyDates.test(plain))
    throw wrong(`It is not clear whether ${first} is a date or a division. ${howToWrite} For a division put blanks around the signs.`)
  return plain
}

const howToWrite = 'Write dates as year-month-day, such as 2026-11-30.'

function isDay(month: string, day: string): boolean {
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
}

/** By this machine's clock and zone. */
function isoDay(time: number): string {
  const date = new Date(time)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
