/** Nothing shorter is taken out of texts: it would be found by chance. */
const shortestSecret = 4
const maximalText = 2000

/** What a server said, fit to be shown and logged: no secret, no control characters, and not without end. */
export function createCleaner(secretValues: string[]): (text: string) => string {
  const secrets = secretValues.filter((value) => value.length >= shortestSecret).sort((a, b) => b.length - a.length)
  return (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}

export function shortened(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= maximalText ? trimmed : `${trimmed.slice(0, maximalText)}…`
}

const longestLine = 160

export function lastLine(text: string): string {
  const line =
    text
      .split('\n')
      .findLast((each) => each.trim() !== '')
      ?.trim() ?? ''
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`
}

/** The end of a stream that nobody reads: what a program said last before it failed. */
export function createTail(maximalCharacters = 1500): { add(piece: string): void; text(): string } {
  let kept = ''
  return {
    add: (piece) => void (kept = (kept + piece).slice(-maximalCharacters)),
    text: () => kept.trim(),
  }
}
