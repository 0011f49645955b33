import { matchAll, questionUnits } from './query.ts'
import { foldText } from './terms.ts'

/** Something that a question gives in so many letters: a code, a number, a quotation. */
export interface ExactPart {
  /** As `plainly` writes it. */
  text: string
  /** A MATCH expression that finds whatever may hold it, and some that do not. */
  match: string
}

const quotations = /"([^"\n]{2,120})"|“([^“”\n]{2,120})”|「([^「」\n]{2,120})」|『([^『』\n]{2,120})』|`([^`\n]{2,120})`/gu
/** Letters and digits, also with joints between them: HT-003, GB/T19001, v1.2.3, 3,456.78. */
const chains = /[\p{Script=Latin}\p{Nd}]+(?:(?:[-_./]|(?<=\d),(?=\d))[\p{Script=Latin}\p{Nd}]+)*/gu
const years = /^(?:1\d|20)\d\d(?:[-/](?:1\d|20)\d\d)?$/
const dashes = /[\u2010\u2011\u2012\u2013\u2212]/g
const mostParts = 8

/** The codes, long numbers and quotations of a question. An ordinary word is none, nor a year, nor a small number. */
export function exactPartsOf(question: string): ExactPart[] {
  const parts = new Map<string, ExactPart>()
  const add = (text: string): void => {
    const plain = plainly(text)
    const match = matchOf(text)
    if (plain !== '' && match !== null) parts.set(plain, { text: plain, match })
  }
  const rest = question.replace(quotations, (whole: string, ...inner: unknown[]) => {
    const quoted = inner.slice(0, 5).find((one) => typeof one === 'string')
    if (quoted === undefined || !isPhrase(quoted)) return whole
    add(quoted)
    return ' '
  })
  const words = rest.normalize('NFKC').replace(dashes, '-').trim()
  for (const [chain] of words.matchAll(chains)) if (isCode(chain) || (chain === words && /[\d\W_]/.test(chain))) add(chain)
  return [...parts.values()].slice(0, mostParts)
}

/** `text` as `plainly` writes it. HT-003 does not stand in HT-0031, nor in HT-003-2; it does in “合同HT-003号” and at the end of a sentence. */
export function holdsExactly(text: string, part: ExactPart): boolean {
  const from = part.text.charAt(0)
  const to = part.text.slice(-1)
  for (let at = text.indexOf(part.text); at >= 0; at = text.indexOf(part.text, at + 1)) {
    if (!continues(text, at, -1, from) && !continues(text, at + part.text.length - 1, 1, to)) return true
  }
  return false
}

/** A text as codes and quotations are sought in it: one case, width and script, one dash, no separators of thousands, single blanks. */
export function plainly(text: string): string {
  return foldText(text)
    .replace(dashes, '-')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim()
}

function continues(text: string, edge: number, step: 1 | -1, character: string): boolean {
  if (!isWord(character)) return false
  const next = text.charAt(edge + step)
  return isWord(next) || (/[-_.]/.test(next) && isWord(text.charAt(edge + 2 * step)))
}

function isWord(character: string): boolean {
  return /[\p{Script=Latin}\p{Nd}]/u.test(character)
}

function isPhrase(text: string): boolean {
  return /\p{Script=Han}{2}|[\p{L}\p{N}]{3}|\d/u.test(text)
}

/** Digits and letters in one, or a number that nobody writes by chance: five digits and more, or zeros in front. */
function isCode(chain: string): boolean {
  const digits = chain.replace(/\D/g, '').length
  if (digits === 0 || years.test(chain)) return false
  if (!/\p{L}/u.test(chain)) return digits >= 5 || (digits >= 3 && /^0\d+$/.test(chain))
  if (!/[-_./]/.test(chain)) return /\p{Lu}/u.test(chain) ? digits + chain.length > 3 : /^\p{L}+\d{3}/u.test(chain)
  // 20-year-old, 19th-century, mid-1990s: words of a language.
  return /\p{Lu}/u.test(chain) || !/^\d+[a-z]*(?:-[a-z]+)+$|^[a-z]+-(?:1\d|20)\d\ds?$/.test(chain)
}

/** The index has a joined code as one term and as its parts; other dashes part it there. */
function matchOf(text: string): string | null {
  const terms = questionUnits(text).flatMap((unit) => unit.terms.slice(0, 1))
  if (terms.length === 0) return null
  const apart = terms.filter((term) => !term.includes('_'))
  return apart.length === 0 || apart.length === terms.length ? matchAll(terms) : `(${matchAll(terms)}) OR (${matchAll(apart)})`
}

/**
 * What holds a part in so many letters comes before what is only like it: first the best passage of each part, then the others that
 * hold one. Everything else keeps its order.
 */
export function exactFirst<Item extends { score: number }>(
  ranked: readonly Item[],
  parts: readonly ExactPart[],
  textOf: (item: Item) => string,
): Item[] {
  if (parts.length === 0) return [...ranked]
  const held = ranked.map((item) => {
    const text = plainly(textOf(item))
    return parts.filter((part) => holdsExactly(text, part))
  })
  const most = Math.max(0, ...held.map((some) => some.length))
  if (most === 0) return [...ranked]
  const lead = new Set<number>()
  const missing = new Set(parts)
  for (const some of [held.findIndex((one) => one.length === most), ...held.keys()]) {
    if (!held[some]!.some((part) => missing.has(part))) continue
    lead.add(some)
    for (const part of held[some]!) missing.delete(part)
  }
  const others = [...held.keys()].filter((index) => held[index]!.length > 0 && !lead.has(index))
  const order = [...lead, ...others]
  const rest = ranked.filter((_item, index) => held[index]!.length === 0)
  const top = Math.max(...ranked.map(({ score }) => score))
  const scores = order.map((index) => ranked[index]!.score).sort((a, b) => b - a)
  const lift = Math.max(0, top - scores.at(-1)!)
  return [...order.map((index, place) => ({ ...ranked[index]!, score: scores[place]! + lift })), ...rest]
}
