import { create } from 'zustand'
import type { Attachment } from '../../contract/agent.ts'
import type { ModelRef } from '../../contract/models.ts'

export interface DraftAttachment extends Attachment {
  id: string
  sizeBytes: number
}

interface Draft {
  text: string
  /** Undefined lets Siku choose, null asks for extracts only. */
  model: ModelRef | null | undefined
  /** Given along with the next question, for that turn only. */
  attachments: DraftAttachment[]
}

/** What is being written in the open chat, kept while the screens change. */
export const useDraft = create<Draft>(() => ({ text: '', model: undefined, attachments: [] }))

/** What was left unsent in other chats; null is a new chat. */
const kept = new Map<string | null, Pick<Draft, 'text' | 'attachments'>>()

/** Each chat has its own: what is written in one never goes along into another. */
export function switchDraft(from: string | null, to: string | null): void {
  if (from === to) return
  const { text, attachments } = useDraft.getState()
  if (text === '' && attachments.length === 0) kept.delete(from)
  else kept.set(from, { text, attachments })
  useDraft.setState(kept.get(to) ?? { text: '', attachments: [] })
  kept.delete(to)
}
