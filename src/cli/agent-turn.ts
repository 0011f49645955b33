import type { AskRequest, TurnEvent } from '../contract/answer.ts'
import type { SharedCore } from '../server/server.ts'
import type { Decide } from './agent-approvals.ts'
import { ask, type Asked } from './asking.ts'
import { asErrorValue } from './run.ts'

interface TurnOptions {
  signal: AbortSignal
  decide: Decide
  onEvent: (event: TurnEvent) => void
  note: (text: string) => void
}

/** One turn of an agent: told as it goes, its approvals asked one after the other, each answered for exactly what was shown. */
export async function runTurn(client: SharedCore['client'], request: AskRequest, options: TurnOptions): Promise<Asked> {
  const { signal, decide, onEvent, note } = options
  const open = new Map<string, AbortController>()
  let turnId = ''
  let asking: Promise<void> = Promise.resolve()

  async function answer(event: TurnEvent & { type: 'approval-request' }, over: AbortSignal): Promise<void> {
    const { approvalId, digest } = event.approval
    if (over.aborted) return
    const decision = await decide(event.approval, over)
    if (decision === null || over.aborted) return
    try {
      await client.turns.approve({ turnId, approvalId, digest, decision })
    } catch (error) {
      // The turn may have been stopped at the same moment.
      if (!over.aborted) note(asErrorValue(error).message)
    }
  }

  const asked = await ask(client, request, {
    signal,
    onEvent(event) {
      onEvent(event)
      if (event.type === 'turn-start') turnId = event.turnId
      if (event.type === 'approval-request') {
        const over = new AbortController()
        open.set(event.approval.approvalId, over)
        asking = asking.then(() => answer(event, over.signal))
      }
      if (event.type === 'approval-end') open.get(event.approvalId)?.abort()
      if (event.type === 'turn-end') for (const over of open.values()) over.abort()
    },
  })
  await asking
  return asked
}
