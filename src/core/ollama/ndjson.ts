export type Line = { kind: 'object'; value: Record<string, unknown> } | { kind: 'broken' }

/** Longer than any line a server sends; beyond it the line is broken and its rest is skipped. */
const maximalLineBytes = 32 * 1024 * 1024
const newline = 10

/**
 * Lines of JSON objects out of pieces cut anywhere, also within a character. Blank lines are nothing; a line that is no
 * object is `broken`, for the caller to count; a last line without its line break counts. What the source throws, this throws.
 */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  let parts: Uint8Array[] = []
  let held = 0
  let skipping = false
  for await (const chunk of source) {
    let start = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, at))
      start = at + 1
      const line = skipping ? ({ kind: 'broken' } as const) : parse(join(parts))
      parts = []
      held = 0
      skipping = false
      if (line !== null) yield line
    }
    if (start === chunk.length || skipping) continue
    // The piece is copied: a source may use its buffer again.
    parts.push(chunk.slice(start))
    held += chunk.length - start
    if (held > maximalLineBytes) {
      parts = []
      skipping = true
    }
  }
  const last = skipping ? ({ kind: 'broken' } as const) : parse(join(parts))
  if (last !== null) yield last
}

function join(parts: Uint8Array[]): string {
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): Line | null {
  const line = text.replace(/^\uFEFF/, '').trim()
  if (line === '') return null
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { kind: 'object', value: value as Record<string, unknown> }
  } catch {
    // Counted by the caller.
  }
  return { kind: 'broken' }
}

/** A body as an iterable that closes the socket when it is left. */
export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array, void> {
  if (response.body === null) return
  const reader = response.body.getReader()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        ended = true
        return
      }
      yield value
    }
  } catch (error) {
    ended = true
    throw error
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined)
    reader.releaseLock()
  }
}
