import type { Approval, ApprovalDecision } from '../../contract/agent.ts'
import type { Language, Scope } from '../../contract/library.ts'
import type { Settings } from '../../contract/settings.ts'
import type { ToolGrant } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { ChatModel } from '../models/models.ts'
import type { TurnRecorder } from '../turns/turns.ts'
import type { Exposure } from './exposure.ts'
import type { Results } from './results.ts'
import type { SourceBook } from './source-book.ts'
import type { ToolContext } from './tool.ts'

/** What the rounds of one turn share, helpers included. */
export interface AgentTurn {
  recorder: TurnRecorder
  model: ChatModel
  signal: AbortSignal
  language: Language
  scope: Scope
  settings: () => Settings
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  exposure: Exposure
  sources: SourceBook
  results: Results
  /** One question at a time; null when the turn was stopped. */
  ask(approval: Approval): Promise<ApprovalDecision | null>
  chatGrants(): readonly ToolGrant[]
  /** Keeps a "for this chat" or an "always". */
  grant(decision: 'chat' | 'always', grant: ToolGrant): Promise<void>
  /** An id of a call that no other call of this turn has. */
  callId(wanted: string): string
  /** Says a note of this code once a turn. */
  noteOnce: TurnRecorder['note']
}

/** A tool's context, with what only the agent's own tools need. */
export interface CallContext extends ToolContext {
  callId: string
}
