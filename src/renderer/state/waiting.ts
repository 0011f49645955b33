import { create } from 'zustand'
import type { TurnEvent } from '../../contract/answer.ts'
import { foldTurnEvent, type TurnView } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { i18next } from '../words/words.ts'
import { go } from './route.ts'
import { showToast } from './toasts.ts'

/** Approvals that wait for the user's word, by chat. */
export const useWaiting = create<{ chats: Record<string, string[]> }>(() => ({ chats: {} }))

const told = new Set<string>()
/** By turn. */
const asides = new Map<string, { chatId: string; stop: AbortController }>()

/** Keeps account of what waits. What the user cannot see now is told by a message that leads there. */
export function noteWaiting(view: TurnView, title: string, seen: boolean): void {
  const ids = view.approvals.map((approval) => approval.approvalId)
  const { chats } = useWaiting.getState()
  if ((chats[view.chatId] ?? []).join() !== ids.join()) {
    const { [view.chatId]: _before, ...others } = chats
    useWaiting.setState({ chats: ids.length === 0 ? others : { ...others, [view.chatId]: ids } })
  }
  for (const id of ids) {
    if (told.has(id)) continue
    told.add(id)
    if (seen) continue
    showToast({
      text: i18next.t('agent.waitsElsewhere', { title: title === '' ? view.question : title }),
      action: { label: i18next.t('common.open'), run: () => go('ask', view.chatId) },
    })
  }
}

/** Goes on watching a turn whose chat was left, only for what it asks of the user. */
export function keepAside(left: TurnView, title: string): void {
  const stop = new AbortController()
  asides.get(left.id)?.stop.abort()
  asides.set(left.id, { chatId: left.chatId, stop })
  let view = left
  function receive(event: TurnEvent) {
    view = foldTurnEvent(view, event)
    if (event.type.startsWith('approval') || event.type === 'turn-end') noteWaiting(view, title, false)
  }
  follow((signal) => client.turns.watch({ turnId: left.id, from: view.next }, { signal }), receive, stop.signal)
    .catch(() => noteWaiting({ ...view, approvals: [] }, title, false))
    .finally(() => {
      if (asides.get(left.id)?.stop === stop) asides.delete(left.id)
    })
}

/** The chat is open again and watches its turns itself. */
export function takeBack(chatId: string): void {
  for (const aside of asides.values()) if (aside.chatId === chatId) aside.stop.abort()
}
