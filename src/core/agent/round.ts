import { SikuError } from '../../contract/errors.ts'
import type { ToolCall } from '../../contract/message.ts'
import type { Usage } from '../../contract/models.ts'
import type { ChatModel, ChatRequest, ModelEvent } from '../models/models.ts'

/** A call as a model asked for it, or what it wrote that was meant as one. */
export type Asked = { kind: 'call'; call: ToolCall } | { kind: 'broken'; name: string | null; text: string; problem: string }

export interface RoundEnd {
  text: string
  thinking: string
  asked: Asked[]
  usage: Usage | null
  /** It ended at its length, or without an end: it may not be whole. */
  cut: boolean
  error: SikuError | null
}

/** Who hears a round while it goes on. */
export interface Voice {
  /** Before each round. */
  begin(): void
  text(text: string): void
  thinking(text: string): void
  /** After the last piece. */
  end(): void
  /** What was said since `begin` was not the answer. */
  reset(): void
  warn(warning: Extract<ModelEvent, { type: 'warning' }>): void
  contextTokens(tokens: number): void
}

/** One stream of the model, from its first event to its last. Never throws: a failure is its error. */
export async function playRound(model: ChatModel, request: ChatRequest, signal: AbortSignal, voice: Voice): Promise<RoundEnd> {
  const end: RoundEnd = { text: '', thinking: '', asked: [], usage: null, cut: false, error: null }
  voice.begin()
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text-delta') {
      end.text += event.text
      voice.text(event.text)
    } else if (event.type === 'text-was-thinking') {
      voice.reset()
      voice.thinking(end.text)
      end.thinking += end.text
      end.text = ''
    } else if (event.type === 'thinking-delta') {
      end.thinking += event.text
      voice.thinking(event.text)
    } else if (event.type === 'tool-call') {
      end.asked.push({ kind: 'call', call: event.call })
    } else if (event.type === 'broken-call') {
      end.asked.push({ kind: 'broken', name: event.name, text: event.text, problem: event.problem })
    } else if (event.type === 'warning') {
      end.cut ||= event.code === 'no-done'
      voice.warn(event)
    } else if (event.type === 'end') {
      end.usage = event.usage
      end.cut ||= event.reason === 'length'
      if (event.contextTokens !== null) voice.contextTokens(event.contextTokens)
    } else {
      end.error = SikuError.fromValue(event.error)
    }
  }
  voice.end()
  return end
}

export function isEmptyRound({ text, asked }: RoundEnd): boolean {
  return text.trim() === '' && asked.length === 0
}
