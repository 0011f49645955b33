import { foldText, scanTerms } from './terms.ts'

import type { Coverage } from './fuse.ts'

export interface WeighedUnit {
  terms: string[]
  idf: number
}

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
  const here = new Set<number>()
  let best = 0
  const endSentence = (): void => {
    if (here.size === 0) return
    let weight = 0
    for (const index of here) weight += units[index]!.idf
    best = Math.max(best, weight)
    here.clear()
  }
  scanTerms(
    text,
    (term) => {
      const found = wanted.get(term)
      if (!found) return
      for (const index of found) {
        here.add(index)
        everywhere.add(index)
      }
    },
    endSentence,
  )
  endSentence()
  let whole = 0
  for (const index of everywhere) whole += units[index]!.idf
  return { whole: whole / total, sentence: best / total }
}

/** Whether two passages say the same but for case, width, spaces and punctuation. */
export function saySame(one: string, other: string): boolean {
  return one === other || lettersOf(one) === lettersOf(other)
}

/** Enough of a text to tell most others from it; equal for texts that say the same. */
export function roughKey(text: string): string {
  return lettersOf(text.slice(0, 120)).slice(0, 24)
}

function lettersOf(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]+/gu, '')
}
