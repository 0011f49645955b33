import { create } from 'zustand'
import type { AgentProfile, Approval, ApprovalDecision, Attachment } from '../../contract/agent.ts'
import type { Turn, TurnEvent, TurnMode } from '../../contract/answer.ts'
import { newestAfter, parentsOf, pathTo } from '../../contract/branches.ts'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Scope } from '../../contract/library.ts'
import { attachmentsIn } from '../ask/attachments.ts'
import { endedTurn, foldTurnEvent, newTurnView, viewOfTurn, type TurnView } from '../ask/turn-view.ts'
import { client } from '../client.ts'
import { follow } from '../follow.ts'
import { problemOf } from '../problem.ts'
import { readPreference, writePreference } from '../preferences.ts'
import { nodeOf, nothingShown, renamed, shownOf, withNode, type Shown } from './branches.ts'
import { loadChats } from './chats.ts'
import { adoptDraft, switchDraft, useDraft } from './draft.ts'
import { leaveCitations } from './reader.ts'
import { nameChat } from './route.ts'
import { reportProblem } from './toasts.ts'
import { dropUnsaved, readUnsaved, writeUnsaved } from './unsaved-text.ts'
import { dropTurn, dropTurns, putTurn, readTurn } from './turns.ts'
import { keepAside, noteWaiting, takeBack } from './waiting.ts'

interface State extends Shown {
  chatId: string | null
  phase: 'ready' | 'loading' | 'failed'
  problem: ErrorValue | null
  title: string
  scope: Scope
  /** Rises when the end is to be shown: a chat was opened, a question asked. */
  toEnd: number
  mode: TurnMode
  /** How the agent of this chat is set; null is Siku's own. */
  agent: AgentProfile | null
  /** Deleted by another window; it can still be brought back. */
  removed: boolean
}
const empty: Omit<State, 'toEnd'> = {
  ...nothingShown,
  chatId: null,
  phase: 'ready',
  problem: null,
  title: '',
  scope: {},
  mode: 'answer',
  agent: null,
  removed: false,
}

/** What was switched to in a chat and not asked yet. Else a chat goes on as its last turn was asked. */
const modes = new Map<string, TurnMode>()

/** The mode that was last switched to or asked in, in whatever chat. */
function modeOfNew(): TurnMode {
  return readPreference('mode') === 'agent' ? 'agent' : 'answer'
}

/** The chat that is open, and its turns. */
export const useConversation = create<State>(() => ({ ...empty, toEnd: 0, mode: modeOfNew() }))

let watching = new AbortController()
let lastLocal = 0
/** What was attached to questions that did not reach the core, by the name that their turn has here. */
const unsent = new Map<string, Attachment[]>()

/** Words that come faster than one reads are shown some at a time: each showing costs the same, however many there are. */
const flushEveryMs = 40

function nextFlush(run: () => void, lastAt: number): void {
  if (document.hidden) setTimeout(run, 100)
  else setTimeout(() => requestAnimationFrame(run), Math.max(0, lastAt + flushEveryMs - performance.now()))
}

/** Follows a turn. Events are folded some at a time, so that a fast model costs no more than a slow one. */
async function watchTurn(turnId: string, signal: AbortSignal): Promise<void> {
  let waiting: TurnEvent[] = []
  let lastAt = 0
  function flush() {
    lastAt = performance.now()
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
        if (waiting.length === 0) nextFlush(flush, lastAt)
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
      ? newTurnView(turn.id, turn.chatId, turn.question, turn.askedAt, null, {
          mode: turn.mode,
          scope: turn.scope,
          attachments: turn.attachments,
        })
      : viewOfTurn(turn),
  )
}

/** Shows what another window asked in the open chat. */
export async function joinTurns(chatId: string): Promise<void> {
  const { signal } = watching
  const { history } = await client.chats.get({ chatId }, { signal })
  const { chatId: open, nodes, leaf } = useConversation.getState()
  if (signal.aborted || open !== chatId) return
  const views = viewsOf(history).filter((view) => !nodes.some(({ id }) => id === view.id))
  if (views.length === 0 || nodes.some(({ id }) => readTurn(id)?.running === true)) return
  views.forEach(putTurn)
  const all = [...nodes, ...views.map(nodeOf)]
  // Whoever looks at another branch goes on looking at it.
  const newest = newestAfter(parentsOf(all), leaf)
  useConversation.setState(shownOf(all, newest))
  for (const view of views) if (view.running) void watchTurn(view.id, signal)
}

/** Looks whether the open chat is still there. */
export async function lookForRemoval(chatId: string): Promise<void> {
  let removed = false
  try {
    await client.chats.get({ chatId })
  } catch (error) {
    // Whatever else goes wrong says nothing about the chat.
    if (problemOf(error).code !== 'not-found') return
    removed = true
  }
  const open = useConversation.getState()
  if (open.chatId === chatId && open.phase === 'ready' && open.removed !== removed) useConversation.setState({ removed })
}

/** Brings back the open chat that another window deleted. */
export async function bringBack(chatId: string): Promise<void> {
  try {
    await client.chats.restore({ chatId })
    if (useConversation.getState().chatId === chatId) useConversation.setState({ removed: false })
    await loadChats()
  } catch (error) {
    reportProblem(error)
  }
}

