import { chineseStopWords, englishStopWords } from './stop-words.ts'
import { foldHan, scanTerms } from './terms.ts'

const chineseStops = new RegExp(chineseStopWords.join('|'), 'gu')
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu

/** One thing that is looked for: a word with its stem and parts, or a pair of characters. Any of its terms stands for it. */
export interface QuestionUnit {
  terms: string[]
}

/** Stop words are left out unless the question has nothing else; single characters are taken only when there is nothing longer. */
export function questionUnits(question: string): QuestionUnit[] {
  const cut = question.normalize('NFKC').replace(ideographs, (run) => foldHan(run).replace(chineseStops, ' '))
  const kept = collect(cut, true)
  return kept.length > 0 ? kept : collect(question, false)
}

/** All terms of a question, each once. */
export function queryTerms(question: string): string[] {
  return [...new Set(questionUnits(question).flatMap((unit) => unit.terms))]
}

function collect(text: string, withoutStopWords: boolean): QuestionUnit[] {
  const units = new Map<string, QuestionUnit>()
  const singles = new Map<string, QuestionUnit>()
  let current: QuestionUnit | null = null
  scanTerms(text, (term, kind) => {
    if (kind === 'single') singles.set(term, { terms: [term] })
    else if (kind === 'stem' || kind === 'part') {
      if (current && !current.terms.includes(term)) current.terms.push(term)
    } else {
      current = kind === 'word' && withoutStopWords && englishStopWords.has(term) ? null : (units.get(term) ?? { terms: [term] })
      if (current) units.set(term, current)
    }
  })
  return units.size > 0 ? [...units.values()] : [...singles.values()]
}

/** A MATCH expression that finds passages with any of the terms. */
export function matchAny(terms: readonly string[]): string {
  return quotedTerms(terms).join(' OR ')
}

/** A MATCH expression that finds passages with all of the terms. */
export function matchAll(terms: readonly string[]): string {
  return quotedTerms(terms).join(' AND ')
}

function quotedTerms(terms: readonly string[]): string[] {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`)
}
