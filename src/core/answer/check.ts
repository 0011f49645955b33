import { counted } from '../../contract/counted.ts'
import type { Turn } from '../../contract/answer.ts'
import type { Embedder } from '../embed/embed.ts'
import { citationOf } from './sources.ts'
import type { TurnRecorder } from '../turns/turns.ts'
import { verifyAnswer } from './verify.ts'

type Embed = (texts: string[]) => Promise<(Float32Array | null)[]>

/** Says for each sentence whether its sources carry it, and gives each citation its quote. Without an embedder, by words alone. */
export async function check(
  recorder: TurnRecorder,
  droppedMarkers: number,
  embedder: (() => Embedder) | null,
  signal?: AbortSignal,
): Promise<void> {
  noteDropped(recorder, droppedMarkers)
  await recorder.step('check', async (end) => {
    const { turn } = recorder
    const embed = embedder === null ? undefined : (texts: string[]) => embedAll(embedder(), texts, signal)
    const verified = await verify(turn, embed)
    end.count = verified.sentences.filter((sentence) => !sentence.supported).length
    const sources = new Map(turn.sources.map((source) => [source.marker, source]))
    const citations = verified.citations.flatMap(({ marker, quote }) => {
      const source = sources.get(marker)
      return source === undefined ? [] : [citationOf(source, quote)]
    })
    recorder.checked({ answer: turn.answer, sentences: verified.sentences, citations }, droppedMarkers)
  })
}

/** By meaning too where that can be had; a model that cannot embed just now is no reason to leave the answer unchecked. */
async function verify(turn: Turn, embed: Embed | undefined): ReturnType<typeof verifyAnswer> {
  const { answer, sources } = turn
  if (embed === undefined) return verifyAnswer({ answer, sources })
  try {
    return await verifyAnswer({ answer, sources, embed })
  } catch {
    return verifyAnswer({ answer, sources })
  }
}

/** One vector for each text, or null where there is none. */
export async function embedAll(embedder: Embedder, texts: string[], signal: AbortSignal | undefined): Promise<(Float32Array | null)[]> {
  const outcomes = await embedder.embedPassages(
    texts.map((text) => ({ text })),
    signal === undefined ? {} : { signal },
  )
  return outcomes.map((outcome) => (outcome.kind === 'ok' ? outcome.vector : null))
}

/** A citation that points at nothing is no citation: said, and how many. */
export function noteDropped(recorder: TurnRecorder, droppedMarkers: number): void {
  if (droppedMarkers > 0) {
    recorder.note({
      code: 'markers-dropped',
      message: `${counted(droppedMarkers, 'citation pointed at no passage and was', 'citations pointed at no passage and were')} removed.`,
      count: droppedMarkers,
    })
  }
}
