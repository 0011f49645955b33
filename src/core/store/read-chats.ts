import { agentProfileSchema, namedAgentSchema, type NamedAgent } from '../../contract/agent.ts'
import { draftSchema, turnSchema, type Chat, type ChatSummary, type Draft, type Turn } from '../../contract/answer.ts'
import { scopeSchema } from '../../contract/library.ts'
import { messageSchema, type Message } from '../../contract/message.ts'
import type { Log } from '../deps.ts'
import { parseJson, type ReadContext } from './read-context.ts'

interface ChatRow {
  id: string
  title: string
  scope: string
  created_at: number
  updated_at: number
  turns: number
  pinned: number
}

const chatColumns = 'id, title, scope, created_at, updated_at, pinned, (SELECT count(*) FROM turns WHERE turns.chat_id = chats.id) AS turns'

function toSummary(row: ChatRow): ChatSummary {
  return { id: row.id, title: row.title, createdAt: row.created_at, updatedAt: row.updated_at, turns: row.turns, pinned: row.pinned === 1 }
}

/** A turn that cannot be understood is left out and reported; its row stays. */
function toTurn(row: { id: string; data: string }, log: Log): Turn | null {
  const parsed = turnSchema.safeParse(parseJson(row.data))
  if (parsed.success) return parsed.data
  log('warn', 'a stored turn cannot be read', { turnId: row.id })
  return null
}

export function listChats(context: ReadContext, text?: string): ChatSummary[] {
  if (!text?.trim())
    return context
      .all<ChatRow>(`SELECT ${chatColumns} FROM chats WHERE removed_at IS NULL ORDER BY pinned DESC, updated_at DESC, id`)
      .map(toSummary)
  const wanted = text.trim()
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`
  const rows = context.all<ChatRow & { words: string | null }>(
    `SELECT ${chatColumns},
       (SELECT words FROM turn_words WHERE turn_words.chat_id = chats.id AND words LIKE ?1 ESCAPE '\\' LIMIT 1) AS words FROM chats WHERE removed_at IS NULL AND (title LIKE ?1 ESCAPE '\\'
       OR id IN (SELECT chat_id FROM turn_words WHERE words LIKE ?1 ESCAPE '\\'))
     ORDER BY pinned DESC, updated_at DESC, id`,
    pattern,
  )
  return rows.map(({ words, ...row }) => {
    // The title says it where it has the words.
    const isTitled = row.title.toLowerCase().includes(wanted.toLowerCase())
    const excerpt = words === null || isTitled ? null : around(words, wanted)
    return excerpt === null ? toSummary(row) : { ...toSummary(row), excerpt }
  })
}

const before = 40
const after = 100

/** Some of a text around the first place of some words, in one line; null when they are not there. */
function around(text: string, words: string): string | null {
  const at = text.toLowerCase().indexOf(words.toLowerCase())
  if (at < 0) return null
  const from = Math.max(0, at - before)
  const to = Math.min(text.length, at + words.length + after)
  const cut = text
    .slice(from, to)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`
}

export function readChat(context: ReadContext, chatId: string, log: Log): Chat | null {
  const row = context.get<ChatRow & { agent: string }>(
    `SELECT ${chatColumns}, agent FROM chats WHERE id = ? AND removed_at IS NULL`,
    chatId,
  )
  if (!row) return null
  const turns = context.all<{ id: string; data: string }>('SELECT id, data FROM turns WHERE chat_id = ? ORDER BY ordinal', chatId)
  const scope = scopeSchema.safeParse(parseJson(row.scope))
  const agent = agentProfileSchema.nullable().safeParse(parseJson(row.agent))
  return {
    ...toSummary(row),
    scope: scope.success ? scope.data : {},
    agent: agent.success ? agent.data : null,
    history: turns.map((turn) => toTurn(turn, log)).filter((turn) => turn !== null),
  }
}

export function readDraft(context: ReadContext, chatId: string): Draft | null {
  const row = context.get<{ data: string; attachments: string }>('SELECT data, attachments FROM drafts WHERE chat_id = ?', chatId)
  if (!row) return null
  const data = parseJson(row.data)
  const parsed = draftSchema.safeParse({ ...(typeof data === 'object' ? data : null), attachments: parseJson(row.attachments) })
  return parsed.success ? parsed.data : null
}

export function readTurn(context: ReadContext, turnId: string, log: Log): Turn | null {
  const row = context.get<{ id: string; data: string }>('SELECT id, data FROM turns WHERE id = ?', turnId)
  return row && toTurn(row, log)
}

export function readMessages(context: ReadContext, turnId: string, log: Log): Message[] {
  const rows = context.all<{ data: string }>('SELECT data FROM messages WHERE turn_id = ? ORDER BY ordinal', turnId)
  return rows.flatMap((row) => {
    const parsed = messageSchema.safeParse(parseJson(row.data))
    if (parsed.success) return [parsed.data]
    log('warn', 'a stored message cannot be read', { turnId })
    return []
  })
}

export function listAgents(context: ReadContext): NamedAgent[] {
  return context.all<{ id: string; data: string }>('SELECT id, data FROM agents ORDER BY name, id').flatMap((row) => {
    const data = parseJson(row.data)
    const parsed = namedAgentSchema.safeParse(typeof data === 'object' && data !== null ? { ...data, id: row.id } : null)
    return parsed.success ? [parsed.data] : []
  })
}
