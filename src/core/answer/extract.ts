import type { Language } from '../../contract/library.ts'
import { exactPartsOf, holdsExactly, makeTerms, plainly, questionUnits, type ExactPart } from '../search/search.ts'
import { isRow } from './headings.ts'
import { statementsOf } from './statements.ts'

export interface ExtractSource {
  marker: number
  text: string
  heading?: readonly string[]
  score: number
}

export interface ExtractedSentence {
  /** Verbatim, without line breaks; lines of code with theirs, and a row of a table with the names of its columns. */
  text: string
  marker: number
  /** Verbatim from the source. */
  quote: string
}

export interface ExtractedAnswer {
  /** The sentences, each with its marker; empty when nothing fits. */
  text: string
  sentences: ExtractedSentence[]
}

export interface ExtractInput {
  question: string
  sources: readonly ExtractSource[]
  language?: Language
  /** Sentences at most. */
  limit?: number
}

interface Scored extends ExtractedSentence {
  score: number
  source: number
  bare: boolean
  ordinal: number
  /** Its share of the question's words, or a neighbour's, from 0 to 1. */
  nearness: number
}

const lookedSources = 6
const longest = 600
const nearEnough = 0.3

/** What stands around a text, and which questions ask for it: the header and footer of a page, the lines at the head of a mail. */
const frames: readonly [line: RegExp, asked: RegExp][] = [
  [/^(?:Header|Footer): /, /\b(?:header|footer)\b|页眉|页脚/i],
  [
    /^(?:From|To|Cc|Bcc|Date|Attached): /,
    /\b(?:who|whom|when|sent|sender|mail|e-?mail|attach\w*)\b|谁|何时|什么时候|发件|收件|寄|发送|附件/i,
  ],
]

function isFrame(text: string, question: string): boolean {
  return frames.some(([line, asked]) => line.test(text) && !asked.test(question))
}

/** The sentences of the best passages that have most of what the question asks for: an answer without any model. */
export function extractAnswer({ question, sources, limit = 3 }: ExtractInput): ExtractedAnswer {
  const all = scoreSentences(question, sources.slice(0, lookedSources))
  const telling = all.filter((sentence) => !sentence.bare && !isFrame(sentence.text, question))
  const candidates = telling.length > 0 ? telling : all
  // Where words of the question stand in some sentence, one far from all of them is only beside the answer.
  const isNearSome = candidates.some(({ nearness }) => nearness >= nearEnough)
  const scored = isNearSome ? candidates.filter(({ nearness }) => nearness > 0) : candidates
  const chosen: Scored[] = []
  for (const sentence of exactLeads(scored, exactPartsOf(question))) {
    if (chosen.length >= limit) break
    if (!chosen.some((other) => other.text === sentence.text)) chosen.push(sentence)
  }
  const text = chosen.map((sentence) => `${sentence.text} [${sentence.marker}]`).join('\n\n')
  return { text, sentences: chosen.map(({ text: shown, marker, quote }) => ({ text: shown, marker, quote })) }
}

/** The best sentence with each code or quotation of the question leads; a row with none of them is of something else. */
function exactLeads(scored: Scored[], parts: ExactPart[]): Scored[] {
  if (parts.length === 0) return scored
  const held = new Map(
    scored.map((sentence) => {
      const text = plainly(sentence.quote)
      return [sentence, parts.filter((part) => holdsExactly(text, part))]
    }),
  )
  const having = scored.filter((sentence) => held.get(sentence)!.length > 0)
  if (having.length === 0) return scored
  const leads = new Set(parts.flatMap((part) => having.find((sentence) => held.get(sentence)!.includes(part)) ?? []))
  const withoutRows = having.some(({ quote }) => isRow(quote))
  const rest = scored.filter(
    (sentence) => !leads.has(sentence) && !(withoutRows && held.get(sentence)!.length === 0 && isRow(sentence.quote)),
  )
  return [...leads, ...rest]
}

function scoreSentences(question: string, sources: readonly ExtractSource[]): Scored[] {
  const units = questionUnits(question)
  const expected = expectedKind(question)
  const sentences = sources.flatMap((source, index) =>
    statementsOf(source.text, source.heading).map((span, ordinal) => ({
      span,
      ordinal,
      index,
      source,
      terms: new Set(makeTerms(span.text).split(' ')),
    })),
  )
  const weights = units.map((unit) => {
    const having = sentences.filter(({ terms }) => unit.terms.some((term) => terms.has(term))).length
    return Math.log(1 + (sentences.length + 1) / (having + 0.5))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  const share = (terms: Set<string>): number =>
    units.reduce((sum, unit, index) => sum + (unit.terms.some((term) => terms.has(term)) ? weights[index]! : 0), 0) / total
  const shares = sentences.map(({ terms }) => share(terms))
  const scored = sentences.map(({ span, ordinal, index, source }, at): Scored => {
    const before = sentences[at - 1]?.index === index ? shares[at - 1]! : 0
    const after = sentences[at + 1]?.index === index ? shares[at + 1]! : 0
    const own = shares[at]!
    const score =
      own + 0.25 * Math.max(before, after) + 0.5 / (1 + index) + (expected?.test(span.text) ? 0.12 : 0) - lengthPenalty(span.text)
    return {
      text: span.shown.slice(0, longest),
      marker: source.marker,
      quote: span.text.slice(0, longest),
      score,
      source: index,
      bare: span.bare,
      ordinal,
      nearness: Math.max(own, before, after),
    }
  })
  return scored.sort((a, b) => b.score - a.score || a.source - b.source || a.ordinal - b.ordinal)
}

/** What an answer to such a question must contain, where that can be said. */
function expectedKind(question: string): RegExp | null {
  if (/\b(?:when|what year|which year|what date|how long ago)\b|何时|什么时候|哪一?年|哪年|几[年月]|日期/i.test(question))
    return /\d|[一二三四五六七八九十〇零]+[年月日]/
  if (
    /\bhow (?:many|much|long|far|old|tall|high|big|large|often)\b|what (?:percent|number|amount)|多少|几[个位人次名种]|多[长高大远久]|百分之/i.test(
      question,
    )
  ) {
    return /\d|[一二两三四五六七八九十百千万亿]+[个位人次名种年月日%]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million|half|third)\b/i
  }
  if (/\bwho(?:m|se)?\b|谁|哪位/i.test(question)) return /\b[A-Z][a-z]+|[·•]/
  return null
}

function lengthPenalty(text: string): number {
  return text.length < 12 ? 0.4 : 0
}
