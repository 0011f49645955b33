import type { AgentProfile, NamedAgent } from '../../contract/agent.ts'
import type { Draft, Turn } from '../../contract/answer.ts'
import type { Message } from '../../contract/message.ts'
import type { Scope } from '../../contract/library.ts'
import type { SettingsPatch } from '../../contract/settings.ts'
import type { WriteContext } from './write-context.ts'

export const chatWrites = {
  createChat(context: WriteContext, chat: { id: string; title: string; scope: Scope; agent?: AgentProfile | null; at: number }): void {
    context
      .prepare('INSERT INTO chats (id, title, scope, agent, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)')
      .run(chat.id, chat.title, JSON.stringify(chat.scope), JSON.stringify(chat.agent ?? null), chat.at, chat.at)
  },

  renameChat(context: WriteContext, { chatId, title }: { chatId: string; title: string }): void {
    context.prepare('UPDATE chats SET title = ? WHERE id = ?').run(title, chatId)
  },

  pinChat(context: WriteContext, { chatId, pinned }: { chatId: string; pinned: boolean }): void {
    context.prepare('UPDATE chats SET pinned = ? WHERE id = ?').run(Number(pinned), chatId)
  },

  removeChat(context: WriteContext, chatId: string): void {
    context.prepare('UPDATE chats SET removed_at = ? WHERE id = ?').run(context.now(), chatId)
  },

  restoreChat(context: WriteContext, chatId: string): void {
    context.prepare('UPDATE chats SET removed_at = NULL WHERE id = ?').run(chatId)
  },

  configureChat(context: WriteContext, { chatId, agent }: { chatId: string; agent: AgentProfile | null }): void {
    context.prepare('UPDATE chats SET agent = ? WHERE id = ?').run(JSON.stringify(agent), chatId)
  },

  addMessages(context: WriteContext, { turnId, from, messages }: { turnId: string; from: number; messages: Message[] }): void {
    context.prepare('DELETE FROM messages WHERE turn_id = ? AND ordinal >= ?').run(turnId, from)
    const insert = context.prepare('INSERT INTO messages (turn_id, ordinal, data) VALUES (?, ?, ?)')
    for (const [index, message] of messages.entries()) insert.run(turnId, from + index, JSON.stringify(message))
  },

  saveAgent(context: WriteContext, { id, ...profile }: NamedAgent): void {
    context
      .prepare(
        `INSERT INTO agents (id, name, data, updated_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, data = excluded.data, updated_at = excluded.updated_at`,
      )
      .run(id, profile.name, JSON.stringify(profile), context.now())
  },

  removeAgent(context: WriteContext, agentId: string): void {
    context.prepare('DELETE FROM agents WHERE id = ?').run(agentId)
  },

  saveTurn(context: WriteContext, turn: Turn): void {
    context
      .prepare(
        `INSERT INTO turns (id, chat_id, ordinal, question, outcome, data, asked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, data = excluded.data`,
      )
      .run(turn.id, turn.chatId, turn.ordinal, turn.question, turn.outcome, JSON.stringify(turn), turn.askedAt)
    context
      .prepare(
        'INSERT INTO turn_words (turn_id, chat_id, words) VALUES (?, ?, ?) ON CONFLICT (turn_id) DO UPDATE SET words = excluded.words',
      )
      .run(turn.id, turn.chatId, `${turn.question}\n${turn.answer}`)
    context.prepare('UPDATE chats SET updated_at = max(updated_at, ?) WHERE id = ?').run(context.now(), turn.chatId)
  },

  endAbandoned(context: WriteContext): number {
    return context
      .prepare("UPDATE turns SET outcome = 'stopped', data = json_set(data, '$.outcome', 'stopped') WHERE outcome IS NULL")
      .run().changes
  },
}

export const smallWrites = {
  /** The empty id is a new chat's. */
  saveDraft(context: WriteContext, { chatId, draft }: { chatId: string; draft: Draft }): void {
    const { attachments, ...data } = draft
    context
      .prepare('INSERT INTO drafts (chat_id, data) VALUES (?, ?) ON CONFLICT (chat_id) DO UPDATE SET data = excluded.data')
      .run(chatId, JSON.stringify(data))
    if (attachments !== undefined)
      context.prepare('UPDATE drafts SET attachments = ? WHERE chat_id = ?').run(JSON.stringify(attachments), chatId)
    if (draft.text === '') context.prepare("DELETE FROM drafts WHERE attachments = '[]' AND chat_id = ?").run(chatId)
  },

  patchSettings(context: WriteContext, patch: SettingsPatch): void {
    const set = context.prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    for (const [key, value] of Object.entries(patch)) if (value !== undefined) set.run(key, JSON.stringify(value))
  },

  /** A value that cannot be understood is kept under another name, never overwritten. */
  setAsideSetting(context: WriteContext, key: string): void {
    context.prepare('UPDATE settings SET key = ? WHERE key = ?').run(`damaged:${key}:${context.now()}`, key)
  },

  noteContact(
    context: WriteContext,
    { host, purpose, at, refused }: { host: string; purpose: string; at: number; refused: boolean },
  ): void {
    context
      .prepare(
        `INSERT INTO contacts (host, purpose, first_at, last_at, count, refused) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (host, purpose) DO UPDATE SET last_at = max(last_at, excluded.last_at), count = count + excluded.count, refused = refused + excluded.refused`,
      )
      .run(host, purpose, at, at, Number(!refused), Number(refused))
  },

  learnTokens(context: WriteContext, { model, characters, tokens }: { model: string; characters: number; tokens: number }): void {
    context
      .prepare(
        `INSERT INTO token_rates (model, characters, tokens) VALUES (?, ?, ?)
         ON CONFLICT (model) DO UPDATE SET characters = characters + excluded.characters, tokens = tokens + excluded.tokens`,
      )
      .run(model, characters, tokens)
    // Old prompts fade, so that a changed model is learned anew.
    context
      .prepare('UPDATE token_rates SET characters = characters / 2, tokens = tokens / 2 WHERE model = ? AND tokens > 1000000')
      .run(model)
  },
}
