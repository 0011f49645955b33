import type { Approval, ApprovalDecision, CallEnd, CallRecord, CallStart, PlanItem } from '../../contract/agent.ts'
import type { ContextUse, Note, Outcome, Source, Turn } from '../../contract/answer.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import type { ModelRef, Usage } from '../../contract/models.ts'
import type { TurnLog } from './turn-log.ts'

type StepKind = Turn['steps'][number]['kind']

/** What a step found, for its line. */
export interface StepEnd {
  detail?: string
  count?: number
}

/** Of a result, so much is kept with the turn for showing; the turn's messages have what the model was given. */
const shownCharacters = 2000

/** Keeps the turn as it will be stored and says everything to those who watch. The only one that writes either. */
export interface TurnRecorder {
  readonly turn: Turn
  /** Grows with everything that is written into the turn. */
  readonly revision: number
  /** `model` is the one that will probably answer; the turn names it once it does. */
  start(model: ModelRef | null): void
  setModel(model: ModelRef | null): void
  note(note: Note): void
  sources(sources: Source[]): void
  contextUse(use: ContextUse): void
  usage(usage: Usage): void
  thinking(text: string): void
  text(text: string): void
  /** After the last piece of text. */
  endText(): void
  /** What was written so far was not the answer. */
  resetText(): void
  plan(items: PlanItem[]): void
  memoriesUsed(memories: Turn['memories']): void
  callStart(call: CallStart): void
  approvalRequest(approval: Approval): void
  /** Null: the turn was stopped before an answer came. */
  approvalEnd(approval: Approval, decision: ApprovalDecision | null): void
  callEnd(callId: string, end: CallEnd): void
  /** Resolves when the turn is stored as it is now: before something is done that cannot be undone. */
  keep(): Promise<void>
  checked(result: Pick<Turn, 'answer' | 'sentences' | 'citations'>, droppedMarkers: number): void
  step<T>(kind: StepKind, work: (end: StepEnd) => Promise<T>): Promise<T>
  /** Sets the outcome. `announce` then tells it, once the turn is stored. */
  finish(outcome: Outcome, error: ErrorValue | null): void
  announce(): void
}

export function createTurnRecorder(turn: Turn, log: TurnLog, now: () => number, keep: () => Promise<void>): TurnRecorder {
  let open: 'thinking' | 'text' | null = null
  let searchMs: number | null = null
  let firstTextMs: number | null = null
  let steps = 0
  let revision = 0
  const calls = new Map(turn.calls.map((call) => [call.callId, call]))

  function close(): void {
    if (open !== null) log.add({ type: open === 'text' ? 'text-end' : 'thinking-end' })
    open = null
  }

  function begin(kind: 'thinking' | 'text'): void {
    if (open === kind) return
    close()
    log.add({ type: kind === 'text' ? 'text-start' : 'thinking-start' })
    open = kind
  }

  function callEnd(callId: string, { result, ...end }: CallEnd): void {
    revision += 1
    const shown = { ...end, result: result.slice(0, shownCharacters) }
    const record = calls.get(callId)
    if (record !== undefined) Object.assign(record, shown)
    log.add({ type: 'call-end', callId, ...shown })
  }

  return {
    turn,
    get revision() {
      return revision
    },
    start(model) {
      log.add({
        type: 'turn-start',
        turnId: turn.id,
        chatId: turn.chatId,
        question: turn.question,
        model,
        mode: turn.mode,
        at: turn.askedAt,
      })
    },
    setModel(model) {
      turn.model = model
    },
    note(note) {
      revision += 1
      turn.notes.push(note)
      log.add({ type: 'note', note })
    },
    sources(sources) {
      revision += 1
      turn.sources = sources
      log.add({ type: 'sources', sources })
    },
    contextUse(use) {
      revision += 1
      turn.contextUse = use
      log.add({ type: 'context-use', use })
    },
    usage(usage) {
      revision += 1
      turn.usage = usage
    },
    thinking(text) {
      revision += 1
      begin('thinking')
      turn.thinking += text
      log.addDelta('thinking-delta', text)
    },
    text(text) {
      if (text === '') return
      begin('text')
      revision += 1
      firstTextMs ??= now() - turn.askedAt
      turn.answer += text
      log.addDelta('text-delta', text)
    },
    endText: close,
    resetText() {
      close()
      if (turn.answer === '') return
      revision += 1
      turn.answer = ''
      firstTextMs = null
      log.add({ type: 'text-reset' })
    },
    plan(items) {
      revision += 1
      turn.plan = items
      log.add({ type: 'plan', items })
    },
    memoriesUsed(memories) {
      revision += 1
      turn.memories = memories
      log.add({ type: 'memories-used', memories })
    },
    callStart(call) {
      close()
      revision += 1
      const record: CallRecord = { ...call, status: 'running', elapsedMs: 0, result: '', cutFrom: null, decision: null }
      calls.set(call.callId, record)
      turn.calls.push(record)
      log.add({ type: 'call-start', ...call })
    },
    approvalRequest(approval) {
      log.add({ type: 'approval-request', approval })
    },
    approvalEnd({ approvalId, callId }, decision) {
      revision += 1
      const record = calls.get(callId)
      if (record !== undefined) record.decision = decision
      log.add({ type: 'approval-end', approvalId, callId, decision })
    },
    callEnd,
    keep,
    checked(result, droppedMarkers) {
      close()
      revision += 1
      Object.assign(turn, result)
      log.add({ type: 'answer-checked', ...result, droppedMarkers })
    },
    async step(kind, work) {
      const stepId = `${steps++}`
      const startedAt = now()
      const end: StepEnd = {}
      log.add({ type: 'step-start', stepId, kind })
      try {
        return await work(end)
      } finally {
        const elapsedMs = now() - startedAt
        close()
        if (kind === 'search') searchMs = elapsedMs
        turn.steps.push({ kind, elapsedMs, ...end })
        log.add({ type: 'step-end', stepId, kind, elapsedMs, ...end })
      }
    },
    finish(outcome, error) {
      close()
      // A turn that has ended has no call that runs.
      for (const { callId, status } of turn.calls)
        if (status === 'running') callEnd(callId, { status: 'cancelled', elapsedMs: 0, result: '', cutFrom: null })
      turn.outcome = outcome
      turn.error = error
      turn.timings = { searchMs, firstTextMs, totalMs: now() - turn.askedAt }
    },
    announce() {
      const timings = turn.timings ?? { searchMs, firstTextMs, totalMs: now() - turn.askedAt }
      log.add({ type: 'turn-end', outcome: turn.outcome ?? 'failed', error: turn.error, usage: turn.usage, timings })
      log.end()
    },
  }
}
