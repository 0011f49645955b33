import { valueOfHanNumeral } from '../search/search.ts'

/** What a shown cell is worth where it is a number, and of what. Each pattern is linear in the cell's length. */

export interface NumberValue {
  value: number
  whole: boolean
  /** The currency's sign, or "%"; empty where the cell names none. */
  unit: string
  /**
   * What the cell shows of how its column writes numbers: `point` and `comma` are the decimal mark that it must have,
   * `dot-three` and `comma-three` could be either ("1.234"), null says nothing.
   */
  mark: 'point' | 'comma' | 'dot-three' | 'comma-three' | null
}

export type DecimalMark = 'point' | 'comma'

const longestNumber = 60
const scales: [RegExp, number][] = [
  [/[万萬]亿$|[万萬]億$/, 1e12],
  [/[亿億]$/, 1e8],
  [/千[万萬]$/, 1e7],
  [/百[万萬]$/, 1e6],
  [/十[万萬]$/, 1e5],
  [/[万萬]$/, 1e4],
  [/千$/, 1e3],
  [/百$/, 1e2],
  [/ ?(?:billion|bn)$/i, 1e9],
  [/ ?(?:million|mio|mn|M)$/, 1e6],
  [/ ?(?:thousand|k|K)$/, 1e3],
]
/** "5 m" may be metres, unless it is money. */
const scalesOfMoney: [RegExp, number][] = [
  [/ ?B$/, 1e9],
  [/ ?m$/, 1e6],
]

/** Each currency under one sign, whichever way it is written. */
const currencies: [RegExp, string][] = [
  [/HK\$|HKD|港元|港币|港幣/, 'HK$'],
  [/NT\$|NTD|TWD|新台币|新臺幣/, 'NT$'],
  [/(?:CA|C)\$|CAD|加元/, 'C$'],
  [/(?:AU|A)\$|AUD|澳元/, 'A$'],
  [/(?:US)?\$|USD|美元|美金|dollars?/, '$'],
  [/EUR|€|欧元|歐元|euros?/, '€'],
  [/GBP|£|英镑|英鎊/, '£'],
  [/JPY|日元|日圆|円/, 'JPY'],
  [/CHF|瑞士法郎/, 'CHF'],
  [/CN¥|RMB|CNY|¥|人民币元?|人民幣元?|元人民币|元|圆|圓|yuan/, '¥'],
  [/\p{Sc}/u, ''],
]
const anyCurrency = currencies.map(([pattern]) => pattern.source).join('|')
const before = new RegExp(`^(?:${anyCurrency})`, 'u')
const after = new RegExp(`(?:${anyCurrency})$`, 'u')

