import { failure, SikuError } from '../../contract/errors.ts'
import type { ToolCall } from '../../contract/message.ts'
import type { Usage } from '../../contract/models.ts'
import type { ChatModel, ChatRequest, ModelEvent } from './chat-model.ts'

export interface Completion {
  text: string
  thinking: string
  toolCalls: ToolCall[]
  /** Meant as calls, but not to be read: see ModelEvent. */
  brokenCalls: Extract<ModelEvent, { type: 'broken-call' }>[]
  usage: Usage
  reason: Extract<ModelEvent, { type: 'end' }>['reason']
}

/** The whole answer at once, made from the stream. Rejects with a SikuError, also when the stream broke after some text. */
export async function complete(model: ChatModel, request: ChatRequest, { signal }: { signal: AbortSignal }): Promise<Completion> {
  let [text, thinking] = ['', '']
  const toolCalls: ToolCall[] = []
  const brokenCalls: Completion['brokenCalls'] = []
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text-delta') text += event.text
    else if (event.type === 'text-was-thinking') [text, thinking] = ['', thinking + text]
    else if (event.type === 'thinking-delta') thinking += event.text
    else if (event.type === 'tool-call') toolCalls.push(event.call)
    else if (event.type === 'broken-call') brokenCalls.push(event)
    else if (event.type === 'error') throw SikuError.fromValue(event.error)
    else if (event.type === 'end') return { text, thinking, toolCalls, brokenCalls, usage: event.usage, reason: event.reason }
  }
  throw failure('answer-unended', {}, { retryable: true })
}
