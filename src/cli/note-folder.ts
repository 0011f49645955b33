import { realpath } from 'node:fs/promises'
import type { SharedCore } from '../server/server.ts'
import { oneLine, say } from './output.ts'
import { reachable } from './reachable.ts'
import type { CommandContext } from './run.ts'

/** Makes this the folder that notes are written into. A link is followed now: what it points at later is another folder. */
export async function chooseNoteFolder(
  client: SharedCore['client'],
  folder: string,
  { globals, words, signal }: Pick<CommandContext, 'globals' | 'words' | 'signal'>,
): Promise<void> {
  const noteFolder = await realpath(await reachable(folder, words))
  const { noteFolder: before } = await client.settings.get({}, { signal })
  if (before === noteFolder) return
  await client.settings.patch({ noteFolder }, { signal })
  if (!globals.quiet && !globals.json) say(words.agent.notesGoInto(oneLine(noteFolder)))
}
