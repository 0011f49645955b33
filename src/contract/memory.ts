import { z } from 'zod'

export const memoryKindSchema = z.enum(['fact', 'preference'])

/** A small fact or preference that is kept between chats. Only the user, or the agent at the user's word, writes one. */
export const memorySchema = z.object({
  id: z.string(),
  text: z.string().min(1).max(1000),
  kind: memoryKindSchema,
  /** Where it comes from: the page of memories, an import, or a chat's turn. */
  source: z.object({
    from: z.enum(['user', 'import', 'chat']),
    chatId: z.string().nullable().default(null),
    turnId: z.string().nullable().default(null),
  }),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When it was last given to a model. */
  usedAt: z.number().nullable(),
  uses: z.number().int(),
})
export type Memory = z.infer<typeof memorySchema>

/** What is exported and imported. */
export const memoryFileSchema = z.object({
  format: z.literal('siku-memories'),
  version: z.literal(1),
  memories: z.array(memorySchema),
})
export type MemoryFile = z.infer<typeof memoryFileSchema>
