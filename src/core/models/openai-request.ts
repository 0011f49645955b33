import type { Message, MessagePart } from '../../contract/message.ts'
import type { Model } from '../../contract/models.ts'
import type { ChatCompletionCreateParamsStreaming } from '../openai/openai.ts'
import { toldTools, type ChatRequest, type JsonSchema } from './chat-model.ts'
import { cannotPerceive, contentText, mediaNote, mediaOf, partText, withSchemaText } from './request-text.ts'
import { offeredTools } from './tool-choice.ts'

/** What a provider refused before, or wants that others refuse: found out once, then kept to. */
export type Quirk =
  | 'stream_options'
  | 'max_tokens'
  | 'temperature'
  | 'tool_choice'
  | 'json_schema'
  | 'response_format'
  /** Thoughts before a call have to be said again (DeepSeek). */
  | 'reasoning_content'
  /** The model takes text alone. */
  | 'media'
  /** It has no way to leave the thoughts out, or another. */
  | 'no_thinking'

type Body = ChatCompletionCreateParamsStreaming
type WireMessage = Body['messages'][number]

/** `noThinking` is what asks this server for an answer without thoughts. */
export function openAiBody(info: Model, request: ChatRequest, quirks: ReadonlySet<Quirk>, noThinking: Record<string, unknown>): Body {
  const isSaid = request.responseSchema !== undefined && quirks.has('json_schema')
  const messages = isSaid ? withSchemaText(request.messages, request.responseSchema ?? {}) : request.messages
  return {
    model: info.ref.model,
    messages: openAiMessages(quirks.has('media') ? textAlone(messages, info) : messages, quirks.has('reasoning_content')),
    stream: true,
    ...(quirks.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(quirks.has('temperature') ? {} : { temperature: request.temperature }),
    ...(quirks.has('max_tokens') ? { max_completion_tokens: request.maxTokens } : { max_tokens: request.maxTokens }),
    ...(request.think === false && !quirks.has('no_thinking') ? noThinking : {}),
    ...toolsBody(request, quirks),
    ...formatBody(request.responseSchema, quirks),
  }
}

function toolsBody(request: ChatRequest, quirks: ReadonlySet<Quirk>): Pick<Body, 'tools' | 'tool_choice'> {
  const choice = request.toolChoice ?? 'auto'
  const isTold = !quirks.has('tool_choice')
  const tools = isTold ? (request.tools ?? []) : offeredTools(request)
  if (tools.length === 0) return {}
  const sent = toldTools(tools).map((tool) => ({ type: 'function' as const, function: tool }))
  if (choice === 'auto' || !isTold) return { tools: sent }
  return { tools: sent, tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } } }
}

function formatBody(schema: JsonSchema | undefined, quirks: ReadonlySet<Quirk>): Pick<Body, 'response_format'> {
  if (schema === undefined || quirks.has('response_format')) return {}
  if (quirks.has('json_schema')) return { response_format: { type: 'json_object' } }
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: isStrict(schema) } } }
}

/** OpenAI refuses `strict` for a schema that leaves anything open. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { properties, required, additionalProperties } = schema as JsonSchema
  const isClosed =
    typeof properties !== 'object' ||
    properties === null ||
    (additionalProperties === false && Object.keys(properties).every((key) => Array.isArray(required) && required.includes(key)))
  return isClosed && Object.values(schema).every(isStrict)
}

/** Notes in place of the pictures of older turns; one that was just given is an error. */
function textAlone(messages: Message[], info: Model): Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) => {
    const media = mediaOf(message)
    if (media[0] === undefined) return message
    if (index === last) throw cannotPerceive(info, media[0].type)
    return { ...message, content: [contentText(message), ...media.map(mediaNote)].filter((text) => text !== '').join('\n\n') }
  })
}

function openAiMessages(messages: Message[], saysThoughts: boolean): WireMessage[] {
  return messages.map((message) => openAiMessage(message, saysThoughts) as unknown as WireMessage)
}

function openAiMessage(message: Message, saysThoughts: boolean): Record<string, unknown> {
  const { role, name, toolCallId, toolCalls = [], thinking } = message
  const text = [contentText(message), ...(role === 'user' ? [] : mediaOf(message).map(mediaNote))]
    .filter((each) => each !== '')
    .join('\n\n')
  if (role === 'tool') return { role, tool_call_id: toolCallId ?? name ?? 'call', content: text }
  const named = name === undefined ? {} : { name: name.replace(/[^\w-]/g, '_').slice(0, 64) }
  if (role === 'user') return { role, content: mediaOf(message).length === 0 ? text : userParts(message.content), ...named }
  if (role === 'system' || toolCalls.length === 0) return { role, content: text, ...named }
  return {
    role,
    content: text === '' ? null : text,
    ...named,
    ...(saysThoughts ? { reasoning_content: thinking ?? '' } : {}),
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments) },
    })),
  }
}

function userParts(content: Message['content']): unknown {
  if (typeof content === 'string') return content
  return content.map(toPart)
}

function toPart(part: MessagePart): Record<string, unknown> {
  if (part.type === 'image') return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } }
  if (part.type === 'audio') return { type: 'input_audio', input_audio: { data: part.data, format: audioFormat(part.mediaType) } }
  return { type: 'text', text: partText(part) ?? '' }
}

/** The protocol knows `wav` and `mp3`; others know more, by the media type's last word. */
function audioFormat(mediaType: string): string {
  const kind = (mediaType.split(';')[0] ?? '').split('/')[1]?.replace(/^x-/, '').toLowerCase() ?? ''
  if (kind === 'mpeg' || kind === 'mp3') return 'mp3'
  if (/^(wav|wave|vnd\.wave)$/.test(kind)) return 'wav'
  return kind === '' ? 'wav' : kind
}
