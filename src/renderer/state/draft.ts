import { create } from 'zustand'
import type { Attachment } from '../../contract/agent.ts'
import type { ModelRef } from '../../contract/models.ts'

export interface DraftAttachment extends Attachment {
  id: string
  sizeBytes: number
}

interface Draft {
  /** Of which chat it is; null: of a new one. */
  chatId: string | null
  text: string
  /** Undefined lets Siku choose, null asks for extracts only. */
  model: ModelRef | null | undefined
  /** Given along with the next question, for that turn only. */
  attachments: DraftAttachment[]
}

/** What is being written in the open chat, kept while the screens change. */
export const useDraft = create<Draft>(() => ({ chatId: null, text: '', model: undefined, attachments: [] }))

/** What was left unsent in other chats; null is a new chat. */
const kept = new Map<string | null, Pick<Draft, 'text' | 'attachments'>>()

/** Each chat has its own: what is written in one never goes along into another. */
export function switchDraft(from: string | null, to: string | null): void {
  if (from === to) return
  const { text, attachments } = useDraft.getState()
  if (text === '' && attachments.length === 0) kept.delete(from)
  else kept.set(from, { text, attachments })
  useDraft.setState({ chatId: to, ...(kept.get(to) ?? { text: '', attachments: [] }) })
  kept.delete(to)
}

/** A new chat has got its name: what is being written in it goes on there. */
export function adoptDraft(chatId: string): void {
  if (useDraft.getState().chatId === null) useDraft.setState({ chatId })
}
