import { chineseStopWords, englishStopWords } from './stop-words.ts'
import { foldHan, scanTerms } from './terms.ts'

const chineseStops = new RegExp(chineseStopWords.join('|'), 'gu')
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu

/** What is looked for in the keyword index, each term once. Stop words are left out unless the question has nothing else. */
export function queryTerms(question: string): string[] {
  const cut = question.normalize('NFKC').replace(ideographs, (run) => foldHan(run).replace(chineseStops, ' '))
  const kept = collect(cut, true)
  return kept.length > 0 ? kept : collect(question, false)
}

function collect(text: string, withoutStopWords: boolean): string[] {
  const terms = new Set<string>()
  const singles = new Set<string>()
  let stopped = false
  scanTerms(text, (term, kind) => {
    if (kind === 'single') singles.add(term)
    else if (kind === 'word') {
      stopped = withoutStopWords && englishStopWords.has(term)
      if (!stopped) terms.add(term)
    } else if (kind !== 'stem' || !stopped) terms.add(term)
  })
  return terms.size > 0 ? [...terms] : [...singles]
}

/** A MATCH expression that finds passages with any of the terms. */
export function matchAny(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
}
