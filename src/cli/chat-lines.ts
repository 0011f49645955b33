import { createInterface } from 'node:readline'

/** Lines typed at a prompt, with history and editing; null when the user leaves: Ctrl-C on an empty line, or end of input. */
export function createPrompt(prompt: string, history: string[], signal: AbortSignal) {
  const held: string[] = []

  return async function readLine(): Promise<string | null> {
    const waiting = held.shift()
    if (waiting !== undefined) return waiting
    if (signal.aborted) return null
    const reader = createInterface({
      input: process.stdin,
      output: process.stderr,
      terminal: true,
      history: [...history],
      historySize: 500,
      prompt,
    })
    const lines: string[] = []
    const leave = (): void => reader.close()
    signal.addEventListener('abort', leave, { once: true })
    await new Promise<void>((done) => {
      reader.once('close', done)
      reader.on('line', (line) => {
        lines.push(line)
        // A paste brings several lines at once: each is a question.
        if (lines.length === 1) setImmediate(leave)
      })
      reader.on('SIGINT', () => {
        if (reader.line === '') return leave()
        reader.write(null, { ctrl: true, name: 'e' })
        reader.write(null, { ctrl: true, name: 'u' })
      })
      reader.prompt()
    })
    signal.removeEventListener('abort', leave)
    if (lines.length === 0) process.stderr.write('\n')
    held.push(...lines.slice(1))
    for (const line of lines) if (line.trim() !== '' && history[0] !== line) history.unshift(line)
    return lines[0] ?? null
  }
}
