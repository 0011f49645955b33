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
