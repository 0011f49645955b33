/** What an Ollama server must be for each thing that Siku asks of it, the oldest first. */
const needs: [version: string, what: string][] = [
  ['0.3.0', 'gives models no tools'],
  ['0.5.0', 'cannot keep an answer to a form'],
  ['0.8.0', 'sends tool calls only once the whole answer is made'],
  ['0.9.6', 'does not keep a model’s thoughts apart in every answer, nor tell a model which tool a result is of'],
]

/** What to do about a version that is too old, in a sentence; null when it is not, or is a build of one's own (0.0.0). */
export function versionAdvice(version: string | null): string | null {
  const own = numbers(version ?? '')
  if (own === null || own.every((part) => part === 0)) return null
  const missing = needs.find(([needed]) => isOlder(own, numbers(needed) ?? []))
  if (missing === undefined) return null
  const newest = needs.at(-1)?.[0] ?? ''
  return `Ollama ${version ?? ''} ${missing[1]}: update it to ${newest} or newer from ollama.com.`
}

function numbers(version: string): number[] | null {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim())
  return found === null ? null : found.slice(1).map(Number)
}

function isOlder(one: number[], other: number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
