import { questionUnits } from '../search/search.ts'

/** The content words of a text in the form in which they are compared: English stems, Chinese pairs. Numbers are facts, not words. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>()
  for (const { terms } of questionUnits(text.replace(/\[\d{1,3}\]/g, ' '))) {
    const stem = terms.find((term) => term.startsWith('_')) ?? terms[0]
    if (stem !== undefined && !/^\d/.test(stem) && !/^[〇零一二两三四五六七八九十百千万亿]+$/.test(stem)) words.add(stem)
  }
  return words
}
