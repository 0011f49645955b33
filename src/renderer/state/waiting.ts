import { create } from 'zustand'
import type { ChatState, TurnEvent } from '../../contract/answer.ts'
import { foldTurnEvent, type TurnView } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { i18next } from '../words/words.ts'
import { go, useRoute } from './route.ts'
import { showToast } from './toasts.ts'

/** Chats whose last turn goes on, and those that wait for the user's word: as the core says, whoever asked. */
export const useWaiting = create<{ chats: Record<string, ChatState> }>(() => ({ chats: {} }))

/** Rises with each change that events tell, so that a list that was read before it does not undo it. */
let changes = 0
/** By turn. */
const asides = new Map<string, { chatId: string; stop: AbortController }>()

/** What the user cannot see now is told by a message that leads there. */
function tell(chatId: string, title: string): void {
  const { screen, chatId: open } = useRoute.getState()
  if (screen === 'ask' && open === chatId) return
  showToast({
    text: i18next.t('agent.waitsElsewhere', { title }),
    action: { label: i18next.t('common.open'), run: () => go('ask', chatId) },
  })
}

function put(chats: Record<string, ChatState>, titleOf: (chatId: string) => string): void {
  const before = useWaiting.getState().chats
  useWaiting.setState({ chats })
  for (const [chatId, state] of Object.entries(chats)) {
    if (state === 'waiting' && before[chatId] !== 'waiting') tell(chatId, titleOf(chatId))
  }
}

/** Keeps account of what a turn that is watched here does. */
export function noteWaiting(view: TurnView, title: string): void {
  const { chats } = useWaiting.getState()
  const state = view.approvals.length > 0 ? 'waiting' : view.running ? 'running' : undefined
  if (view.chatId === '' || chats[view.chatId] === state) return
  changes += 1
  const { [view.chatId]: _before, ...others } = chats
  put(state === undefined ? others : { ...others, [view.chatId]: state }, () => (title === '' ? view.question : title))
}

/** Looks which chats are at work, and gives the revision of the list. What events told meanwhile is newer than it. */
export async function lookForWaiting(): Promise<number> {
  const at = changes
  const { revision, chats: active } = await client.chats.activity({})
  if (at === changes) {
    const chats = Object.fromEntries(active.map(({ id, state }) => [id, state]))
    put(chats, (chatId) => active.find((chat) => chat.id === chatId)?.title ?? '')
  }
  return revision
}

/** Goes on watching a turn whose chat was left, only for what it asks of the user. */
export function keepAside(left: TurnView, title: string): void {
  const stop = new AbortController()
  asides.get(left.id)?.stop.abort()
  asides.set(left.id, { chatId: left.chatId, stop })
  let view = left
  function receive(event: TurnEvent) {
    view = foldTurnEvent(view, event)
    if (event.type.startsWith('approval') || event.type === 'turn-end') noteWaiting(view, title)
  }
  follow((signal) => client.turns.watch({ turnId: left.id, from: view.next }, { signal }), receive, stop.signal)
    .catch(() => undefined)
    .finally(() => {
      // However it ended, nothing of it waits any more; taken back it is watched by its chat.
      if (!stop.signal.aborted) noteWaiting({ ...view, approvals: [], running: false }, title)
      if (asides.get(left.id)?.stop === stop) asides.delete(left.id)
    })
}

/** The chat is open again and watches its turns itself. */
export function takeBack(chatId: string): void {
  for (const aside of asides.values()) if (aside.chatId === chatId) aside.stop.abort()
}
