import type { Turn, TurnMode } from './answer.ts'

/** A turn of which only the question is known. */
export function emptyTurn(
  start: Pick<Turn, 'id' | 'chatId' | 'ordinal' | 'parentId' | 'question' | 'askedAt' | 'model'> & { mode?: TurnMode },
): Turn {
  return {
    ...start,
    mode: start.mode ?? 'answer',
    outcome: null,
    answer: '',
    thinking: '',
    sentences: [],
    citations: [],
    sources: [],
    notes: [],
    steps: [],
    error: null,
    usage: null,
    contextUse: null,
    timings: null,
    plan: [],
    calls: [],
    memories: [],
    attachments: [],
    scope: {},
    imported: false,
  }
}
