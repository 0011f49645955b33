import type { TurnRunner } from '../turns/turns.ts'
import { runTurn, type RunParts } from './turn-run.ts'

/** Answers questions from the library: search, prompt, stream, cite, check; without a model, the best sentences. */
export function createAnswerRunner(parts: RunParts): TurnRunner {
  return (recorder, input, signal) => runTurn(recorder, input, parts, signal)
}
