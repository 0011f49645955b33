import type { AgentProfile, Attachment } from '../../contract/agent.ts'
import {
  askRequestSchema,
  type AskRequest,
  type Chat,
  type OpenedCitation,
  type Turn,
  type TurnEvent,
  type TurnMode,
} from '../../contract/answer.ts'
import { emptyTurn } from '../../contract/empty-turn.ts'
import { newestAfter, parentsOf, pathTo } from '../../contract/branches.ts'
import { failure, toSikuError } from '../../contract/errors.ts'
import type { Scope } from '../../contract/library.ts'
import type { ModelRef } from '../../contract/models.ts'
import type { CoreDeps } from '../deps.ts'
import type { Store } from '../store/store.ts'
import { chatMarkdown, chatTitle } from './chat-export.ts'
import { readChatFile, writeChatFile } from './chat-file.ts'
import { abandonedTurns } from './abandoned-turns.ts'
import { citationIn, openCitation } from './open-citation.ts'
import { eventsOfTurn } from './stored-turn.ts'
import { createTurnLog, type TurnLog } from './turn-log.ts'
import { createTurnRecorder, type TurnRecorder } from './turn-recorder.ts'

export { fileName, placeText } from './place-text.ts'
export { placeOfQuote, placeWithin } from './place-within.ts'
export type { TurnRecorder } from './turn-recorder.ts'

/** What a runner is given beside the recorder, which holds the question. */
export interface TurnInput {
  scope: Scope
  /** Undefined: the chosen one, or the most suitable; null: none. */
  model: ModelRef | null | undefined
  anyway: boolean
  /** The turns that this one follows, from the chat's first on: its branch, and nothing of others. */
  before: Turn[]
  /** The chat's agent; null for Siku's own. */
  agent: AgentProfile | null
  attachments: Attachment[]
}

/** Does one turn, from the question to its outcome. Never rejects: what goes wrong is the outcome. */
export type TurnRunner = (recorder: TurnRecorder, input: TurnInput, signal: AbortSignal) => Promise<void>

export interface TurnsDeps {
  deps: Pick<CoreDeps, 'now' | 'newId' | 'log'>
  store: Store
  runners: Record<TurnMode, TurnRunner>
}

export interface Turns {
  /** Answers with ids at once; the work goes on by itself. Only `stop` and `close` end it early. */
  ask(request: AskRequest): Promise<{ chatId: string; turnId: string }>
  /** All events from `from` on, then live until the turn's end. */
  watch(turnId: string, from?: number, signal?: AbortSignal): AsyncIterable<TurnEvent>
  /** Resolves once the turn is stored as stopped, with the text it had. A turn that has ended stays as it is. */
  stop(turnId: string): Promise<void>
  /** The turn that a chat is at just now, or null. */
  running(chatId: string): string | null
  /** The chats that are at a turn just now. */
  busy(): string[]
  /** Ends what runs in a chat, as `stop` does. */
  stopChat(chatId: string): Promise<void>
  openCitation(turnId: string, marker: number): Promise<OpenedCitation>
  exportMarkdown(chatId: string): { fileName: string; markdown: string }
  /** The chat with everything in it: scope, agent, turns, messages. `importJson` makes a new chat of it. */
  exportJson(chatId: string): { fileName: string; json: string }
  importJson(json: string): Promise<{ chatId: string }>
  /** Turns that a kill left running become stopped ones; calls that ran then are said to have perhaps happened. */
  recover(): Promise<void>
  close(): Promise<void>
}

/** A kill loses at most so much of an answer. */
const saveEveryMs = 2000
/** Logs of ended turns that can still be joined at any event; older ones are told from the store. */
const keptLogs = 50

interface LiveTurn {
  turn: Turn
  log: TurnLog
  controller: AbortController
  /** Resolves when all is stored and told. */
  ended: Promise<void>
}

/** Where a question is asked: after the given turn, or else after the one that was asked last. */
function placeIn(turns: Turn[], wanted: string | null | undefined): { parentId: string | null; before: Turn[] } {
  const parents = parentsOf(turns)
  const parentId = wanted === undefined ? newestAfter(parents, null) : wanted
  if (parentId !== null && !parents.has(parentId)) throw failure('parent-gone')
  const known = new Map(turns.map((turn) => [turn.id, turn]))
  return { parentId, before: pathTo(parents, parentId).flatMap((id) => known.get(id) ?? []) }
}

