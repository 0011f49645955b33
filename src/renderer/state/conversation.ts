import { create } from 'zustand'
import type { AgentProfile, Approval, ApprovalDecision, Attachment } from '../../contract/agent.ts'
import type { TurnEvent, TurnMode } from '../../contract/answer.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Scope } from '../../contract/library.ts'
import { attachmentsIn } from '../ask/attachments.ts'
import { foldTurnEvent, newTurnView, viewOfTurn, type TurnView } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { problemOf } from '../problem.ts'
import { readPreference, writePreference } from '../preferences.ts'
import { loadChats } from './chats.ts'
import { useDraft } from './draft.ts'
import { nameChat, useRoute } from './route.ts'
import { reportProblem } from './toasts.ts'
import { dropTurn, dropTurns, putTurn, readTurn } from './turns.ts'
import { keepAside, noteWaiting, takeBack } from './waiting.ts'

interface State {
  chatId: string | null
  phase: 'ready' | 'loading' | 'failed'
  problem: ErrorValue | null
  title: string
  scope: Scope
  turnIds: string[]
  mode: TurnMode
  /** How the agent of this chat is set; null is Siku's own. */
  agent: AgentProfile | null
}
const empty: State = { chatId: null, phase: 'ready', problem: null, title: '', scope: {}, turnIds: [], mode: 'answer', agent: null }

/** What was switched to in a chat and not asked yet. Else a chat goes on as its last turn was asked. */
const modes = new Map<string, TurnMode>()

function modeOfNew(): TurnMode {
  return readPreference('mode') === 'agent' ? 'agent' : 'answer'
}

/** The chat that is open, and its turns. */
export const useConversation = create<State>(() => ({ ...empty, mode: modeOfNew() }))

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
    if (view === undefined || signal.aborted) return
    const next = events.reduce(foldTurnEvent, view)
    putTurn(next)
    noteWaiting(next, useConversation.getState().title, useRoute.getState().screen === 'ask')
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
  const left = useConversation.getState()
  for (const view of dropTurns()) if (view.running && !view.id.startsWith('local-')) keepAside(view, left.title)
  if (chatId !== null) takeBack(chatId)
  useConversation.setState({ ...empty, mode: modeOfNew(), chatId, phase: chatId === null ? 'ready' : 'loading' })
  if (chatId === null) return
  try {
    const chat = await client.chats.get({ chatId }, { signal })
    const views = chat.history.map((turn) =>
      turn.outcome === null
        ? newTurnView(turn.id, turn.chatId, turn.question, turn.askedAt, null, { mode: turn.mode, attachments: turn.attachments })
        : viewOfTurn(turn),
    )
    views.forEach(putTurn)
    useConversation.setState({
      phase: 'ready',
      title: chat.title,
      scope: chat.scope,
      turnIds: views.map((view) => view.id),
      mode: modes.get(chatId) ?? views.at(-1)?.mode ?? 'answer',
      agent: chat.agent,
    })
    for (const view of views) if (view.running) void watchTurn(view.id, signal)
  } catch (error) {
    if (!signal.aborted) useConversation.setState({ phase: 'failed', problem: problemOf(error) })
  }
}

export interface AskAgain {
  /** "Ask the model anyway" after a note that nothing in the library answers. */
  anyway?: boolean
  /** Of a turn that is asked again; else what the composer is switched to. */
  mode?: TurnMode
  attachments?: Attachment[]
}

/** Shows the question at once under a name of its own, then asks. The model is the one that the composer shows. */
export async function ask(question: string, { anyway = false, mode: wanted, attachments = [] }: AskAgain = {}): Promise<void> {
  const { chatId, scope, agent, mode: switched } = useConversation.getState()
  const mode = wanted ?? switched
  const draft = useDraft.getState().model
  // Whoever asks the model anyway wants one, whatever was chosen before.
  const model = anyway && draft === null ? undefined : draft
  const { signal } = watching
  lastLocal += 1
  const localId = `local-${lastLocal}`
  const asking = { mode, attachments: attachments.map(({ name, mediaType }) => ({ name, mediaType })) }
  putTurn(newTurnView(localId, chatId ?? '', question, Date.now(), model === null, asking))
  useConversation.setState(({ turnIds, title }) => ({ title: title === '' ? question : title, turnIds: [...turnIds, localId] }))
  try {
    const asked = await client.chats.ask({
      question,
      scope,
      anyway,
      mode,
      attachments,
      ...(model === undefined ? {} : { model }),
      ...(chatId === null ? { agent } : { chatId }),
    })
    const view = newTurnView(asked.turnId, asked.chatId, question, Date.now(), model === null, asking)
    if (signal.aborted) {
      keepAside(view, question)
      return
    }
    putTurn(view)
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

/** A turn's question once more, as it was asked. What was attached lies in its messages. */
export async function askAgain({ id, question, mode, attachments }: TurnView): Promise<void> {
  let again: Attachment[] = []
  if (attachments.length > 0 && !id.startsWith('local-')) {
    try {
      again = attachmentsIn(await client.turns.messages({ turnId: id }))
    } catch (error) {
      reportProblem(error)
      return
    }
  }
  await ask(question, { mode, attachments: again })
}

export function switchMode(mode: TurnMode): void {
  const { chatId } = useConversation.getState()
  if (chatId === null) writePreference('mode', mode)
  else modes.set(chatId, mode)
  useConversation.setState({ mode })
}

/** Sets the agent of the open chat; of a new one it goes along with the first question. */
export async function setAgent(agent: AgentProfile | null): Promise<void> {
  const { chatId, agent: before } = useConversation.getState()
  useConversation.setState({ agent })
  if (chatId === null) return
  try {
    await client.chats.configure({ chatId, agent })
  } catch (error) {
    if (useConversation.getState().chatId === chatId) useConversation.setState({ agent: before })
    reportProblem(error)
  }
}

/** The user's word on one call. It counts for exactly the approval that was shown. */
export async function approve(turnId: string, { approvalId, digest }: Approval, decision: ApprovalDecision): Promise<ErrorValue | null> {
  try {
    await client.turns.approve({ turnId, approvalId, digest, decision })
    return null
  } catch (error) {
    return problemOf(error)
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
