import { questionUnits } from '../search/search.ts'

/** A pair over a word that only joins, such as 金是 in 押金是一万元: in another sentence that says the same it is another pair. */
const joining = /^(?:.[是为]|[是为].)$/

/** The content words of a text in the form in which they are compared: English stems, Chinese pairs. Numbers are facts, not words. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const { terms } of questionUnits(text.replace(/\[\d{1,3}\]/g, ' '))) {
    const stem = terms.find((term) => term.startsWith('_')) ?? terms[0]
    if (stem !== undefined && !/^\d/.test(stem) && !joining.test(stem) && !/^[〇零一二两三四五六七八九十百千万亿]+$/.test(stem))
      words.add(stem)
  }
  return words
}
