import { forgetPreference, readPreference, writePreference } from '../preferences.ts'

/*
 * What is written and not yet in the core: kept by the window itself, so that it outlives a connection that is lost and a core
 * that was ended. Only the text; the core keeps the rest.
 */

function nameOf(chatId: string | null): string {
  return `unsaved.${chatId ?? 'new'}`
}

export function readUnsaved(chatId: string | null): string | null {
  return readPreference(nameOf(chatId))
}

export function writeUnsaved(chatId: string | null, text: string): void {
  writePreference(nameOf(chatId), text)
}

/** Once the core has this text; what was written since is kept. */
export function dropUnsaved(chatId: string | null, text: string): void {
  if (readUnsaved(chatId) === text) forgetPreference(nameOf(chatId))
}
