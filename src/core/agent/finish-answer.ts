import { messageText } from '../../contract/message.ts'
import type { Embedder } from '../embed/embed.ts'
import type { AgentTurn } from './agent-turn.ts'
import { checkAnswer } from './check-answer.ts'
import type { Loop } from './loop.ts'
import { groundsOf, repairWords, ungrounded, type Grounds } from './reflect.ts'
import type { Transcript } from './transcript.ts'
import type { AnswerVoice } from './voice.ts'

export interface FinishInput {
  turn: AgentTurn
  transcript: Transcript
  voice: AnswerVoice
  loop: Loop
  /** What the answer may rest on beside this turn's messages: system text, earlier turns. */
  others: string[]
  mayRepair: boolean
  /** Null: checked by words alone. */
  embedder: (() => Embedder) | null
}

/** Of the plan alone nothing can be said: its results are the model's own words. */
const factless = new Set(['update_plan'])

/**
 * What comes after the last word: where tools gave facts, the answer is held against them, written again once when
 * something in it stands in none, and checked sentence by sentence. An answer without tools passes as it is.
 */
export async function finishAnswer(input: FinishInput): Promise<void> {
  const { turn, transcript, voice, mayRepair, embedder } = input
  const { recorder, language, signal } = turn
  const results = factResults(transcript)
  if (recorder.turn.answer.trim() === '' || (results.length === 0 && recorder.turn.sources.length === 0)) {
    if (voice.dropped > 0) {
      const message = `${voice.dropped} citations pointed at no passage and were removed.`
      recorder.note({ code: 'markers-dropped', message, count: voice.dropped })
    }
    return
  }
  const grounds = groundsOf([...input.others, ...groundTexts(transcript)])
  if (mayRepair && results.length > 0) await repair(input, grounds)
  const allCitable = results.length > 0 && results.every((text) => /\[\d{1,3}\]/.test(text))
  await checkAnswer({ recorder, droppedMarkers: voice.dropped, embedder, grounds, language, allCitable, signal })
}

/** Once, and only when a number, a date or a name stands in no result. */
async function repair({ turn, voice, loop }: FinishInput, grounds: Grounds): Promise<void> {
  const { recorder, language } = turn
  const first = recorder.turn.answer
  const missing = ungrounded(first, language, grounds)
  if (missing.length === 0) return
  voice.reset()
  const repaired = await loop.once(repairWords(missing))
  // Half a repair is worth less than the whole that it was to mend.
  if (repaired.text.trim() === '' || repaired.error !== null) {
    voice.reset()
    voice.begin()
    voice.text(first)
    voice.end()
    return
  }
  const list = missing.slice(0, 5).join(', ')
  recorder.note({ code: 'repaired', message: `The answer was written again: ${list} stood in no result.`, count: missing.length })
}

function factResults({ messages }: Transcript): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' && message.metadata?.status === 'ok' && !factless.has(message.name ?? '') ? [messageText(message)] : [],
  )
}

/** All but the model's own words. */
function groundTexts({ messages }: Transcript): string[] {
  return messages.filter((message) => message.role !== 'assistant').map((message) => messageText(message))
}
