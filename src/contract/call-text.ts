import type { CallRecord } from './agent.ts'

/**
 * What a person is shown of a call's result: what the tool itself said, without the marks and the words around it that are the
 * model's. '' when the tool said nothing: its status says why.
 */
export function saidByTool({ status, result }: Pick<CallRecord, 'status' | 'result'>): string {
  const said = /(?:^|\n)<data\b[^>]*>\n?([\s\S]*?)(?:\n?<\/data>|$)/.exec(result)?.[1]
  if (said !== undefined) return withoutMarks(said)
  return status === 'ok' ? withoutMarks(result) : ''
}

/** Passages of the library are marked as such for the model; marks within a text were made harmless by their first sign. */
function withoutMarks(text: string): string {
  return text
    .replace(/^<passage number="([^"]*)" file="([^"]*)" place="([^"]*)">$/gm, '[$1] $2 · $3')
    .replace(/^<\/passage>$\n?/gm, '')
    .replace(/‹(?=\/?\s*data\b)/gi, '<')
    .trim()
}

/** What a note's call says once it is written, and what it says while there is no folder for notes. */
export const noteTexts = {
  written: (name: string, bytes: number) => `Written: ${name} (${bytes} bytes).`,
  noFolder: 'No folder for notes has been chosen.',
}

type Ended = Pick<CallRecord, 'tool' | 'line' | 'status' | 'result'>

/** Where the note lies that a call wrote: its whole path, or its name where the call's line no longer tells the folder. Null for any other call. */
export function noteWritten({ tool, line, status, result }: Ended): string | null {
  if (tool !== 'write_note' || status !== 'ok') return null
  const name = /^Written: (.+) \(\d+ bytes\)\.$/m.exec(saidByTool({ status, result }))?.[1]
  if (name === undefined) return null
  const folder = /.*[)）] ?(?:into|到) (.+)$/su.exec(line)?.[1]
  if (folder === undefined || folder.endsWith('…')) return name
  const separator = folder.includes('\\') ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}

/** Whether a call failed only because no folder for notes was chosen. */
export function needsNoteFolder({ tool, status, result }: Ended): boolean {
  return tool === 'write_note' && status === 'error' && saidByTool({ status, result }).includes(noteTexts.noFolder)
}
