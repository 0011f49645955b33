import type { Sentence, Source } from '../../contract/answer.ts'
import type { Language } from '../../contract/library.ts'
import { languageOf } from '../search/search.ts'
import { claimsOf, type Claim } from './claims.ts'
import { factsOf, missingFacts, type Facts } from './facts.ts'
import { createMeaning, type Embed, type Meaning } from './meaning.ts'
import { isHeading } from './headings.ts'
import { missingNames } from './names.ts'
import { wordJoiner } from './nearest.ts'
import { splitSentences } from './sentences.ts'
import { statementsOf } from './statements.ts'
import { wordsOf } from './words.ts'

export interface VerifyInput {
  answer: string
  sources: readonly Pick<Source, 'marker' | 'text' | 'heading'>[]
  /** One vector for each text, or null where there is none. Only asked when an answer and its source speak different languages. */
  embed?: Embed
  /** Numbers that were worked out from the sources, and stand in none of them. */
  known?: Facts
}

export interface VerifiedAnswer {
  sentences: Sentence[]
  /** In order of the first mention; quotes are verbatim from their source. */
  citations: { marker: number; quote: string }[]
}

interface Part {
  text: string
  words: Set<string>
}

interface Evidence {
  marker: number
  text: string
  /** The heading path and the headings inside of the text: what they say holds for all below. */
  headings: string
  context: string
  language: Language
  parts: Part[]
  /** What may be shown as the place: no heading, no head of a table; of code whole blocks. */
  quotable: Part[]
}

/** Of a claim's content words, so much must stand in what it cites. */
const enoughWords = 0.55
/** A further sentence counts as part of what is cited when it brings so much of the claim that the others lack. */
const worthTaking = 0.12
const sentencesTaken = 4
/** With so much in the sentences taken, no further one may lend its numbers. */
const plenty = 0.8
/** In another language: the least centred similarity with a sentence of the source. */
const enoughMeaning = 0.365
const longestQuote = 400

/** Checks each sentence of an answer against what it cites: numbers, dates and names must occur, and enough of the words or the meaning. */
export async function verifyAnswer({ answer, sources, embed, known = new Map() }: VerifyInput): Promise<VerifiedAnswer> {
  const evidence = new Map(sources.map((source) => [source.marker, evidenceOf(source)]))
  const claims = claimsOf(answer).map((claim) => ({
    ...claim,
    text: claim.text.replaceAll(wordJoiner, ''),
    markers: claim.markers.filter((marker) => evidence.has(marker)),
  }))
  const meaning = embed ? await createMeaning(embed, foreignTexts(claims, evidence)) : null
  const quotes = new Map<number, string>()
  const sentences = claims.map((claim): Sentence => {
    const cited = claim.markers.map((marker) => evidence.get(marker)!)
    for (const one of cited) if (!quotes.has(one.marker)) quotes.set(one.marker, quoteFor(claim, one, meaning))
    const problem = problemOf(
      claim,
      cited,
      claim.borrowed.flatMap((marker) => evidence.get(marker) ?? []),
      meaning,
      known,
    )
    return { text: claim.text, citations: claim.markers, supported: problem === null, ...(problem === null ? {} : { problem }) }
  })
  return { sentences, citations: [...quotes].map(([marker, quote]) => ({ marker, quote })) }
}

function evidenceOf({ marker, text, heading }: VerifyInput['sources'][number]): Evidence {
  const spans = splitSentences(text)
  const parts = spans.map((span) => ({ text: span.text, words: wordsOf(span.text) }))
  const inside = spans.filter((span) => isHeading(span, text, heading) && isCommon(span.text)).map((span) => span.text)
  const quotable = statementsOf(text, heading)
    .filter((statement) => !statement.bare)
    .map((statement) => ({ text: statement.text, words: wordsOf(statement.text) }))
  const headings = [...new Set([...heading, ...inside])].join('\n')
  return {
    marker,
    text,
    headings,
    context: `${heading.join(' ')}\n${text}`,
    language: languageOf(text),
    parts,
    quotable: quotable.length > 0 ? quotable : parts,
  }
}

