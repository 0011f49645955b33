import type { SikuError } from '../../contract/errors.ts'
import { failure } from '../../contract/errors.ts'
import type { ChatRequest, ModelEvent, ToolSpec } from './chat-model.ts'
import { findTool } from './output/output.ts'

/** The tools that a request really offers: none for `none`, one for a named one. */
export function offeredTools({ tools = [], toolChoice = 'auto' }: Pick<ChatRequest, 'tools' | 'toolChoice'>): ToolSpec[] {
  if (toolChoice === 'none') return []
  return typeof toolChoice === 'string' ? tools : tools.filter(({ name }) => name === toolChoice.tool)
}

/** An answer that had to call and did not ends with an error instead of its end; one that was not to call loses its calls. */
export async function* keepChoice(
  events: AsyncIterable<ModelEvent>,
  { tools = [], toolChoice = 'auto' }: Pick<ChatRequest, 'tools' | 'toolChoice'>,
): AsyncGenerator<ModelEvent, void> {
  const mustCall = typeof toolChoice !== 'string' || toolChoice === 'required'
  let hasCalled = false
  for await (const event of events) {
    if (event.type === 'tool-call' || event.type === 'broken-call') {
      if (toolChoice === 'none') continue
      const name = event.type === 'tool-call' ? event.call.name : event.name
      hasCalled ||= typeof toolChoice === 'string' || (name !== null && findTool(tools, name)?.name === toolChoice.tool)
    }
    if (event.type === 'end' && mustCall && !hasCalled) {
      yield { type: 'error', error: notCalled(toolChoice).toValue() }
      return
    }
    yield event
  }
}

function notCalled(choice: ChatRequest['toolChoice']): SikuError {
  const tool = typeof choice === 'object' ? `the tool “${choice.tool}”` : 'a tool'
  return failure('answer-no-call', { tool }, { retryable: true })
}
