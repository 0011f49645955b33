import { z } from 'zod'
import { modelRefSchema, usageSchema } from './models.ts'
import { placeSchema } from './place.ts'

/** Base64 without a prefix. */
const base64Schema = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

export const messagePartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mediaType: z.string(), data: base64Schema, name: z.string().optional() }),
  z.object({ type: z.literal('audio'), mediaType: z.string(), data: base64Schema, name: z.string().optional() }),
  /** Text of a document: of the library, or given along with a question. */
  z.object({
    type: z.literal('document'),
    name: z.string(),
    text: z.string(),
    documentId: z.number().int().optional(),
    /** Of a text that is too long for a question: all of it, and the name under which the agent reads on. */
    whole: z.object({ id: z.string(), text: z.string() }).optional(),
    place: placeSchema.optional(),
  }),
])
export type MessagePart = z.infer<typeof messagePartSchema>

export const toolCallSchema = z.object({
  /** As the model gave it, or ours when it gave none: unique in its turn. */
  id: z.string().min(1),
  name: z.string(),
  /** Any JSON, as the model gave it; only the tool's schema says whether it is right. */
  arguments: z.json(),
})
export type ToolCall = z.infer<typeof toolCallSchema>

/** The one message type of the product: what is sent to models, stored, replayed, exported and imported. */
export const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(messagePartSchema)]),
  /** Of a tool's message: the tool. */
  name: z.string().optional(),
  /** Of a tool's message: the call that it answers. */
  toolCallId: z.string().optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  /** What the model thought before it spoke. Shown when asked for; never sent on as an answer. */
  thinking: z.string().optional(),
  /** Milliseconds since 1970. */
  timestamp: z.number().optional(),
  metadata: z
    .object({
      usage: usageSchema.optional(),
      model: modelRefSchema.optional(),
      elapsedMs: z.number().optional(),
      /** Of a tool's message: how the call ended. */
      status: z.string().optional(),
    })
    .optional(),
})
export type Message = z.infer<typeof messageSchema>

/** The text of a message, parts that are no text left out. */
export function messageText({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' || part.type === 'document' ? [part.text] : [])).join('\n\n')
}