export async function openChat(chatId: string | null): Promise<void> {
  if (chatId === useConversation.getState().chatId && useConversation.getState().phase === 'ready') return
  watching.abort()
  watching = new AbortController()
  const { signal } = watching
  const left = useConversation.getState()
  leaveCitations()
  switchDraft(left.chatId, chatId)
  unsent.clear()
  for (const view of dropTurns()) if (view.running && !view.id.startsWith('local-')) keepAside(view, left.title)
  if (chatId !== null) takeBack(chatId)
  const toEnd = left.toEnd + 1
  useConversation.setState({ ...empty, toEnd, mode: modeOfNew(), chatId, phase: chatId === null ? 'ready' : 'loading' })
  if (chatId === null) return
  try {
    const chat = await client.chats.get({ chatId }, { signal })
    const views = viewsOf(chat.history)
    views.forEach(putTurn)
    const nodes = chat.history.map(nodeOf)
    useConversation.setState({
      ...shownOf(nodes, newestAfter(parentsOf(nodes), null)),
      toEnd: toEnd + 1,
      phase: 'ready',
      title: chat.title,
      scope: chat.scope,
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
  /** The turn that it follows, null for none; left out: the last one that is shown. */
  parentId?: string | null
}

/** The last turn that the core knows, from this one backwards. */
function storedBefore(turnIds: string[]): string | null {
  return turnIds.findLast((id) => !id.startsWith('local-')) ?? null
}

/** Shows the question at once under a name of its own, then asks. The model is the one that the composer shows. */
export async function ask(question: string, { anyway = false, mode: wanted, attachments = [], ...asked }: AskAgain = {}): Promise<void> {
  const { chatId, scope, agent, mode: switched, turnIds } = useConversation.getState()
  const parentId = asked.parentId === undefined ? storedBefore(turnIds) : asked.parentId
  const mode = wanted ?? switched
  if (wanted === undefined) writePreference('mode', mode)
  const draft = useDraft.getState().model
  // Whoever asks the model anyway wants one, whatever was chosen before.
  const model = anyway && draft === null ? undefined : draft
  const { signal } = watching
  lastLocal += 1
  const localId = `local-${lastLocal}`
  unsent.set(localId, attachments)
  const asking = { mode, scope, parentId, attachments: attachments.map(({ name, mediaType }) => ({ name, mediaType })) }
  putTurn(newTurnView(localId, chatId ?? '', question, Date.now(), model === null, asking))
  useConversation.setState(({ nodes, title, toEnd }) => ({
    ...shownOf(withNode(nodes, localId, parentId), localId),
    title: title === '' ? question : title,
    toEnd: toEnd + 1,
  }))
  try {
    const begun = await client.chats.ask({
      question,
      scope,
      anyway,
      mode,
      attachments,
      ...(model === undefined ? {} : { model }),
      ...(chatId === null ? { agent } : { chatId, parentId }),
    })
    dropUnsaved(chatId, question)
    const view = newTurnView(begun.turnId, begun.chatId, question, Date.now(), model === null, asking)
    if (signal.aborted) {
      keepAside(view, question)
      return
    }
    putTurn(view)
    useConversation.setState(({ nodes, leaf }) => ({
      chatId: begun.chatId,
      ...shownOf(renamed(nodes, localId, begun.turnId), leaf === localId ? begun.turnId : leaf),
    }))
    adoptDraft(begun.chatId)
    dropTurn(localId)
    unsent.delete(localId)
    noteWaiting(view, useConversation.getState().title)
    if (chatId === null) nameChat(begun.chatId)
    void loadChats()
    await watchTurn(begun.turnId, signal)
  } catch (error) {
    const view = readTurn(localId)
    const problem = problemOf(error)
    if (view !== undefined) putTurn(endedTurn(view, 'failed', problem))
    // A question that the core never had is on the screen alone: after a restart it stands in the composer again.
    if (readUnsaved(chatId) === null || readUnsaved(chatId) === '') writeUnsaved(chatId, question)
    if (problem.code === 'not-found' && chatId !== null && !signal.aborted) await lookForRemoval(chatId)
  }
}

/**
 * A turn's question once more, as it was asked or in other words, beside the turn: what it was stays, and can be gone back to.
 * What was attached lies in its messages.
 */
export async function askAgain(turn: TurnView, { anyway = false, question = turn.question }: { anyway?: boolean; question?: string } = {}) {
  const { id, mode, attachments } = turn
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
  const { nodes, leaf } = useConversation.getState()
  const parents = parentsOf(nodes)
  const parentId = storedBefore(pathTo(parents, parents.get(id) ?? null))
  // What never reached the core is no version that one could go back to.
  if (id.startsWith('local-')) {
    unsent.delete(id)
    const kept = nodes.filter((node) => node.id !== id)
    useConversation.setState(shownOf(kept, leaf === id ? parentId : leaf))
  }
  await ask(question, { anyway, mode, attachments: again, parentId })
}

/** Shows another version of a turn, with what came after it. */
export function showVersion(id: string): void {
  const { nodes } = useConversation.getState()
  useConversation.setState(shownOf(nodes, newestAfter(parentsOf(nodes), id)))
}

/** The next question follows this turn. What came after it stays, as another version of what is asked then. */
export function branchFrom(id: string): void {
  useConversation.setState(({ nodes }) => shownOf(nodes, id))
}

export function switchMode(mode: TurnMode): void {
  const { chatId } = useConversation.getState()
  writePreference('mode', mode)
  if (chatId !== null) modes.set(chatId, mode)
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
    // Another window's word came first, and the turn goes on; or the turn is gone, as after a restart.
    if (problem.code === 'not-found' && !(await isAtWork(turnId))) await settleTurn(turnId, watching.signal, problem)
    return problem
  }
}

async function isAtWork(turnId: string): Promise<boolean> {
  try {
    const { chats } = await client.chats.activity()
    const chatId = readTurn(turnId)?.chatId
    return chats.some(({ id }) => id === chatId)
  } catch {
    return false
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
