import type { Message } from '../../contract/message.ts'
import type { ChatRequest, ModelEvent, ToolSpec } from './chat-model.ts'

/**
 * Signs that are never drawn and that models read as letters: tag characters, and variation selectors where there is nothing
 * to vary. Whoever hides orders in a page, or carries data out unseen in an answer, writes with them ("ASCII smuggling"). A
 * single selector stays, as those of emoji and of Han characters; of a regional flag the plain flag is left.
 */
const smuggled =
  /[\u{e0000}-\u{e007f}]|(?<=[^\p{Script=Han}])[\u{e0100}-\u{e01ef}]|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

export function withoutSmuggled(text: string): string {
  return text.replace(smuggled, '')
}

function cleanMessage(message: Message): Message {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: withoutSmuggled(content) }
  return { ...message, content: content.map((part) => ('text' in part ? { ...part, text: withoutSmuggled(part.text) } : part)) }
}

function cleanTool(tool: ToolSpec): ToolSpec {
  const parameters = withoutSmuggled(JSON.stringify(tool.parameters))
  return { ...tool, description: withoutSmuggled(tool.description), parameters: JSON.parse(parameters) as ToolSpec['parameters'] }
}

/** What a model is given, with nothing in it that a person would not see. */
export function cleanRequest(request: ChatRequest): ChatRequest {
  const { messages, tools } = request
  const clean = { ...request, messages: messages.map(cleanMessage) }
  return tools === undefined ? clean : { ...clean, tools: tools.map(cleanTool) }
}

/** What a model says, as a person sees it. */
export function cleanEvent(event: ModelEvent): ModelEvent {
  return event.type === 'text-delta' || event.type === 'thinking-delta' ? { ...event, text: withoutSmuggled(event.text) } : event
}
