import type { Language, Scope } from '../../../contract/library.ts'
import type { ChatModel } from '../../models/models.ts'
import type { Store } from '../../store/store.ts'
import type { Tables } from '../../tables/tables.ts'
import type { TurnRecorder } from '../../turns/turns.ts'

export interface OverviewParts {
  store: Store
  tables: Tables
  now: () => number
}

/** One question, on its way to an answer that passages cannot give. */
export interface OverviewRun {
  recorder: TurnRecorder
  parts: OverviewParts
  scope: Scope
  language: Language
  /** Null: none answers. */
  model: () => Promise<ChatModel | null>
  signal: AbortSignal
}
