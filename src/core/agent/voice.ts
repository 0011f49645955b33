import { createCiter } from '../answer/answer.ts'
import type { AgentTurn } from './agent-turn.ts'
import type { Voice } from './round.ts'

/** The agent's own voice: what is said is the turn's answer, its markers in one form. */
export interface AnswerVoice extends Voice {
  /** Markers of the text that stands now that pointed at nothing. */
  readonly dropped: number
}

export function createAnswerVoice({ recorder, sources, noteOnce }: Pick<AgentTurn, 'recorder' | 'sources' | 'noteOnce'>): AnswerVoice {
  let citer = createCiter(sources.has)
  return {
    begin() {
      citer = createCiter(sources.has)
    },
    text: (text) => recorder.text(citer.push(text)),
    thinking: (text) => recorder.thinking(text),
    end() {
      recorder.text(citer.flush())
      recorder.endText()
    },
    reset() {
      recorder.resetText()
      citer = createCiter(sources.has)
    },
    warn({ code, message, count }) {
      if (code !== 'no-done') noteOnce({ code, message, ...(count === undefined ? {} : { count }) })
    },
    contextTokens(tokens) {
      const use = recorder.turn.contextUse
      if (use !== null && tokens !== use.windowTokens) recorder.contextUse({ ...use, windowTokens: tokens })
    },
    get dropped() {
      return citer.dropped
    },
  }
}

/** A helper's: nobody hears it, its result alone counts. */
export const silentVoice: Voice = {
  begin: () => undefined,
  text: () => undefined,
  thinking: () => undefined,
  end: () => undefined,
  reset: () => undefined,
  warn: () => undefined,
  contextTokens: () => undefined,
}
