import { splitSentences } from '../src/core/answer/sentences.ts'
import { verifyAnswer } from '../src/core/answer/verify.ts'
import type { Embedder } from '../src/core/embed/embed.ts'
import type { QuestionSet } from './question-sets.ts'

export interface ClaimRates {
  /** Sentences cited to their own source that are found supported. */
  supported: number
  /** The same with one digit changed, found supported. */
  changedSupported: number
  /** Cited to a paragraph beside it of the same article, found unsupported. */
  movedCaught: number
  sentences: number
}

/** Sentences of a set as claims, within each language and from one to the other. */
export async function benchClaims(
  embedder: Embedder,
  english: QuestionSet,
  chinese: QuestionSet,
): Promise<{ set: string; rates: ClaimRates }[]> {
  const embed = async (texts: string[]): Promise<(Float32Array | null)[]> =>
    (await embedder.embedPassages(texts.map((text) => ({ text })))).map((outcome) => (outcome.kind === 'ok' ? outcome.vector : null))
  return [
    { set: 'English', rates: await rates(english, english) },
    { set: 'Chinese', rates: await rates(chinese, chinese) },
    { set: 'English claims on Chinese sources', rates: await rates(english, chinese, embed) },
    { set: 'Chinese claims on English sources', rates: await rates(chinese, english, embed) },
  ]
}

async function rates(
  claims: QuestionSet,
  sources: QuestionSet,
  embed?: (texts: string[]) => Promise<(Float32Array | null)[]>,
): Promise<ClaimRates> {
  const counts = { supported: 0, changed: 0, changedSupported: 0, moved: 0, movedCaught: 0, sentences: 0 }
  async function isSupported(claim: string, source: string): Promise<boolean> {
    const { sentences } = await verifyAnswer({
      answer: `${claim} [1]`,
      sources: [{ marker: 1, text: source, heading: [] }],
      ...(embed ? { embed } : {}),
    })
    return sentences.every((sentence) => sentence.supported)
  }
  for (const [index, paragraph] of claims.paragraphs.entries()) {
    const beside = [index + 1, index - 1].find((other) => claims.articles[other] === claims.articles[index])
    for (const { text } of splitSentences(paragraph)) {
      if (text.length < 15) continue
      counts.sentences++
      if (await isSupported(text, sources.paragraphs[index]!)) counts.supported++
      const changed = withOtherDigit(text, counts.sentences)
      if (changed !== null) {
        counts.changed++
        if (await isSupported(changed, sources.paragraphs[index]!)) counts.changedSupported++
      }
      if (beside === undefined) continue
      counts.moved++
      if (!(await isSupported(text, sources.paragraphs[beside]!))) counts.movedCaught++
    }
  }
  return {
    supported: counts.supported / counts.sentences,
    changedSupported: counts.changedSupported / Math.max(1, counts.changed),
    movedCaught: counts.movedCaught / Math.max(1, counts.moved),
    sentences: counts.sentences,
  }
}

function withOtherDigit(text: string, turn: number): string | null {
  const numbers = [...text.matchAll(/\d+(?:[.,]\d+)*/g)]
  const chosen = numbers[turn % Math.max(1, numbers.length)]
  if (!chosen) return null
  const other = chosen[0].replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1 + (turn % 8)) % 10))
  return text.slice(0, chosen.index) + other + text.slice(chosen.index + chosen[0].length)
}
