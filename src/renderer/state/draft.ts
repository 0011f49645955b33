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

/** What is being written, kept while the screens change. */
export const useDraft = create<Draft>(() => ({ text: '', model: undefined, attachments: [] }))
