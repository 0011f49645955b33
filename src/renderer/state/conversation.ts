import { create } from 'zustand'
import type { AgentProfile, Approval, ApprovalDecision, Attachment } from '../../contract/agent.ts'
import type { Turn, TurnEvent, TurnMode } from '../../contract/answer.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Scope } from '../../contract/library.ts'
import { attachmentsIn } from '../ask/attachments.ts'
import { endedTurn, foldTurnEvent, newTurnView, viewOfTurn, type TurnView } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { problemOf } from '../problem.ts'
import { readPreference, writePreference } from '../preferences.ts'
import { loadChats } from './chats.ts'
import { switchDraft, useDraft } from './draft.ts'
import { nameChat } from './route.ts'
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
/** What was attached to questions that did not reach the core, by the name that their turn has here. */
const unsent = new Map<string, Attachment[]>()

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
    noteWaiting(next, useConversation.getState().title)
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
    await settleTurn(turnId, signal, null)
  } catch (error) {
    flush()
    await settleTurn(turnId, signal, problemOf(error))
  }
  if (!signal.aborted) await loadChats()
}

/** A turn that is watched no more though it has not ended: what is stored of it holds, and nothing of it waits or runs here. */
async function settleTurn(turnId: string, signal: AbortSignal, problem: ErrorValue | null): Promise<void> {
  const view = readTurn(turnId)
  if (view === undefined || !view.running || signal.aborted) return
  let ended = endedTurn(view, problem === null ? 'stopped' : 'failed', problem)
  try {
    const chat = await client.chats.get({ chatId: view.chatId }, { signal })
    const stored = chat.history.find((turn) => turn.id === turnId)
    if (stored !== undefined && stored.outcome !== null)
      ended = endedTurn({ ...viewOfTurn(stored), withoutModel: view.withoutModel }, stored.outcome, stored.error)
  } catch {
    // Then what came of it is all that is known.
  }
  if (signal.aborted || readTurn(turnId)?.running !== true) return
  putTurn(ended)
  noteWaiting(ended, useConversation.getState().title)
}

function viewsOf(history: Turn[]): TurnView[] {
  return history.map((turn) =>
    turn.outcome === null
      ? newTurnView(turn.id, turn.chatId, turn.question, turn.askedAt, null, { mode: turn.mode, attachments: turn.attachments })
      : viewOfTurn(turn),
  )
}

/** Shows what another window asked in the open chat. */
export async function joinTurns(chatId: string): Promise<void> {
  const { signal } = watching
  const { history } = await client.chats.get({ chatId }, { signal })
  const { chatId: open, turnIds } = useConversation.getState()
  if (signal.aborted || open !== chatId) return
  const views = viewsOf(history).filter((view) => !turnIds.includes(view.id))
  if (views.length === 0 || turnIds.some((id) => readTurn(id)?.running === true)) return
  views.forEach(putTurn)
  useConversation.setState({ turnIds: [...turnIds, ...views.map((view) => view.id)] })
  for (const view of views) if (view.running) void watchTurn(view.id, signal)
}

export async function openChat(chatId: string | null): Promise<void> {
  if (chatId === useConversation.getState().chatId && useConversation.getState().phase === 'ready') return
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const left = useConversation.getState()
  switchDraft(left.chatId, chatId)
  unsent.clear()
  for (const view of dropTurns()) if (view.running && !view.id.startsWith('local-')) keepAside(view, left.title)
  if (chatId !== null) takeBack(chatId)
  useConversation.setState({ ...empty, mode: modeOfNew(), chatId, phase: chatId === null ? 'ready' : 'loading' })
  if (chatId === null) return
  try {
    const chat = await client.chats.get({ chatId }, { signal })
    const views = viewsOf(chat.history)
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
  unsent.set(localId, attachments)
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
    unsent.delete(localId)
    noteWaiting(view, useConversation.getState().title)
    if (chatId === null) nameChat(asked.chatId)
    void loadChats()
    await watchTurn(asked.turnId, signal)
  } catch (error) {
    const view = readTurn(localId)
    if (view !== undefined) putTurn(endedTurn(view, 'failed', problemOf(error)))
  }
}

/** A turn's question once more, as it was asked. What was attached lies in its messages. */
export async function askAgain({ id, question, mode, attachments }: TurnView): Promise<void> {
  // What never reached the core lies only here.
  let again = unsent.get(id) ?? []
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
    const problem = problemOf(error)
    // The turn is gone, as after a restart: nothing waits there any more.
    if (problem.code === 'not-found') await settleTurn(turnId, watching.signal, problem)
    return problem
  }
}

export async function stopTurn(turnId: string): Promise<void> {
  try {
    await client.turns.stop({ turnId })
  } catch (error) {
    if (problemOf(error).code === 'not-found') await settleTurn(turnId, watching.signal, null)
    reportProblem(error)
  }
}

export function setScope(scope: Scope): void {
  useConversation.setState({ scope })
}
