import type { ErrorValue } from '../../contract/errors.ts'
import type { Model, Usage } from '../../contract/models.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  messages: ChatMessage[]
  temperature: number
  maxTokens: number
  /** The prompt's size as the caller estimates it, for the choice of a context window. */
  promptTokens: number
  /** False for a short call that needs no thoughts; said only to models that can think. */
  think?: false
  /** Tokens of a greater request that follows soon: the window is made for it, so that the model is not loaded twice. */
  followedByTokens?: number
}

export interface ToolCall {
  id: string | null
  name: string
  arguments: unknown
}

/** One stream, one union. A model never throws after its first event: a failure is the last event. */
export type ModelEvent =
  | { type: 'thinking-delta'; text: string }
  | { type: 'text-delta'; text: string }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'warning'; code: 'bad-lines' | 'prompt-cut' | 'no-done'; message: string; count?: number }
  | { type: 'end'; reason: 'stop' | 'length' | 'load' | 'unknown'; usage: Usage; contextTokens: number | null }
  | { type: 'error'; error: ErrorValue }

export interface ChatModel {
  readonly info: Model
  /** Tokens of the window that a prompt may be planned for: what the model can do, or what is loaded. */
  window(signal?: AbortSignal): Promise<number>
  /** Tokens of a text, exact or by the estimate learned for this model. */
  estimateTokens(text: string): number
  /** Aborting the signal closes the socket at once and ends the stream with a `cancelled` error event. */
  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>
}
