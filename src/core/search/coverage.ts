import { foldText, scanTerms } from './terms.ts'

import type { Coverage } from './fuse.ts'

export interface WeighedUnit {
  terms: string[]
  idf: number
}

const sentenceEnd = /(?<=[.!?]["')\]]?)\s+|(?<=[。！？；!?][」』”’）]?)|\n+/u

/** How much of what is asked stands in a text, each thing weighed by its rarity, whatever its frequency. */
export function coverageOf(text: string, units: readonly WeighedUnit[]): Coverage {
  const total = units.reduce((sum, unit) => sum + unit.idf, 0)
  if (total <= 0) return { whole: 0, sentence: 0 }
  const wanted = new Map<string, number[]>()
  units.forEach((unit, index) => {
    for (const term of unit.terms) {
      const at = wanted.get(term)
      if (at) at.push(index)
      else wanted.set(term, [index])
    }
  })
  const everywhere = new Set<number>()
  let best = 0
  for (const sentence of text.split(sentenceEnd)) {
    if (sentence === '') continue
    const here = new Set<number>()
    scanTerms(sentence, (term) => {
      for (const index of wanted.get(term) ?? []) here.add(index)
    })
    let weight = 0
    for (const index of here) {
      weight += units[index]!.idf
      everywhere.add(index)
    }
    best = Math.max(best, weight)
  }
  let whole = 0
  for (const index of everywhere) whole += units[index]!.idf
  return { whole: whole / total, sentence: best / total }
}

/** What two passages are compared by to see whether they say the same: letters and digits only. */
export function sameTextKey(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]+/gu, '')
}
