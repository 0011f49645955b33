import type { Language } from '../../contract/library.ts'
import { foldText } from '../search/search.ts'

const commonCapitals = new Set(
  (
    'the a an in on at of for to by with from and or but if it its this that these those he she they we you i his her their our as is are was ' +
    'were be not no yes there here when where what who why how which while after before since during although because however according ' +
    'both all some many most each every other another such then thus also only just monday tuesday wednesday thursday friday saturday sunday ' +
    'total totals subtotal sum summary result results answer conclusion note notes important warning caution attention tip ok okay sure done ' +
    'great good please thanks sorry however first second third next finally overall example source sources reference references step steps ' +
    'today tomorrow yesterday question option options key main ' +
    'january february march april may june july august september october november december mr mrs ms dr'
  ).split(' '),
)

export interface NameSource {
  /** Heading and text. */
  context: string
  language: Language
}

/**
 * Names that are claimed and do not occur. Only where both are written in one script: what is 黑豹队 in Chinese is Panthers in
 * English. A Latin name inside Chinese text is expected in an English source as it is.
 */
export function missingNames(claim: string, language: Language, sources: readonly NameSource[]): string[] {
  const found = nameKey(sources.map((source) => source.context).join('\n'))
  const inOneScript = sources.every((source) => source.language === language)
  const names = [...(inOneScript || language !== 'en' ? latinNames(claim) : []), ...(inOneScript ? titles(claim) : [])]
  return names.filter((name) => {
    const key = nameKey(name)
    if (key === '' || found.includes(key)) return false
    // A plural, a possessive or an adjective of it is still the same name.
    return key.length < 5 || !/^[a-z]+$/.test(key) || !found.includes(key.slice(0, Math.max(4, key.length - 2)))
  })
}

function latinNames(text: string): string[] {
  const names: string[] = []
  const hasHan = /\p{Script=Han}/u.test(text)
  for (const match of text.matchAll(/\p{Lu}[\p{Script=Latin}\p{M}'’]*[\p{Script=Latin}\p{M}]/gu)) {
    const word = match[0].replace(/['’]s$/, '')
    if (commonCapitals.has(word.toLowerCase())) continue
    // The first word of a sentence has a capital anyway.
    const before = text.slice(0, match.index).trimEnd()
    const isFirst = before === '' || /[.!?:;"“'‘(•\n*-]$/.test(before)
    if (!hasHan && isFirst && !/\p{Lu}/u.test(word.slice(1))) continue
    names.push(word)
  }
  return names
}

function titles(text: string): string[] {
  return [...text.matchAll(/《([^》]{1,40})》/gu)].map((match) => match[1]!)
}

function nameKey(text: string): string {
  return foldText(text)
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
