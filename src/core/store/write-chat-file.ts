import type { Chat } from '../../contract/answer.ts'
import type { Message } from '../../contract/message.ts'
import { chatWrites } from './write-chats.ts'
import type { WriteContext } from './write-context.ts'

/** A chat with everything in it; `messages` by the turn's id. */
export interface WholeChat {
  chat: Chat
  messages: Record<string, Message[]>
}

export const chatFileWrites = {
  /** All in one transaction: a chat is there whole or not at all. */
  importChat(context: WriteContext, { chat, messages }: WholeChat): void {
    chatWrites.createChat(context, { id: chat.id, title: chat.title, scope: chat.scope, agent: chat.agent, at: chat.createdAt })
    for (const turn of chat.history) {
      chatWrites.saveTurn(context, turn)
      chatWrites.addMessages(context, { turnId: turn.id, from: 0, messages: messages[turn.id] ?? [] })
    }
    context.prepare('UPDATE chats SET updated_at = ?, pinned = ? WHERE id = ?').run(chat.updatedAt, Number(chat.pinned), chat.id)
  },
}
