import { valueOfHanNumeral } from '../search/search.ts'

/** Numbers and dates of a text in one form, each with how often it occurs: 150万 and 1.5 million are 1500000; 十一月 and November are m11. */
export type Facts = Map<string, number>

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']
const shortMonths = new Map(months.map((month, index) => [month.slice(0, 3), index + 1]))
const words = new Map<string, number>()
'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
  .split(' ')
  .forEach((word, value) => words.set(word, value))
'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').forEach((word, index) => words.set(word, (index + 2) * 10))
'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
  .split(' ')
  .forEach((word, value) => words.set(word, value))
words.set('dozen', 12)
/** Say "one" and "second" too often without counting. */
for (const word of ['zero', 'zeroth', 'one', 'second', 'first']) words.delete(word)

const scales: Record<string, number> = {
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  百: 1e2,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  億: 1e8,
  十亿: 1e9,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
}

'thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
  .split(' ')
  .forEach((word, index) => words.set(word, index + 13))

const numeral = /(?<![\d.])\d{1,3}(?:[,，]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?/g
const rangeAfter = /^\s*(?:to|[-–—~至到])\s*\d[\d.,]*/
const scaleAfter = /^[\s-]*(hundred|thousand|million|billion|trillion)s?\b|^\s*(百万|千万|十亿|百亿|千亿|万亿|[百千万萬亿億])/i
const hanNumeral = /[〇零一二两三四五六七八九十百千万亿]+/g
const hanCounted = /^(?:[年月日号个位人次名种岁届座条件项章节页世成倍码分秒时点周天夜代级层支只张本部场把间家所国]|百分|小时)/
const wordNumeral = /\b([a-z]+)(?:-([a-z]+))?(?:[\s-]+(hundred|thousand|million|billion|trillion))?\b/gi

export function factsOf(text: string): Facts {
  const facts: Facts = new Map()
  const plain = text
    .replace(/(\d)½/g, '$1.5')
    .replace(/½/g, '0.5')
    .replace(/(\d)¼/g, '$1.25')
    .replace(/(\d)¾/g, '$1.75')
    .normalize('NFKC')
    .replace(/\[\d{1,3}\]/g, ' ')
    .replace(/(\d{1,2})\s*世纪\s*(\d0)\s*年代/g, (_all, century: string, decade: string) => `${Number(century) - 1}${decade}年代`)
    .replace(/上世纪\s*(\d0)\s*年代/g, '19$1年代')
    // 1038–40 is 1038–1040.
    .replace(/\b(\d\d)(\d\d)([-–—])(\d\d)(?![\d.])/g, '$1$2$3$1$4')
  digits(plain, facts)
  hanNumerals(plain, facts)
  englishWords(plain, facts)
  return facts
}

function add(facts: Facts, value: number | string): void {
  const key = typeof value === 'number' ? String(Number(value.toPrecision(12))) : value
  facts.set(key, (facts.get(key) ?? 0) + 1)
}

function digits(text: string, facts: Facts): void {
  for (const match of text.matchAll(numeral)) {
    const value = Number(match[0].replace(/[,，]/g, ''))
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 24)
    const factor = factorOf(text.charAt(match.index - 1), after)
    if (factor === 1 && /^\s*月/.test(after) && value >= 1 && value <= 12) add(facts, `m${value}`)
    else add(facts, value * factor)
  }
}

/** What a number is to be multiplied by; in "30 to 50 thousand" the 30 too. */
function factorOf(before: string, after: string): number {
  const money = /[$£€¥]/.test(before) ? /^\s*(m|mn|bn|k)\b/i.exec(after)?.[1]?.toLowerCase() : undefined
  if (money !== undefined) return money === 'k' ? 1e3 : money === 'bn' ? 1e9 : 1e6
  const range = rangeAfter.exec(after)
  const scale = scaleAfter.exec(range ? after.slice(range[0].length) : after)
  return scale ? (scales[(scale[1] ?? scale[2] ?? '').toLowerCase()] ?? 1) : 1
}

function hanNumerals(text: string, facts: Facts): void {
  for (const match of text.matchAll(hanNumeral)) {
    const before = text.charAt(match.index - 1)
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 3)
    if (/[\d.]/.test(before) || (match[0] === '百' && after.startsWith('分之')) || (match[0] === '十' && /^[年分]/.test(after))) continue
    const counted = hanCounted.test(after) || /[第之点]/.test(before)
    if (/[数几上近]/.test(before) || !isCount(match[0], counted)) continue
    const value = valueOfHanNumeral(match[0])
    if (value === null) continue
    if (/^月/.test(after) && value >= 1 && value <= 12) add(facts, `m${value}`)
    else add(facts, value)
  }
}

/** Single characters and bare units stand inside of many words (一些, 统一, 万一, 百万富翁) unless something is counted. */
function isCount(numeral: string, counted: boolean): boolean {
  if (numeral.length === 1) return counted && numeral !== '一'
  return counted || (/[〇零一二两三四五六七八九]/.test(numeral) && /[十百千万亿]/.test(numeral))
}

function englishWords(text: string, facts: Facts): void {
  for (const match of text.matchAll(wordNumeral)) {
    const first = match[1]!.toLowerCase()
    const month = monthOf(match[1]!, text, match.index)
    if (month !== null) {
      add(facts, `m${month}`)
      continue
    }
    const value = words.get(first)
    if (value === undefined) continue
    const second = match[2] === undefined ? undefined : words.get(match[2].toLowerCase())
    const small = second !== undefined && second < 10 && value >= 20 ? value + second : value
    add(facts, small * (match[3] ? (scales[match[3].toLowerCase()] ?? 1) : 1))
  }
}

/** "may" and "march" only as months: with a capital, beside a number. */
function monthOf(word: string, text: string, at: number): number | null {
  if (!/^[A-Z]/.test(word)) return null
  const lower = word.toLowerCase()
  const value = shortMonths.get(lower.slice(0, 3))
  if (
    value === undefined ||
    (lower.length > 4 ? months[value - 1] !== lower : lower.length === 4 ? !['june', 'july', 'sept'].includes(lower) : false)
  )
    return null
  if (lower.length > 4 && lower !== 'march') return value
  const around = `${text.slice(Math.max(0, at - 8), at)}|${text.slice(at + word.length, at + word.length + 8)}`
  return /\d[a-z]{0,2}\s*(?:of\s)?\s*\||\|[.,]?\s*\d/.test(around) ? value : null
}

/** Which of the claimed facts the source does not have, or not as often. */
export function missingFacts(claimed: Facts, found: Facts): string[] {
  return [...claimed].filter(([fact, count]) => (found.get(fact) ?? 0) < count).map(([fact]) => fact)
}
