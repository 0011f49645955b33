import type { Approval, ApprovalDecision } from '../../contract/agent.ts'
import type { Language, Scope } from '../../contract/library.ts'
import type { Settings } from '../../contract/settings.ts'
import type { ToolGrant } from '../../contract/tools.ts'
import type { CoreDeps } from '../deps.ts'
import type { ChatModel } from '../models/models.ts'
import { languageOfQuestion } from '../search/search.ts'
import type { Store } from '../store/store.ts'
import type { TurnInput, TurnRecorder } from '../turns/turns.ts'
import { exposeSource, exposureOf, memoryGives, type Exposure } from './exposure.ts'
import { createResults, type Results } from './results.ts'
import { createSourceBook, type SourceBook } from './source-book.ts'
import type { ToolContext } from './tool.ts'
import type { TurnParts } from './turn-parts.ts'

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
  /** Why a tool that there is cannot be called; null when there is none, or it can. */
  whyNot(tool: string): { status: 'error' | 'offline'; text: string } | null
  /** Says a note of this code once a turn. */
  noteOnce: TurnRecorder['note']
}

/** Of the window, one result takes no more: the rest is read on. */
const resultShare = 0.2

/** A tool's context, with what only the agent's own tools need. */
export interface CallContext extends ToolContext {
  callId: string
}

export function createAgentTurn(
  recorder: TurnRecorder,
  input: TurnInput,
  parts: TurnParts,
  model: ChatModel,
  windowTokens: number,
  signal: AbortSignal,
): AgentTurn {
  const { approvals, store, toolSet, deps } = parts
  const { id: turnId, chatId } = recorder.turn
  const exposure = exposureOf(input.before, input.attachments, toolSet.gives, (id) => memoryGives(parts.memories.get(id)))
  const callIds = new Set<string>()
  const noted = new Set<string>()
  let asking: Promise<unknown> = Promise.resolve()
  return {
    recorder,
    model,
    signal,
    language: languageOfQuestion(recorder.turn.question),
    scope: input.scope,
    settings: store.settings.read,
    deps,
    exposure,
    sources: createSourceBook((sources, added) => {
      for (const source of added) exposeSource(exposure, source)
      recorder.sources(sources)
    }),
    results: createResults({ mostTokens: Math.max(100, Math.floor(windowTokens * resultShare)), estimateTokens: model.estimateTokens }),
    ask(approval) {
      const answered = asking.then(async () => {
        if (signal.aborted) return null
        const waiting = approvals.wait(turnId, approval, signal)
        recorder.approvalRequest(approval)
        const decision = await waiting
        recorder.approvalEnd(approval, decision)
        return decision
      })
      asking = answered
      return answered
    },
    chatGrants: () => approvals.chatGrants(chatId),
    async grant(decision, grant) {
      approvals.grantChat(chatId, grant)
      if (decision === 'always') await keepGrant(store, grant).catch(() => deps.log('warn', 'a grant could not be kept'))
    },
    callId(wanted) {
      const base = wanted.slice(0, 100)
      let callId = base
      for (let count = 2; callIds.has(callId); count += 1) callId = `${base}_${count}`
      callIds.add(callId)
      return callId
    },
    whyNot: toolSet.whyNot,
    noteOnce(note) {
      if (noted.has(note.code)) return
      noted.add(note.code)
      recorder.note(note)
    },
  }
}

/** In the place of one for the tool as it was before. */
async function keepGrant(store: Store, { tool, site, version }: ToolGrant): Promise<void> {
  const { toolGrants } = store.settings.read()
  const others = toolGrants.filter((each) => each.tool !== tool || each.site !== site)
  await store.settings.patch({ toolGrants: [...others, { tool, site, ...(version === undefined ? {} : { version }) }] })
}
