import type { ErrorValue } from '../../contract/errors.ts'
import type { Message, ToolCall } from '../../contract/message.ts'
import type { Model, Usage } from '../../contract/models.ts'

/** A JSON schema, draft 2020-12, as models are given it. */
export type JsonSchema = Record<string, unknown>

/** A tool as a model is told of it. */
export interface ToolSpec {
  name: string
  description: string
  parameters: JsonSchema
  /** Other names that models call it by: understood, never told. */
  aliases?: readonly string[]
}

/** What of tools goes to a server, and counts as tokens. */
export function toldTools(tools: readonly ToolSpec[]): Omit<ToolSpec, 'aliases'>[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
}

/**
 * Where the server knows no choice (Ollama): `required` and a named tool send only those tools, and an answer without a call
 * ends with a `model-call` error; `none` sends none.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string }

export interface ChatRequest {
  messages: Message[]
  temperature: number
  maxTokens: number
  /** The prompt's size as the caller estimates it, tools included, for the choice of a context window. */
  promptTokens: number
  /** False for a short call that needs no thoughts; said only to models that can think. */
  think?: false
  /** Tokens of a greater request that follows soon: the window is made for it, so that the model is not loaded twice. */
  followedByTokens?: number
  tools?: ToolSpec[]
  toolChoice?: ToolChoice
  /** The answer's text is JSON of this schema. */
  responseSchema?: JsonSchema
  /** For the whole answer; a `timeout` error ends the stream. */
  timeoutMs?: number
}

/** One stream, one union. A model never throws after its first event: a failure is the last event. */
export type ModelEvent =
  | { type: 'thinking-delta'; text: string }
  | { type: 'text-delta'; text: string }
  /** All text of this stream until now was a thought, as its lone closing tag says: whoever showed it takes it back. */
  | { type: 'text-was-thinking' }
  /** Whole and parsed, wherever the model wrote it. Its id is never empty and unique in its stream. */
  | { type: 'tool-call'; call: ToolCall }
  /** Meant as a call, but not to be repaired without loss: `problem` is said to the model, `text` is what it wrote. */
  | { type: 'broken-call'; name: string | null; text: string; problem: string }
  | {
      type: 'warning'
      code: 'bad-lines' | 'prompt-cut' | 'no-done' | 'text-protocol' | 'repeats' | 'filtered'
      message: string
      count?: number
    }
  | { type: 'end'; reason: 'stop' | 'length' | 'load' | 'unknown'; usage: Usage; contextTokens: number | null }
  | { type: 'error'; error: ErrorValue }

export interface ChatModel {
  readonly info: Model
  /**
   * Tokens of the window that a prompt may be planned for: what the model can do, or what is loaded. With a request: of
   * the window that this one gets.
   */
  window(signal?: AbortSignal, request?: ChatRequest): Promise<number>
  /** Tokens of a text, exact or by the estimate learned for this model. */
  estimateTokens(text: string): number
  /** Aborting the signal closes the socket at once and ends the stream with a `cancelled` error event. */
  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ModelEvent>
}

/** Of an answer that ended before its server said what it took. */
export const noUsage: Usage = {
  promptTokens: null,
  completionTokens: null,
  totalTokens: null,
  loadMs: null,
  promptMs: null,
  completionMs: null,
}
