import type { Language } from '../../contract/library.ts'
import { factsOf, missingNames, withoutMarkers } from '../answer/answer.ts'
import { languageOf } from '../search/search.ts'

/** What an answer may rest on: results, question, memories, earlier turns. Facts are counted once, however much there is. */
export interface Grounds {
  text: string
  numbers: number[]
  months: Set<number>
  /** Of what was counted or calculated: an answer that tells of it says one of these. */
  worked: number[]
  /** Numbers of this turn alone: a small one that only the rules or an earlier turn say is no result. */
  own: number[]
}

/** `others`: what stands around this turn, such as the rules of the agent and earlier turns. */
export function groundsOf(own: string[], worked: string[] = [], others: string[] = []): Grounds {
  const text = [...others, ...own].join('\n')
  const numbers: number[] = []
  const months = new Set<number>()
  for (const fact of factsOf(spelledDates(text)).keys()) {
    if (fact.startsWith('m')) months.add(Number(fact.slice(1)))
    else numbers.push(Number(fact))
  }
  return { text, numbers, months, worked: worked.flatMap(numbersOf), own: own.flatMap(numbersOf) }
}

/** Numbers, dates and names of an answer that stand nowhere in what it rests on, as a person would read them. Without a model. */
export function ungrounded(answer: string, language: Language, grounds: Grounds): string[] {
  const plain = withoutMarkers(answer.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/^\s*\d{1,2}[.)、]\s/gm, ' '))
  const missing: string[] = []
  const said = numbersOf(spelledDates(plain))
  const percents = new Set([...plain.matchAll(percent)].flatMap(([all]) => numbersOf(all)))
  const stand = (fact: string): boolean => {
    const around = isTelling(fact) ? grounds : { ...grounds, numbers: grounds.own }
    return (
      stands(fact, around) ||
      (percents.has(Number(fact)) && stands(String(Number(fact) / 100), around)) ||
      isDerived(Number(fact), said, around)
    )
  }
  // Small numbers count parts and items; but where a count was worked out and the answer says none of its numbers, they are it.
  const tells =
    grounds.worked.length === 0 || said.some((number) => grounds.worked.some((one) => Math.abs(one - number) <= Math.abs(one) * 0.03))
  for (const fact of factsOf(spelledDates(plain)).keys()) {
    if (fact.startsWith('m')) {
      const month = Number(fact.slice(1))
      if (!grounds.months.has(month) && !grounds.numbers.includes(month)) missing.push(`${month}月`)
    } else if ((isTelling(fact) || !tells) && !stand(fact)) {
      missing.push(fact)
    }
  }
  const source = [{ context: grounds.text, language: languageOf(grounds.text) }]
  // Line by line: a word that begins a heading or an item has its capital from that.
  const names = plain.split('\n').flatMap((line) => missingNames(line.replace(/^[\s#>*•·-]+/, ''), language, source))
  return [...new Set([...missing, ...names])]
}

const percent = /\d+(?:\.\d+)?\s*(?:%|％|percent\b|per cent\b)|百分之[零〇一二三四五六七八九十百千万点\d.]+/gi

function numbersOf(text: string): number[] {
  return [...factsOf(spelledDates(text)).keys()].filter((fact) => !fact.startsWith('m')).map(Number)
}

/** The sum, difference, product or quotient of two numbers that the answer says beside it and that do stand: two months of 3,250 are 6,500. */
function isDerived(value: number, said: number[], grounds: Grounds): boolean {
  const known = said.filter((number) => number !== value && (stands(String(number), grounds) || !isTelling(String(number)))).slice(0, 40)
  const near = (made: number): boolean => Math.abs(made - value) <= Math.abs(value) * 1e-9
  return known.some(
    (one, index) =>
      isTelling(String(one)) &&
      known.some(
        (other, at) => at !== index && (near(one * other) || near(one + other) || near(one - other) || (other !== 0 && near(one / other))),
      ),
  )
}

/** Dates in figures have a month, too: without it 2024-03 would be a span of years. */
function spelledDates(text: string): string {
  return text.replace(/\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/g, '$1年$2月$3日')
}

/** Small numbers count parts, places and items, which no result says. */
function isTelling(fact: string): boolean {
  return Number(fact) >= 13 || !Number.isInteger(Number(fact))
}

/** As it is, or rounded: 21.3 may be said as 21, 1234567 as 1.23 million; not by more than three in a hundred. */
function stands(fact: string, { numbers, months }: Grounds): boolean {
  const value = Number(fact)
  if (months.has(value)) return true
  const digits = /^-?\d*?(\d)(0*)$/.exec(fact)
  const decimals = /\.(\d+)$/.exec(fact)?.[1]?.length ?? 0
  const unit = decimals > 0 ? 10 ** -decimals : 10 ** (digits?.[2]?.length ?? 0)
  return numbers.some((number) => {
    const difference = Math.abs(number - value)
    return difference <= unit / 2 + Number.EPSILON && difference <= Math.abs(value) * 0.03
  })
}

export function repairWords(missing: string[]): string {
  const list = missing
    .slice(0, 8)
    .map((each) => `“${each}”`)
    .join(', ')
  return `(Check your answer against the results above. These stand in none of them: ${list}. Write the whole answer again with only what the results say. Where something is missing, say so plainly. Do not mention this check.)`
}
