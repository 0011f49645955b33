import type { TurnRunner } from '../turns/turns.ts'
import { runTurn, type RunParts } from './turn-run.ts'

export { createCiter, withoutMarkers } from './cite.ts'
export { embedAll, noteDropped } from './check.ts'
export { factsOf } from './facts.ts'
export { missingNames } from './names.ts'
export { createOverviewCalls, type OverviewCalls } from './overview/tools.ts'
export { languageNames } from './prompt.ts'
export { soon } from './soon.ts'
export { splitSentences } from './sentences.ts'
export { citationOf } from './sources.ts'
export { verifyAnswer, type VerifiedAnswer } from './verify.ts'

/** Answers questions from the library: search, prompt, stream, cite, check; without a model, the best sentences. */
export function createAnswerRunner(parts: RunParts): TurnRunner {
  return (recorder, input, signal) => runTurn(recorder, input, parts, signal)
}
