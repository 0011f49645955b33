import { create } from 'zustand'
import type { ModelRef } from '../../contract/models.ts'

/** What is being written, kept while the screens change. `model`: undefined lets Siku choose, null asks for extracts only. */
export const useDraft = create<{ text: string; model: ModelRef | null | undefined }>(() => ({ text: '', model: undefined }))
