import type { AskReport, AskRequest, Note, TurnEvent } from '../contract/answer.ts'
import type { ErrorValue } from '../contract/errors.ts'
import { SikuError } from '../contract/errors.ts'
import type { SharedCore } from '../server/server.ts'
import { asErrorValue } from './run.ts'

export interface Asked {
  report: AskReport
  error: ErrorValue | null
  notes: Note[]
  chatId: string
  turnId: string
  searchMs: number | null
  firstTextMs: number | null
}

interface AskOptions {
  signal: AbortSignal
  /** Told each event as it comes. */
  onEvent?: (event: TurnEvent) => void
}

type TurnEnd = TurnEvent & { type: 'turn-end' }

/** The end of a turn that nobody else told: it failed before it began, or whoever did it is gone. */
export function brokenEnd(seq: number, error: unknown, totalMs: number): TurnEnd {
  const value = asErrorValue(error)
  const isStopped = value.code === 'cancelled'
  return {
    seq,
    type: 'turn-end',
    outcome: isStopped ? 'stopped' : 'failed',
    error: isStopped ? null : value,
    usage: null,
    timings: { searchMs: null, firstTextMs: null, totalMs: Math.round(totalMs) },
  }
}

/** What there is to report of a question that was not taken, and of one that has not ended yet. */
export function failedReport(): AskReport {
  return {
    outcome: 'failed',
    answer: '',
    sentences: [],
    citations: [],
    basis: null,
    model: null,
    promptTokens: null,
    contextTokens: null,
    elapsedMs: 0,
  }
}

/**
 * Asks and waits for the turn's end. An abort stops the turn, and what was written until then is the answer. Rejects only when
 * the question was not taken: what goes wrong after that is the turn's end.
 */
export async function ask(client: SharedCore['client'], request: AskRequest, { signal, onEvent }: AskOptions): Promise<Asked> {
  const startedAt = performance.now()
  const { chatId, turnId } = await client.chats.ask(request, { signal })
  const stop = () => void client.turns.stop({ turnId }).catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const asked: Asked = {
    report: failedReport(),
    error: null,
    notes: [],
    chatId,
    turnId,
    searchMs: null,
    firstTextMs: null,
  }
  let next = 0
  function tell(event: TurnEvent): void {
    onEvent?.(event)
    take(asked, event)
    next = event.seq + 1
  }
  try {
    let hasEnded = false
    for await (const event of await client.turns.watch({ turnId, from: 0 })) {
      tell(event)
      hasEnded = event.type === 'turn-end'
      if (hasEnded) break
    }
    if (!hasEnded) throw new SikuError('network', 'The answer broke off: its end was never told.', { retryable: true })
  } catch (error) {
    tell(brokenEnd(next, error, performance.now() - startedAt))
  } finally {
    signal.removeEventListener('abort', stop)
  }
  asked.report.elapsedMs = Math.round(performance.now() - startedAt)
  return asked
}

function take(asked: Asked, event: TurnEvent): void {
  const { report } = asked
  switch (event.type) {
    case 'turn-start':
      report.model = event.model?.model ?? null
      return
    case 'note':
      asked.notes.push(event.note)
      if (event.note.basis !== undefined) report.basis = event.note.basis
      return
    case 'text-delta':
      report.answer += event.text
      return
    case 'text-reset':
      report.answer = ''
      return
    case 'context-use':
      report.contextTokens = event.use.windowTokens
      return
    case 'answer-checked':
      report.answer = event.answer
      report.sentences = event.sentences.map(({ text, citations, supported }) => ({ text, citations, supported }))
      report.citations = event.citations.map(({ marker, path, place, quote }) => ({ marker, path, place, quote }))
      return
    case 'turn-end':
      report.outcome = event.outcome
      report.promptTokens = event.usage?.promptTokens ?? null
      asked.error = event.error
      asked.searchMs = event.timings.searchMs
      asked.firstTextMs = event.timings.firstTextMs
      return
    case 'step-start':
    case 'step-end':
    case 'sources':
    case 'thinking-start':
    case 'thinking-delta':
    case 'thinking-end':
    case 'plan':
    case 'memories-used':
    case 'call-start':
    case 'approval-request':
    case 'approval-end':
    case 'call-end':
    case 'text-start':
    case 'text-end':
      return
  }
}