const pointNumber = /^(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,3}(?: \d{3})+|\d{1,4}(?:,\d{4})+|\d+)(?:\.\d*)?$|^\.\d+$/
const commaNumber = /^(?:\d{1,3}(?:\.\d{3})+|\d{1,3}(?:'\d{3})+|\d{1,3}(?: \d{3})+|\d+)(?:,\d+)?$/
const exponent = /^\d+(?:\.\d+)?[eE][-+]?\d{1,3}$/

/** The sign of a currency however it is written: "CNY", "元" and "￥" are "¥". Null where it is none. */
export function currencyOf(text: string): string | null {
  const plain = text.normalize('NFKC').trim()
  for (const [pattern, sign] of currencies) if (new RegExp(`^(?:${pattern.source})$`, 'iu').test(plain)) return sign || plain
  return null
}

/**
 * "1,234.50", "1.234,50", "12%", "￥3,000", "(5)", "3万元": null where it is no number. A name such as 007 or 0123 stays text.
 * `assume` decides what "1.234" and "1,234" are.
 */
export function numberOf(shown: string, assume: DecimalMark = 'point'): NumberValue | null {
  if (shown.length > longestNumber) return null
  // A power is not the number with its digits: 10⁶ is not 106.
  if (/[⁰¹²³⁴-⁹₀-₉]/.test(shown)) return null
  let text = shown.normalize('NFKC').trim()
  if (!/\d/.test(text)) return wordsOf(text)
  let sign = 1
  let unit = ''
  const takeUnit = (pattern: RegExp): void => {
    const found = unit === '' ? pattern.exec(text) : null
    if (found === null) return
    unit = currencyOf(found[0]) ?? found[0]
    text = text.replace(pattern, '').trim()
  }
  // Sign, brackets and currency stand around each other in any order.
  for (let round = 0, isBracketed = false; round < 3; round += 1) {
    if (!isBracketed && text.startsWith('(') && text.endsWith(')')) {
      isBracketed = true
      sign = -sign
      text = text.slice(1, -1).trim()
    }
    const signed = /^[-+\u2212]/.exec(text)
    if (signed !== null) {
      if (signed[0] !== '+') sign = -sign
      text = text.slice(1).trim()
    }
    takeUnit(before)
    takeUnit(after)
  }
  let factor = 1
  const share = /[%‰]$/.exec(text)
  if (share !== null) {
    if (unit !== '') return null
    unit = '%'
    factor = share[0] === '%' ? 0.01 : 0.001
    text = text.slice(0, -1).trim()
  } else {
    const scale = [...scales, ...(unit === '' ? [] : scalesOfMoney)].find(([pattern]) => pattern.test(text))
    if (scale !== undefined) {
      factor = scale[1]
      text = text.replace(scale[0], '').trim()
    }
  }
  if (exponent.test(text)) return toValue(Number(text), sign, factor, { decimals: 0, unit, mark: text.includes('.') ? 'point' : null })
  const mark = markOf(text)
  if (mark === 'none') return null
  const decimal = mark === 'point' || mark === 'comma' ? mark : assume
  const digits = decimal === 'point' ? text.replace(/[,' ]/g, '') : text.replace(/[.' ]/g, '').replace(',', '.')
  if (/^0\d/.test(digits)) return null
  // A long row of digits is a name: a number could not hold it.
  if (digits.replace('.', '').length > 15) return null
  return toValue(Number(digits), sign, factor, { decimals: digits.split('.')[1]?.length ?? 0, unit, mark })
}

/** What has no digits and is a number: the amounts of cheques (壹仟元整), and the stroke that stands for nothing in accounts ("¥ -"). */
function wordsOf(text: string): NumberValue | null {
  const stroke = /^(\p{Sc}|[A-Z]{2,3}\$)\s*[-–—]$/u.exec(text)
  if (stroke !== null) return { value: 0, whole: true, unit: currencyOf(stroke[1] ?? '') ?? '', mark: null }
  const amount = /^(?:人民币)?([零〇壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億]+)([元圆圓])?[整正]?$/u.exec(text)
  if (amount === null || !/[壹贰貳叁參肆伍陆陸柒捌玖]/u.test(text)) return null
  const value = valueOfHanNumeral(amount[1] ?? '')
  return value === null ? null : { value, whole: true, unit: amount[2] === undefined ? '' : '¥', mark: null }
}

function markOf(text: string): NumberValue['mark'] | 'none' {
  const [point, comma] = [pointNumber.test(text), commaNumber.test(text)]
  if (!point && !comma) return 'none'
  if (!/[.,]/.test(text)) return null
  if (point && comma) return text.includes('.') ? 'dot-three' : 'comma-three'
  return point ? 'point' : 'comma'
}

function toValue(
  number: number,
  sign: number,
  factor: number,
  { decimals, unit, mark }: { decimals: number; unit: string; mark: NumberValue['mark'] },
): NumberValue | null {
  if (!Number.isFinite(number)) return null
  // 4.35% is 0.0435 and not 0.043499999999999997.
  const scaled = factor === 1 ? number : Number((number * factor).toPrecision(15))
  const value = sign * scaled
  return { value: value === 0 ? 0 : value, whole: decimals === 0 && Number.isSafeInteger(value), unit, mark }
}
