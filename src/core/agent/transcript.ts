import { toSikuError } from '../../contract/errors.ts'
import type { Message } from '../../contract/message.ts'
import type { Log } from '../deps.ts'

/** The messages of a turn, or of a helper in it, oldest first. Each is written once. */
export interface Transcript {
  readonly messages: Message[]
  add(message: Message): void
  /** Resolves when all that was added is written, or was not to be. */
  settled(): Promise<void>
}

type Append = (from: number, messages: Message[]) => Promise<void>

/** Without `append` it lives in memory alone. A message that cannot be written is reported and stays in memory. */
export function createTranscript(now: () => number, log: Log, append: Append | null = null): Transcript {
  const messages: Message[] = []
  const writing = new Set<Promise<void>>()
  return {
    messages,
    add(given) {
      const message: Message = { ...given, timestamp: given.timestamp ?? now() }
      const at = messages.push(message) - 1
      if (append === null) return
      const written = append(at, [message])
        .catch((error: unknown) => log('warn', 'a message could not be stored', { code: toSikuError(error).code }))
        .finally(() => writing.delete(written))
      writing.add(written)
    },
    async settled() {
      await Promise.all(writing)
    },
  }
}
