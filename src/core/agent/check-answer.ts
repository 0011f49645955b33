import type { Sentence } from '../../contract/answer.ts'
import type { Language } from '../../contract/library.ts'
import { citationOf, embedAll, factsOf, noteDropped, verifyAnswer, type VerifiedAnswer } from '../answer/answer.ts'
import type { Embedder } from '../embed/embed.ts'
import type { TurnRecorder } from '../turns/turns.ts'
import { claimedDeed, type FailedCalls } from './deeds.ts'
import { ungrounded, type Grounds } from './reflect.ts'

export interface CheckInput {
  recorder: TurnRecorder
  droppedMarkers: number
  /** Null: by words alone. */
  embedder: (() => Embedder) | null
  grounds: Grounds
  language: Language
  /** Every result that the answer rests on could be cited: a sentence without a marker is then one that should have it. */
  allCitable: boolean
  /** Calls that went wrong: a sentence that claims what they would have done is not carried. */
  failed: FailedCalls | null
  /** What calls worked out that no passage says, such as sums. */
  worked: string
  signal: AbortSignal
}

/** Citations are checked as those of an answer are; a sentence without one must stand in the results of tools. */
export async function checkAnswer(input: CheckInput): Promise<void> {
  const { recorder, droppedMarkers, grounds, language, allCitable, failed } = input
  noteDropped(recorder, droppedMarkers)
  await recorder.step('check', async (end) => {
    const { turn } = recorder
    const verified = await verify(input)
    const sentences = verified.sentences.map((sentence): Sentence => {
      const deed = failed === null ? null : claimedDeed(sentence.text, failed)
      if (deed !== null) return { text: sentence.text, citations: sentence.citations, supported: false, problem: deed }
      if (sentence.problem !== 'not-cited') return sentence
      const [missing] = ungrounded(sentence.text, language, grounds)
      if (missing === undefined && allCitable) return sentence
      const { text, citations } = sentence
      return missing === undefined ? { text, citations, supported: true } : { text, citations, supported: false, problem: missing }
    })
    end.count = sentences.filter((sentence) => !sentence.supported).length
    const sources = new Map(turn.sources.map((source) => [source.marker, source]))
    const citations = verified.citations.flatMap(({ marker, quote }) => {
      const source = sources.get(marker)
      return source === undefined ? [] : [citationOf(source, quote)]
    })
    recorder.checked({ answer: turn.answer, sentences, citations }, droppedMarkers)
  })
}

async function verify({ recorder, embedder, worked, signal }: CheckInput): Promise<VerifiedAnswer> {
  const { answer, sources } = recorder.turn
  const known = factsOf(worked)
  if (embedder === null || sources.length === 0) return verifyAnswer({ answer, sources, known })
  try {
    return await verifyAnswer({ answer, sources, known, embed: (texts) => embedAll(embedder(), texts, signal) })
  } catch {
    // A model that cannot embed just now is no reason to leave the answer unchecked.
    return verifyAnswer({ answer, sources, known })
  }
}
