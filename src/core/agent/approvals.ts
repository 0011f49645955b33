import type { Approval, ApprovalDecision } from '../../contract/agent.ts'
import { failure } from '../../contract/errors.ts'
import type { ToolGrant } from '../../contract/tools.ts'
import { mayDecide } from './approval.ts'

export interface Approvals {
  /** Waits for the user's word; null when the signal aborts first. */
  wait(turnId: string, approval: Approval, signal: AbortSignal): Promise<ApprovalDecision | null>
  waits(turnId: string): boolean
  decide(turnId: string, approvalId: string, digest: string, decision: ApprovalDecision): void
  /** What was allowed for a chat: kept as long as the process lives. */
  chatGrants(chatId: string): readonly ToolGrant[]
  grantChat(chatId: string, grant: ToolGrant): void
  /** Takes back what was allowed for any chat. */
  revoke(grant: ToolGrant): void
}

interface Waiting {
  turnId: string
  approval: Approval
  settle: (decision: ApprovalDecision | null) => void
}

export function createApprovals(): Approvals {
  const waiting = new Map<string, Waiting>()
  const granted = new Map<string, ToolGrant[]>()
  return {
    wait(turnId, approval, signal) {
      return new Promise((resolve) => {
        const settle = (decision: ApprovalDecision | null): void => {
          waiting.delete(approval.approvalId)
          signal.removeEventListener('abort', stop)
          resolve(decision)
        }
        const stop = (): void => settle(null)
        if (signal.aborted) {
          resolve(null)
          return
        }
        signal.addEventListener('abort', stop, { once: true })
        waiting.set(approval.approvalId, { turnId, approval, settle })
      })
    },
    waits: (turnId) => [...waiting.values()].some((each) => each.turnId === turnId),
    decide(turnId, approvalId, digest, decision) {
      const asked = waiting.get(approvalId)
      if (asked?.turnId !== turnId) throw failure('approval-gone')
      if (asked.approval.digest !== digest) throw failure('approval-other')
      if (!mayDecide(asked.approval.dangerous, decision)) {
        throw failure('approval-once')
      }
      asked.settle(decision)
    },
    chatGrants: (chatId) => granted.get(chatId) ?? [],
    grantChat(chatId, grant) {
      granted.set(chatId, [...(granted.get(chatId) ?? []), grant])
    },
    revoke(grant) {
      for (const [chatId, grants] of granted)
        granted.set(
          chatId,
          grants.filter((each) => each.tool !== grant.tool || each.site !== grant.site),
        )
    },
  }
}
