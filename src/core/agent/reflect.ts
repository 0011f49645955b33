import type { Language } from '../../contract/library.ts'
import { factsOf, missingNames, withoutMarkers } from '../answer/answer.ts'
import { languageOf } from '../search/search.ts'

/** What an answer may rest on: results, question, memories, earlier turns. Facts are counted once, however much there is. */
export interface Grounds {
  text: string
  numbers: number[]
  months: Set<number>
}

export function groundsOf(texts: string[]): Grounds {
  const text = texts.join('\n')
  const numbers: number[] = []
  const months = new Set<number>()
  for (const fact of factsOf(spelledDates(text)).keys()) {
    if (fact.startsWith('m')) months.add(Number(fact.slice(1)))
    else numbers.push(Number(fact))
  }
  return { text, numbers, months }
}

/** Numbers, dates and names of an answer that stand nowhere in what it rests on, as a person would read them. Without a model. */
export function ungrounded(answer: string, language: Language, grounds: Grounds): string[] {
  const plain = withoutMarkers(answer.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/^\s*\d{1,2}[.)、]\s/gm, ' '))
  const missing: string[] = []
  for (const fact of factsOf(spelledDates(plain)).keys()) {
    if (fact.startsWith('m')) {
      const month = Number(fact.slice(1))
      if (!grounds.months.has(month) && !grounds.numbers.includes(month)) missing.push(`${month}月`)
    } else if (isTelling(fact) && !stands(fact, grounds)) {
      missing.push(fact)
    }
  }
  const source = [{ context: grounds.text, language: languageOf(grounds.text) }]
  // Line by line: a word that begins a heading or an item has its capital from that.
  const names = plain.split('\n').flatMap((line) => missingNames(line.replace(/^[\s#>*•·-]+/, ''), language, source))
  return [...new Set([...missing, ...names])]
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
