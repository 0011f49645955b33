/** What a shown cell is worth, where it is a number or a date. Each pattern is linear in the cell's length. */

export interface NumberValue {
  value: number
  whole: boolean
}

const longestNumber = 60
const units: Record<string, number> = {
  百: 1e2,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  m: 1e6,
  bn: 1e9,
  B: 1e9,
}
const money = /^(?:(?:US|HK|NT|A|C)?\$|CN¥|RMB|CNY|USD|EUR|GBP|JPY|HKD|\p{Sc}|元)/u
const moneyAfter = /(?:元|圆|人民币|RMB|CNY|USD|EUR|GBP|JPY|HKD|\p{Sc})$/u
const plainNumber = /^(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,3}(?: \d{3})+|\d{1,4}(?:,\d{4})+|\d+)(?:\.\d*)?$|^\.\d+$/
const exponent = /^\d+(?:\.\d+)?[eE][-+]?\d{1,3}$/

/** "1,234.50", "12%", "￥3,000", "(5)", "3万": null where it is no number. A name such as 007 or 0123 stays text. */
export function numberOf(shown: string): NumberValue | null {
  if (shown.length > longestNumber) return null
  let text = shown.normalize('NFKC').trim()
  if (!/\d/.test(text)) return null
  let sign = 1
  if (text.startsWith('(') && text.endsWith(')')) {
    sign = -1
    text = text.slice(1, -1).trim()
  }
  // A sign stands before or after the currency.
  for (let round = 0; round < 2; round += 1) {
    const signed = /^[-+\u2212]/.exec(text)
    if (signed !== null) {
      if (signed[0] !== '+') sign = -sign
      text = text.slice(1).trim()
    }
    text = text.replace(money, '').trim()
  }
  text = text.replace(moneyAfter, '').trim()
  let factor = 1
  const share = /[%‰]$/.exec(text)
  if (share !== null) {
    factor = share[0] === '%' ? 0.01 : 0.001
    text = text.slice(0, -1).trim()
  } else {
    const unit = /(?:bn|[百千万萬亿億kKMmB])$/.exec(text)
    if (unit !== null) {
      factor = units[unit[0]] ?? 1
      text = text.slice(0, -unit[0].length).trim()
    }
  }
  if (exponent.test(text)) return toValue(Number(text), sign, factor, 0)
  if (!plainNumber.test(text)) return null
  const digits = text.replace(/[,' ]/g, '')
  if (/^0\d/.test(digits)) return null
  // A long row of digits is a name: a number could not hold it.
  if (digits.replace('.', '').length > 15) return null
  return toValue(Number(digits), sign, factor, digits.split('.')[1]?.length ?? 0)
}

function toValue(number: number, sign: number, factor: number, decimals: number): NumberValue | null {
  if (!Number.isFinite(number)) return null
  // 4.35% is 0.0435 and not 0.043499999999999997.
  const scaled = factor === 1 ? number : Number((number * factor).toPrecision(15))
  const value = sign * scaled
  return { value: value === 0 ? 0 : value, whole: decimals === 0 && Number.isSafeInteger(value) }
}

/** Which of two numbers with strokes between them is the month cannot be seen in one cell. */
export type DayOrder = 'month-first' | 'day-first'

export interface DateValue {
  /** 2026-11-30, or 2026-11-30 14:05:00. */
  iso: string
  /** Null where its order is plain. */
  order: DayOrder | 'either' | null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = /[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?(?: ?(AM|PM|am|pm))?(?:Z|[+-]\d{2}:?\d{2})?$/

/** `assume` decides where a cell does not show whether the day or the month stands first. */
export function dateOf(shown: string, assume: DayOrder = 'month-first'): DateValue | null {
  if (shown.length > 40 || !/\d/.test(shown)) return null
  let text = shown.normalize('NFKC').trim()
  let clock = ''
  const timed = time.exec(text)
  if (timed !== null) {
    const found = clockOf(timed)
    if (found === null) return null
    clock = found
    text = text.slice(0, timed.index)
  }
  const day = dayOf(text, assume)
  if (day === null) return null
  return { iso: clock === '' ? day.iso : `${day.iso} ${clock}`, order: day.order }
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
  const ordered = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(\d{4})(年) ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]$/.exec(text)
  if (ordered !== null) return plain(ordered[1], ordered[3], ordered[4])
  const named = /^(\d{1,2})[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4}|\d{2})$/.exec(text)
  if (named !== null) return plain(yearOf(named[3] ?? ''), monthOf(named[2] ?? ''), named[1])
  const american = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})$/.exec(text)
  if (american !== null) return plain(american[3], monthOf(american[1] ?? ''), american[2])
  const strokes = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text)
  if (strokes === null) return null
  const [one, other] = [Number(strokes[1]), Number(strokes[3])]
  const year = yearOf(strokes[4] ?? '')
  const order = strokes[2] === '.' || one > 12 ? 'day-first' : other > 12 ? 'month-first' : 'either'
  const dayFirst = order === 'either' ? assume === 'day-first' : order === 'day-first'
  const found = dayFirst ? plain(year, other, one) : plain(year, one, other)
  return found && { ...found, order }
}

function monthOf(word: string): number {
  return months.indexOf(word.slice(0, 3).toLowerCase()) + 1
}

function yearOf(digits: string): number {
  const year = Number(digits)
  return digits.length === 4 ? year : year < 70 ? 2000 + year : 1900 + year
}

function plain(year: string | number | undefined, month: string | number | undefined, day: string | number | undefined): DateValue | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (m < 1 || m > 12 || d < 1 || d > new Date(Date.UTC(y, m, 0)).getUTCDate() || y < 1000) return null
  return { iso: `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`, order: null }
}
