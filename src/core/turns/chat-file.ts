import { chatFileSchema, type Chat, type ChatFile, type Turn } from '../../contract/answer.ts'
import type { SikuError } from '../../contract/errors.ts'
import { failure } from '../../contract/errors.ts'
import { formProblem, isNewerFile } from '../../contract/file-form.ts'
import type { Message } from '../../contract/message.ts'
import { isDeeper } from '../../contract/nesting.ts'
import { safeName } from './chat-export.ts'
import { plainTitle } from './place-text.ts'

/** More than this is no chat that anybody had. */
const mostCharacters = 200_000_000
const mostTurns = 10_000
const mostMessages = 100_000
const deepest = 200
const longestTitle = 200

/** Their results are memories. */
const showMemories: ReadonlySet<string> = new Set(['recall', 'forget'])
const leftOut = '(memories are not exported with a chat)'

/**
 * The chat with all its turns and messages, and nothing that is the user's beyond it: keys are nowhere near, and memories that
 * a turn was given or looked up are left out.
 */
export function writeChatFile(chat: Chat, messagesOf: (turnId: string) => Message[]): { fileName: string; json: string } {
  const messages: ChatFile['messages'] = {}
  for (const { id } of chat.history) {
    const list = messagesOf(id)
    if (list.length > 0) messages[id] = list.map(withoutMemories)
  }
  const history = chat.history.map((turn) => ({
    ...turn,
    memories: [],
    calls: turn.calls.map((call) => (showMemories.has(call.tool) ? { ...call, result: leftOut, cutFrom: null } : call)),
  }))
  const file: ChatFile = { format: 'siku-chat', version: 1, chat: { ...chat, turns: history.length, history }, messages }
  const json = `${JSON.stringify(file, null, 2)}\n`
  if (json.length > mostCharacters) throw failure('chat-large')
  return { fileName: `${safeName(chat.title)}.json`, json }
}

function withoutMemories(message: Message): Message {
  return message.role === 'tool' && showMemories.has(message.name ?? '') ? { ...message, content: leftOut } : message
}

export interface ReadChat {
  chat: Chat
  messages: Record<string, Message[]>
}

/**
 * What a file says, under new ids: of the chat, and of its turns wherever a turn is named. A turn that still ran becomes a
 * stopped one, a call that did a cancelled one; the agent is marked as not yet seen. Throws `bad-input`, which says where, for a file that is not right in every part.
 */
export function readChatFile(json: string, newId: () => string, at: number): ReadChat {
  const file = parseChatFile(json)
  const { history, ...summary } = file.chat
  // That anybody may have written it is known by its turns; without one, its agent's words would count as the user's own.
  if (history.length === 0) throw bad('it has no turns')
  if (history.length > mostTurns) throw bad(`it has ${history.length} turns; at most ${mostTurns} can be brought in`)
  const ids = new Map<string, string>()
  const ordinals = new Set<number>()
  for (const [index, { id, ordinal }] of history.entries()) {
    if (ids.has(id)) throw bad(`two turns have the same id at chat.history.${index}.id`)
    if (ordinal < 0 || !Number.isSafeInteger(ordinal) || ordinals.has(ordinal))
      throw bad(`the order of turns is wrong at chat.history.${index}.ordinal`)
    ids.set(id, newId())
    ordinals.add(ordinal)
  }
  const ordinalOf = new Map(history.map(({ id, ordinal }) => [id, ordinal]))
  for (const [index, { ordinal, parentId }] of history.entries()) {
    if (parentId !== undefined && parentId !== null && (ordinalOf.get(parentId) ?? ordinal) >= ordinal)
      throw bad(`the order of turns is wrong at chat.history.${index}.parentId`)
  }
  const messages: Record<string, Message[]> = {}
  let count = 0
  for (const [turnId, list] of Object.entries(file.messages)) {
    const id = ids.get(turnId)
    if (id === undefined) throw bad('it has messages of a turn that is not in it')
    count += list.length
    messages[id] = list
  }
  if (count > mostMessages) throw bad(`it has ${count} messages; at most ${mostMessages} can be brought in`)
  const chatId = newId()
  const turns = history.map((turn): Turn => ({
    ...turn,
    id: ids.get(turn.id)!,
    chatId,
    ...(typeof turn.parentId === 'string' ? { parentId: ids.get(turn.parentId)! } : {}),
    outcome: turn.outcome ?? 'stopped',
    calls: turn.calls.map((call) => (call.status === 'running' ? { ...call, status: 'cancelled' as const } : call)),
    imported: true,
    // Numbers of another library.
    scope: {},
    askedAt: time(turn.askedAt),
  }))
  const title = [...plainTitle(summary.title)].slice(0, longestTitle).join('').trim() || '…'
  const chat: Chat = {
    ...summary,
    id: chatId,
    title,
    agent: summary.agent === null ? null : { ...summary.agent, imported: true },
    createdAt: time(summary.createdAt),
    updatedAt: at,
    turns: turns.length,
    history: turns,
  }
  return { chat, messages }
}

function parseChatFile(json: string): ChatFile {
  if (json.length > mostCharacters) throw bad('it is too large')
  let data: unknown
  try {
    data = JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    throw bad('it is not JSON, or it is cut off')
  }
  if (isDeeper(data, deepest)) throw bad('it is nested too deeply')
  if (isNewerFile(data, 'siku-chat', 1)) throw failure('file-newer')
  const parsed = chatFileSchema.safeParse(data)
  if (parsed.success) {
    // A key such as __proto__ is left out in silence.
    const given = Object.keys((data as ChatFile).messages).length
    if (given !== Object.keys(parsed.data.messages).length) throw bad('it has messages of a turn that is not in it')
    return parsed.data
  }
  throw bad(formProblem(parsed.error))
}

/** The store keeps whole milliseconds. */
function time(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) > 8.64e15) throw bad('it has a time that cannot be')
  return Math.trunc(value)
}

function bad(why: string): SikuError {
  return failure('chat-form', { detail: why })
}
