import { chatFileWrites } from './write-chat-file.ts'
import { chatWrites, smallWrites } from './write-chats.ts'
import { contentWrites } from './write-contents.ts'
import type { WriteContext } from './write-context.ts'
import { documentWrites } from './write-documents.ts'
import { memoryUpkeepWrites, memoryWrites } from './write-memories.ts'
import type { Durability } from './write-queue.ts'
import { recognitionWrites } from './write-recognition.ts'
import { transcriptWrites } from './transcripts.ts'
import { sweepWrites } from './write-sweep.ts'
import { vectorWrites } from './write-vectors.ts'

export const writes = {
  ...chatWrites,
  ...chatFileWrites,
  ...memoryWrites,
  ...memoryUpkeepWrites,
  ...smallWrites,
  ...documentWrites,
  ...contentWrites,
  ...vectorWrites,
  ...sweepWrites,
  ...recognitionWrites,
  ...transcriptWrites,
}
type Writes = typeof writes
export type WriteName = keyof Writes
export type WriteInput<Name extends WriteName> = Parameters<Writes[Name]> extends [WriteContext, infer Input] ? Input : undefined
export type WriteOutput<Name extends WriteName> = ReturnType<Writes[Name]>

/** What a user typed or decided survives a power cut; what can be read again from files need not. */
const full = new Set<WriteName>([
  ...(Object.keys({ ...chatWrites, ...chatFileWrites, ...memoryWrites }) as WriteName[]),
  'patchSettings',
  'setAsideSetting',
  'addFolder',
  'removeFolder',
  'restoreFolder',
  'setPaused',
])

export function durabilityOf(name: WriteName): Durability {
  return full.has(name) ? 'full' : 'normal'
}
