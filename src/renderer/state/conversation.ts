import { create } from 'zustand'
import type { TurnEvent } from '../../contract/answer.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Scope } from '../../contract/library.ts'
import { foldTurnEvent, newTurnView, viewOfTurn } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { problemOf } from '../problem.ts'
import { loadChats } from './chats.ts'
import { useDraft } from './draft.ts'
import { nameChat } from './route.ts'
import { reportProblem } from './toasts.ts'
import { dropTurn, dropTurns, putTurn, readTurn } from './turns.ts'

interface State {
  chatId: string | null
  phase: 'ready' | 'loading' | 'failed'
  problem: ErrorValue | null
  title: string
  scope: Scope
  turnIds: string[]
}
const empty: State = { chatId: null, phase: 'ready', problem: null, title: '', scope: {}, turnIds: [] }

/** The chat that is open, and its turns. */
export const useConversation = create<State>(() => empty)

let watching = new AbortController()
let lastLocal = 0

function nextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, 100)
  else requestAnimationFrame(run)
}

/** Follows a turn. Events are folded once a frame, so that a fast model costs no more than a slow one. */
async function watchTurn(turnId: string, signal: AbortSignal): Promise<void> {
  let waiting: TurnEvent[] = []
  function flush() {
    const events = waiting
    waiting = []
    const view = readTurn(turnId)
    if (view !== undefined && !signal.aborted) putTurn(events.reduce(foldTurnEvent, view))
  }
  try {
    await follow(
      (inner) => client.turns.watch({ turnId, from: readTurn(turnId)?.next ?? 0 }, { signal: inner }),
      (event) => {
        if (waiting.length === 0) nextFrame(flush)
        waiting.push(event)
      },
      signal,
    )
    flush()
    const view = readTurn(turnId)
    if (view?.running === true && !signal.aborted) putTurn({ ...view, running: false, outcome: view.outcome ?? 'stopped' })
  } catch (error) {
    flush()
    const view = readTurn(turnId)
    if (view !== undefined && !signal.aborted) putTurn({ ...view, running: false, outcome: 'failed', error: problemOf(error) })
  }
  if (!signal.aborted) await loadChats()
}

export async function openChat(chatId: string | null): Promise<void> {
  if (chatId === useConversation.getState().chatId && useConversation.getState().phase === 'ready') return
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  dropTurns()
  useConversation.setState({ ...empty, chatId, phase: chatId === null ? 'ready' : 'loading' })
  if (chatId === null) return
  try {
    const chat = await client.chats.get({ chatId }, { signal })
    const views = chat.history.map((turn) =>
      turn.outcome === null ? newTurnView(turn.id, turn.chatId, turn.question, turn.askedAt) : viewOfTurn(turn),
    )
    views.forEach(putTurn)
    useConversation.setState({
      phase: 'ready',
      title: chat.title,
      scope: chat.scope,
      turnIds: views.map((view) => view.id),
    })
    for (const view of views) if (view.running) void watchTurn(view.id, signal)
  } catch (error) {
    if (!signal.aborted) useConversation.setState({ phase: 'failed', problem: problemOf(error) })
  }
}

/** Shows the question at once under a name of its own, then asks. The model is the one that the composer shows. */
export async function ask(question: string, anyway = false): Promise<void> {
  const { chatId, scope } = useConversation.getState()
  const draft = useDraft.getState().model
  // Whoever asks the model anyway wants one, whatever was chosen before.
  const model = anyway && draft === null ? undefined : draft
  const { signal } = watching
  lastLocal += 1
  const localId = `local-${lastLocal}`
  putTurn(newTurnView(localId, chatId ?? '', question, Date.now(), model === null))
  useConversation.setState(({ turnIds, title }) => ({ title: title === '' ? question : title, turnIds: [...turnIds, localId] }))
  try {
    const request = { question, scope, anyway, ...(model === undefined ? {} : { model }), ...(chatId === null ? {} : { chatId }) }
    const asked = await client.chats.ask(request)
    if (signal.aborted) return
    putTurn(newTurnView(asked.turnId, asked.chatId, question, Date.now(), model === null))
    useConversation.setState(({ turnIds }) => ({
      chatId: asked.chatId,
      turnIds: turnIds.map((id) => (id === localId ? asked.turnId : id)),
    }))
    dropTurn(localId)
    if (chatId === null) nameChat(asked.chatId)
    void loadChats()
    await watchTurn(asked.turnId, signal)
  } catch (error) {
    const view = readTurn(localId)
    if (view !== undefined) putTurn({ ...view, running: false, outcome: 'failed', error: problemOf(error) })
  }
}

export async function stopTurn(turnId: string): Promise<void> {
  try {
    await client.turns.stop({ turnId })
  } catch (error) {
    reportProblem(error)
  }
}

export function setScope(scope: Scope): void {
  useConversation.setState({ scope })
}
