/** The lines of a stream of UTF-8, without their ends (LF or CRLF) and without a byte order mark. */
export async function* linesOf(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  // It leaves the mark out by itself.
  const decoder = new TextDecoder()
  let held = ''
  for await (const chunk of source) {
    held += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = held.split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) yield withoutReturn(line)
  }
  held += decoder.decode()
  if (held !== '') yield withoutReturn(held)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
