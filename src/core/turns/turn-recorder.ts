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

/** Keeps the turn as it will be stored and says everything to those who watch. The only one that writes either. */
export interface TurnRecorder {
  readonly turn: Turn
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
  checked(result: Pick<Turn, 'answer' | 'sentences' | 'citations'>, droppedMarkers: number): void
  step<T>(kind: StepKind, work: (end: StepEnd) => Promise<T>): Promise<T>
  /** Sets the outcome. `announce` then tells it, once the turn is stored. */
  finish(outcome: Outcome, error: ErrorValue | null): void
  announce(): void
}

export function createTurnRecorder(turn: Turn, log: TurnLog, now: () => number): TurnRecorder {
  let open: 'thinking' | 'text' | null = null
  let searchMs: number | null = null
  let firstTextMs: number | null = null
  let steps = 0

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

  return {
    turn,
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
      turn.notes.push(note)
      log.add({ type: 'note', note })
    },
    sources(sources) {
      turn.sources = sources
      log.add({ type: 'sources', sources })
    },
    contextUse(use) {
      turn.contextUse = use
      log.add({ type: 'context-use', use })
    },
    usage(usage) {
      turn.usage = usage
    },
    thinking(text) {
      begin('thinking')
      turn.thinking += text
      log.addDelta('thinking-delta', text)
    },
    text(text) {
      if (text === '') return
      begin('text')
      firstTextMs ??= now() - turn.askedAt
      turn.answer += text
      log.addDelta('text-delta', text)
    },
    endText: close,
    checked(result, droppedMarkers) {
      close()
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