/** The life of turns, whoever does them: begun, watched, stopped, stored, recovered. */
export function createTurns({ deps, store, runners }: TurnsDeps): Turns {
  const { now, newId, log } = deps
  const live = new Map<string, LiveTurn>()
  const canWrite = store.mode === 'writer'
  /** Chats whose last question is being answered. */
  const busyChats = new Set<string>()
  let closed = false

  async function save(turn: Turn): Promise<void> {
    if (canWrite) await store.chats.saveTurn(structuredClone(turn))
  }

  /** Never rejects: the turn goes on, and is stored when it ends. */
  async function saveRunning(turn: Turn): Promise<void> {
    try {
      await save(turn)
    } catch (error) {
      log('warn', 'a running turn could not be saved', { code: toSikuError(error).code })
    }
  }

  /** Turns of a chat, oldest first; in a library that is open for reading only they live as long as the process. */
  function turnsOf(chatId: string, chat: Chat | null): Turn[] {
    const stored = chat?.history ?? []
    const known = new Set(stored.map((turn) => turn.id))
    const unsaved = [...live.values()].map((each) => each.turn).filter((turn) => turn.chatId === chatId && !known.has(turn.id))
    return [...stored, ...unsaved]
  }

  async function ask(input: AskRequest): Promise<{ chatId: string; turnId: string }> {
    if (closed) throw failure('closing')
    const request = askRequestSchema.parse(input)
    const chatId = request.chatId ?? newId()
    if (busyChats.has(chatId)) {
      throw failure('chat-busy', {}, { retryable: true })
    }
    const chat = request.chatId === undefined ? null : store.chats.get(chatId)
    const turns = request.chatId === undefined ? [] : turnsOf(chatId, chat)
    if (request.chatId !== undefined && chat === null && (canWrite || turns.length === 0)) throw failure('chat-gone')

    const { scope, anyway, question, attachments } = request
    const agent = chat === null ? (request.agent ?? null) : chat.agent
    const at = now()
    const { parentId, before } = placeIn(turns, request.parentId)
    const ordinal = Math.max(-1, ...turns.map((each) => each.ordinal)) + 1
    const turn = emptyTurn({ id: newId(), chatId, ordinal, parentId, question, askedAt: at, mode: request.mode, model: null })
    turn.scope = scope
    turn.attachments = attachments.map(({ name, mediaType }) => ({ name, mediaType }))
    const model = request.model === undefined ? (store.settings.read().chatModel ?? undefined) : request.model
    busyChats.add(chatId)
    const isNew = canWrite && request.chatId === undefined
    const stored = [isNew ? store.chats.create({ id: chatId, title: chatTitle(question), scope, agent, at }) : null, save(turn)]
    // The search does not wait for the disk.
    const running = begin(turn, { scope, anyway, model, before, agent, attachments })
    try {
      await Promise.all(stored)
    } catch (error) {
      running.controller.abort()
      await running.ended
      live.delete(turn.id)
      throw error
    }
    return { chatId, turnId: turn.id }
  }

  function begin(turn: Turn, input: TurnInput): LiveTurn {
    const turnLog = createTurnLog(now)
    const controller = new AbortController()
    const recorder = createTurnRecorder(turn, turnLog, now, () => saveRunning(turn))
    const ended = run(recorder, input, controller.signal)
    const running = { turn, log: turnLog, controller, ended }
    live.set(turn.id, running)
    forget()
    return running
  }

  /** Never rejects. */
  async function run(recorder: TurnRecorder, input: TurnInput, signal: AbortSignal): Promise<void> {
    const { turn } = recorder
    let saved = recorder.revision
    const timer = setInterval(() => {
      if (recorder.revision === saved || turn.outcome !== null) return
      saved = recorder.revision
      void saveRunning(turn)
    }, saveEveryMs)
    try {
      await runners[turn.mode](recorder, input, signal)
    } finally {
      clearInterval(timer)
    }
    try {
      await save(turn)
    } catch (error) {
      // The answer was seen: it stays on the screen, with why it is not kept.
      turn.error ??= toSikuError(error).toValue()
      log('error', 'a turn could not be stored', { code: toSikuError(error).code })
    }
    busyChats.delete(turn.chatId)
    recorder.announce()
  }

  function forget(): void {
    if (!canWrite) return
    const over = [...live].filter(([, { log: turnLog }]) => turnLog.ended)
    for (const [turnId] of over.slice(0, Math.max(0, over.length - keptLogs))) live.delete(turnId)
  }

  function turnOf(turnId: string): Turn {
    const turn = live.get(turnId)?.turn ?? store.chats.turn(turnId)
    if (turn === null) throw failure('answer-gone')
    return turn
  }

  return {
    ask,
    async *watch(turnId, from = 0, signal) {
      const running = live.get(turnId)
      if (running !== undefined) {
        yield* running.log.watch(from, signal)
        return
      }
      yield* eventsOfTurn(turnOf(turnId)).slice(from)
    },
    async stop(turnId) {
      const running = live.get(turnId)
      if (running === undefined) {
        turnOf(turnId)
        return
      }
      running.controller.abort()
      await running.ended
    },
    running: (chatId) =>
      busyChats.has(chatId) ? ([...live.values()].findLast(({ turn }) => turn.chatId === chatId)?.turn.id ?? null) : null,
    busy: () => [...busyChats],
    async stopChat(chatId) {
      const running = [...live.values()].filter(({ turn }) => turn.chatId === chatId)
      for (const { controller } of running) controller.abort()
      await Promise.all(running.map(({ ended }) => ended))
    },
    openCitation: async (turnId, marker) => openCitation(store.reader, citationIn(turnOf(turnId), marker)),
    exportMarkdown(chatId) {
      const chat = store.chats.get(chatId)
      if (chat === null) throw failure('chat-gone')
      return chatMarkdown(chat)
    },
    exportJson(chatId) {
      const chat = store.chats.get(chatId)
      if (chat === null) throw failure('chat-gone')
      return writeChatFile(chat, store.messages.list)
    },
    async importJson(json) {
      const read = readChatFile(json, newId, now())
      await store.chats.import(read)
      return { chatId: read.chat.id }
    },
    async recover() {
      if (!canWrite) return
      for (const turn of abandonedTurns(store)) await store.chats.saveTurn(turn)
      await store.chats.endAbandoned()
    },
    async close() {
      closed = true
      for (const { controller } of live.values()) controller.abort()
      await Promise.all([...live.values()].map((each) => each.ended))
    },
  }
}
