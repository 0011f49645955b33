import { valueOfHanNumeral } from './numerals.ts'

const names = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const name =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const han = '〇零○◯一二三四五六七八九'
const year = `(\\d{4}|[${han}]{4})`
const chinese = new RegExp(`${year}\\s?年\\s?(\\d{1,2}|[${han}十]{1,2})\\s?月`, 'g')
const numbers = /(?<![\d.])(\d{4})[-/.](\d{1,2})(?!\d)/g
const monthFirst = new RegExp(`\\b${name}\\.?(?: \\d{1,2}(?:st|nd|rd|th)?,?)? (\\d{4})\\b`, 'g')

/** Months of a year that a text names, in either language and in any way of writing, as 2026-11. */
export function monthsIn(text: string): Set<string> {
  const plain = text.normalize('NFKC').toLowerCase()
  const found = new Set<string>()
  const add = (inYear: number, month: number): void => {
    if (inYear >= 1000 && month >= 1 && month <= 12) found.add(`${inYear}-${String(month).padStart(2, '0')}`)
  }
  for (const [, y = '', m = ''] of plain.matchAll(chinese)) add(valueOf(y), valueOf(m))
  for (const [, y = '', m = ''] of plain.matchAll(numbers)) add(Number(y), Number(m))
  for (const [, m = '', y = ''] of plain.matchAll(monthFirst)) add(Number(y), names.indexOf(m.slice(0, 3)) + 1)
  return found
}

/** True where a text has the year of a month, and not that month: it is of another time of that year. */
export function hasOnlyYearOf(text: string, month: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase()
  const [inYear = '', number = ''] = month.split('-')
  const hasYear = [...plain.matchAll(new RegExp(`(?<!\\d)${year}(?!\\d)`, 'g'))].some(([, found = '']) => valueOf(found) === Number(inYear))
  if (!hasYear || monthsIn(plain).has(month)) return false
  const hasMonth =
    [...plain.matchAll(new RegExp(`(\\d{1,2}|[${han}十]{1,2})\\s?月`, 'g'))].some(([, found = '']) => valueOf(found) === Number(number)) ||
    [...plain.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].some(([, found = '']) => names.indexOf(found.slice(0, 3)) + 1 === Number(number))
  return !hasMonth
}

function valueOf(digits: string): number {
  return /^\d+$/.test(digits) ? Number(digits) : (valueOfHanNumeral(digits.replaceAll('◯', '〇')) ?? Number.NaN)
}

/**
 * Who asks of a month of a year means that month: what names it comes before what only shares its year. Everything else keeps its
 * place, and each place its score.
 */
export function sameMonthFirst<Item extends { score: number }>(
  question: string,
  ranked: readonly Item[],
  textOf: (item: Item) => string,
): Item[] {
  const [month, ...more] = monthsIn(question)
  if (month === undefined || more.length > 0) return [...ranked]
  const kinds = ranked.map((item) => {
    const text = textOf(item)
    return monthsIn(text).has(month) ? 'same' : hasOnlyYearOf(text, month) ? 'year' : 'other'
  })
  const order = [...ranked.filter((_item, index) => kinds[index] === 'same'), ...ranked.filter((_item, index) => kinds[index] === 'year')]
  return ranked.map((item, index) => (kinds[index] === 'other' ? item : { ...order.shift()!, score: item.score }))
}
