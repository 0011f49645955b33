import { SikuError } from '../../contract/errors.ts'
import type { Message, ToolCall } from '../../contract/message.ts'
import type { Model } from '../../contract/models.ts'
import type { ToolSpec } from './chat-model.ts'
import { contentText, mediaNote, mediaOf } from './request-text.ts'

/** The messages as /api/chat takes them: text, pictures and sound as base64 beside it, calls with their arguments as objects. */
export function ollamaMessages(messages: Message[], info: Model): Record<string, unknown>[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    const { role, name, toolCallId, toolCalls = [], thinking } = message
    const media = mediaOf(message)
    const refused = media.filter(({ type }) => !perceives(info, type))
    if (index === last && refused[0] !== undefined) throw cannotPerceive(info, refused[0].type)
    const images = media.filter((part) => !refused.includes(part)).map(({ data }) => data)
    return {
      role,
      content: [contentText(message), ...refused.map(mediaNote)].filter((text) => text !== '').join('\n\n'),
      ...(images.length === 0 ? {} : { images }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toOllamaCall) }),
      // Only between a call and its result, where the model goes on thinking; an older thought is never said again.
      ...(thinking !== undefined && thinking !== '' && toolCalls.length > 0 && index > last ? { thinking } : {}),
      ...(role === 'tool' && name !== undefined ? { tool_name: name } : {}),
      ...(role === 'tool' && toolCallId !== undefined ? { tool_call_id: toolCallId } : {}),
    }
  })
}

export function ollamaTools(tools: ToolSpec[]): Record<string, unknown>[] {
  return tools.map((tool) => ({ type: 'function', function: tool }))
}

/** A model that says nothing about itself is tried. */
function perceives(info: Model, type: 'image' | 'audio'): boolean {
  return info.capabilities.length === 0 || info.capabilities.includes(type === 'image' ? 'vision' : 'audio')
}

function cannotPerceive(info: Model, type: 'image' | 'audio'): SikuError {
  const what = type === 'image' ? 'look at pictures' : 'hear'
  return new SikuError('model-config', `${info.ref.model} cannot ${what}.`, {
    hint: `Choose a model that can ${what}${type === 'audio' ? ', or one that turns sound into text' : ''}.`,
  })
}

/** The server takes nothing but objects here, also for a call that was wrong. */
function toOllamaCall({ id, name, arguments: given }: ToolCall): Record<string, unknown> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return { id, function: { name, arguments: isObject ? given : { value: given } } }
}
