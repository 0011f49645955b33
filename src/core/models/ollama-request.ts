import { SikuError } from '../../contract/errors.ts'
import type { Message, ToolCall } from '../../contract/message.ts'
import type { Model } from '../../contract/models.ts'
import { toldTools, type ToolSpec } from './chat-model.ts'
import { cannotPerceive, contentText, mediaNote, mediaOf } from './request-text.ts'

/** The messages as /api/chat takes them: text, pictures and sound as base64 beside it, calls with their arguments as objects. */
export function ollamaMessages(messages: Message[], info: Model): Record<string, unknown>[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    const { role, name, toolCallId, toolCalls = [], thinking } = message
    const media = mediaOf(message)
    const refused = media.filter((part) => whyRefused(info, part) !== null)
    const problem = refused[0] === undefined ? null : whyRefused(info, refused[0])
    if (index === last && problem !== null) throw problem
    // Sound goes the same way: the server tells it from a picture by its first bytes.
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
  return toldTools(tools).map((tool) => ({ type: 'function', function: tool }))
}

/** Null for what the model can perceive. A model that says nothing about itself is tried. */
function whyRefused(info: Model, { type, mediaType }: { type: 'image' | 'audio'; mediaType: string }): SikuError | null {
  if (info.capabilities.length > 0 && !info.capabilities.includes(type === 'image' ? 'vision' : 'audio')) return cannotPerceive(info, type)
  // Ollama knows a recording by the head of a WAV; anything else it takes for a broken picture.
  if (type === 'image' || /^audio\/(x-)?(wav|wave|vnd\.wave)\b/i.test(mediaType)) return null
  return new SikuError('model-config', `Ollama hears WAV recordings only, and this one is ${mediaType}.`, {
    hint: 'Give it as WAV, or choose a model in Settings that turns sound into text.',
  })
}

/** The server takes nothing but objects here, also for a call that was wrong. */
function toOllamaCall({ id, name, arguments: given }: ToolCall): Record<string, unknown> {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return { id, function: { name, arguments: isObject ? given : { value: given } } }
}