/** A short line with a figure may as well be an entry of a list, whose figure is its own. */
function isCommon(heading: string): boolean {
  return !/\d/.test(heading) || /^(?:#|§|第|(?:article|section|chapter|part|clause)\b)/i.test(heading)
}

function problemOf(claim: Claim, cited: Evidence[], borrowed: Evidence[], meaning: Meaning | null, known: Facts): string | null {
  if (!claim.claims) return null
  if (cited.length > 0) return unsupported(claim, cited, meaning, known)
  // The next marker of the paragraph may stand for the sentence before it as well.
  if (borrowed.length > 0 && unsupported(claim, borrowed, meaning, known) === null) return null
  return 'not-cited'
}

/** Null when the sources carry the claim together; else what they lack. */
function unsupported(claim: Claim, sources: Evidence[], meaning: Meaning | null, known: Facts): string | null {
  if (sources.some((source) => isCopied(claim.text, source.context))) return null
  const language = languageOf(claim.text)
  const same = sources.filter((source) => source.language === language)
  const foreign = sources.filter((source) => source.language !== language)
  const claimed = factsOf(claim.text)
  const names = missingNames(claim.text, language, sources)
  if (names.length > 0) return names[0]!
  if (foreign.length === 0) {
    const { parts, share } = bestParts(claim.text, same)
    const headings = same.map((source) => source.headings).join('\n')
    const lacking = missingFacts(claimed, factsOf(`${headings}\n${parts.join('\n')}`)).filter((fact) => !known.has(fact))
    if (lacking.length > 0 && !standsInOne(claim.text, claimed, same)) return shown(lacking[0]!)
    return share >= enoughWords ? null : 'meaning'
  }
  const everything = factsOf(sources.map((source) => source.context).join('\n'))
  const lacking = missingFacts(onceEach(claimed), everything).filter((fact) => isTelling(fact) && !known.has(fact))
  if (lacking.length > 0) return shown(lacking[0]!)
  if (same.length > 0 && bestParts(claim.text, same).share >= enoughWords) return null
  if (!meaning) return null
  const nearest = Math.max(
    ...sources.map((source) =>
      meaning.nearness(
        claim.text,
        source.parts.map((part) => part.text),
      ),
    ),
  )
  return nearest >= enoughMeaning ? null : 'meaning'
}

/** Word for word, whatever blanks, marks and line breaks stand between, and no part of a longer number. */
function isCopied(claim: string, context: string): boolean {
  const wanted = keyOf(claim)
  if (wanted.length < 8) return false
  const whole = keyOf(context)
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    const [before, after] = [whole.charAt(at - 1), whole.charAt(at + wanted.length)]
    if (!isCut(before, wanted.charAt(0)) && !isCut(wanted.at(-1) ?? '', after)) return true
  }
  return false
}

function isCut(left: string, right: string): boolean {
  return /^[\d.][\d.]$|^[a-z][a-z]$/i.test(left + right)
}

/** Blanks are kept as one: without them 1 234 and 12 34 were the same. */
function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[#*_|`]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?。]+$/, '')
    .trim()
}

/** The few sentences of the sources that have most of the claim's words, and how much that is. */
function bestParts(text: string, sources: Pick<Evidence, 'parts'>[]): { parts: string[]; share: number } {
  const wanted = wordsOf(text)
  if (wanted.size === 0) return { parts: sources.flatMap((source) => source.parts.map((part) => part.text)), share: 1 }
  const left = new Set(wanted)
  const taken: Part[] = []
  const all = sources.flatMap((source) => source.parts)
  while (taken.length < sentencesTaken && left.size > 0) {
    let best: Part | null = null
    let most = 0
    for (const part of all) {
      if (taken.includes(part)) continue
      let count = 0
      for (const word of left) if (part.words.has(word)) count++
      if (count > most) {
        most = count
        best = part
      }
    }
    if (!best || (taken.length > 0 && (1 - left.size / wanted.size >= plenty || most / wanted.size < worthTaking))) break
    taken.push(best)
    for (const word of best.words) left.delete(word)
  }
  return { parts: taken.map((part) => part.text), share: 1 - left.size / wanted.size }
}

/** All of it in a single sentence: of two that have the same words, one may have the numbers. */
function standsInOne(text: string, claimed: Facts, sources: Evidence[]): boolean {
  const wanted = [...wordsOf(text)]
  return sources.some((source) =>
    source.parts.some((part) => wanted.every((word) => part.words.has(word)) && missingFacts(claimed, factsOf(part.text)).length === 0),
  )
}

function quoteFor(claim: Claim, source: Evidence, meaning: Meaning | null): string {
  const foreign = source.language !== languageOf(claim.text)
  const texts = source.quotable.map((part) => part.text)
  const best =
    (foreign && meaning ? meaning.nearest(claim.text, texts) : null) ??
    bestParts(claim.text, [{ parts: source.quotable }]).parts[0] ??
    texts[0] ??
    source.text
  return best.length > longestQuote ? best.slice(0, longestQuote) : best
}

function foreignTexts(claims: readonly Claim[], evidence: Map<number, Evidence>): { claims: string[]; parts: string[] } {
  const texts = new Set<string>()
  const parts = new Set<string>()
  for (const claim of claims) {
    const language = languageOf(claim.text)
    for (const marker of [...claim.markers, ...claim.borrowed]) {
      const source = evidence.get(marker)
      if (!claim.claims || !source || source.language === language) continue
      texts.add(claim.text)
      for (const part of [...source.parts, ...source.quotable]) parts.add(part.text)
    }
  }
  return { claims: [...texts], parts: [...parts] }
}

function onceEach(facts: Facts): Facts {
  return new Map([...facts.keys()].map((fact) => [fact, 1]))
}

/** Small numbers come and go in translation: "both" is 两个. */
function isTelling(fact: string): boolean {
  return fact.startsWith('m') || Number(fact) >= 10 || !Number.isInteger(Number(fact))
}

function shown(fact: string): string {
  return fact.startsWith('m') ? `${fact.slice(1)}月` : fact
}
