import type { Approval } from '../../contract/agent.ts'
import type { Outcome, Turn, TurnEvent } from '../../contract/answer.ts'
import { emptyTurn } from '../../contract/empty-turn.ts'

type StepKind = Turn['steps'][number]['kind']

/** A turn on the screen: what is stored of it, and how far its stream has come. */
export interface TurnView extends Turn {
  /** The next event that has not been seen; a watch is joined again from here. */
  next: number
  running: boolean
  activeStep: StepKind | null
  thinkingOpen: boolean
  /** Whether the asker wanted no model; null when that is not known any more. */
  withoutModel: boolean | null
  /** What waits for the user's word. */
  approvals: Approval[]
  /** What stood there before the text began anew: shown faintly until new text comes, so that nothing jumps. */
  before: string
}

export function newTurnView(
  id: string,
  chatId: string,
  question: string,
  askedAt: number,
  withoutModel: boolean | null = null,
  asked: Partial<Pick<TurnView, 'mode' | 'attachments' | 'parentId' | 'scope'>> = {},
): TurnView {
  const turn = emptyTurn({ id, chatId, ordinal: 0, question, askedAt, model: null })
  return { ...viewOfTurn(turn), running: true, withoutModel, ...asked }
}

/** Whether no model took part. A turn that was cut off may name no model though there was one: then it is not known. */
export function isWithoutModel({ model, outcome, notes, withoutModel }: TurnView): boolean {
  return model === null && (withoutModel === true || outcome === 'extractive' || notes.some((note) => note.code === 'no-model'))
}

/** Whether the text is put together from documents, word for word, and no model wrote it. */
export function isQuoted(turn: TurnView): boolean {
  if (turn.mode === 'agent') return false
  const did = (kind: StepKind) => turn.activeStep === kind || turn.steps.some((step) => step.kind === kind)
  return isWithoutModel(turn) || did('extract') || (turn.notes.some(({ code }) => code === 'not-in-library') && !did('generate'))
}

/** A turn that goes on no more: nothing of it runs or waits. */
export function endedTurn(view: TurnView, outcome: Outcome, error: TurnView['error'] = null): TurnView {
  return {
    ...view,
    outcome,
    error,
    running: false,
    activeStep: null,
    thinkingOpen: false,
    approvals: [],
    before: '',
    // A call that never ended was cut off with its turn.
    calls: view.calls.map((call) => (call.status === 'running' ? { ...call, status: 'cancelled' } : call)),
  }
}

export function viewOfTurn(turn: Turn): TurnView {
  return { ...turn, next: 0, running: false, activeStep: null, thinkingOpen: false, withoutModel: null, approvals: [], before: '' }
}

/** One event more. An event already seen changes nothing, so that a stream may be joined with overlap. */
export function foldTurnEvent(view: TurnView, event: TurnEvent): TurnView {
  if (event.seq < view.next) return view
  const next = { ...view, next: event.seq + 1 }
  switch (event.type) {
    case 'turn-start':
      return { ...next, chatId: event.chatId, question: event.question, model: event.model, mode: event.mode, askedAt: event.at }
    case 'step-start':
      return { ...next, activeStep: event.kind }
    case 'step-end': {
      const step = { kind: event.kind, elapsedMs: event.elapsedMs, detail: event.detail, count: event.count }
      return { ...next, activeStep: next.activeStep === event.kind ? null : next.activeStep, steps: [...next.steps, step] }
    }
    case 'sources':
      return { ...next, sources: event.sources }
    case 'note':
      return { ...next, notes: [...next.notes, event.note] }
    case 'thinking-start':
      return { ...next, thinkingOpen: true }
    case 'thinking-delta':
      return { ...next, thinking: next.thinking + event.text }
    case 'thinking-end':
      return { ...next, thinkingOpen: false }
    case 'text-delta':
      return { ...next, answer: next.answer + event.text, before: '' }
    case 'text-start':
    case 'text-end':
      return next
    case 'context-use':
      return { ...next, contextUse: event.use }
    case 'answer-checked':
      return { ...next, answer: event.answer, sentences: event.sentences, citations: event.citations, before: '' }
    case 'plan':
      return { ...next, plan: event.items }
    case 'memories-used':
      return { ...next, memories: event.memories }
    case 'text-reset':
      return { ...next, answer: '', before: next.answer === '' ? next.before : next.answer }
    case 'call-start': {
      const { callId, tool, line, access, parentCallId, limitMs } = event
      const call = { callId, tool, line, arguments: event.arguments, access, parentCallId, limitMs }
      const record = { ...call, status: 'running' as const, elapsedMs: 0, result: '', cutFrom: null, decision: null }
      // Its line takes the place of the words that led to it.
      return { ...next, before: '', calls: [...next.calls, record] }
    }
    case 'approval-request':
      return { ...next, approvals: [...next.approvals, event.approval] }
    case 'approval-end': {
      const calls = next.calls.map((call) => (call.callId === event.callId ? { ...call, decision: event.decision } : call))
      return { ...next, calls, approvals: next.approvals.filter((approval) => approval.approvalId !== event.approvalId) }
    }
    case 'call-end': {
      const { status, elapsedMs, result, cutFrom } = event
      const calls = next.calls.map((call) => (call.callId === event.callId ? { ...call, status, elapsedMs, result, cutFrom } : call))
      return { ...next, calls }
    }
    case 'turn-end':
      return endedTurn({ ...next, usage: event.usage, timings: event.timings }, event.outcome, event.error)
  }
}
