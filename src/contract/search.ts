import { z } from 'zod'
import { placeSchema } from './place.ts'
import { scopeSchema } from './library.ts'

export const searchModeSchema = z.enum(['hybrid', 'keyword', 'vector'])
export type SearchMode = z.infer<typeof searchModeSchema>

export const searchRequestSchema = z.object({
  query: z.string().max(20_000),
  k: z.number().int().min(1).max(1000).default(10),
  mode: searchModeSchema.default('hybrid'),
  scope: scopeSchema.default({}),
})
export type SearchRequest = z.input<typeof searchRequestSchema>

export const hitSchema = z.object({
  /** From 1. */
  rank: z.number().int().min(1),
  score: z.number(),
  path: z.string(),
  place: placeSchema,
  text: z.string(),
  passageId: z.number().int(),
  documentId: z.number().int(),
  heading: z.array(z.string()),
  /** Other paths that hold the same content. */
  alsoAt: z.array(z.string()),
  /** Since when its folder cannot be reached. */
  unreachableSince: z.number().nullable().default(null),
})
export type Hit = z.infer<typeof hitSchema>

export const searchResultSchema = z.object({
  query: z.string(),
  mode: searchModeSchema,
  elapsedMs: z.number(),
  hits: z.array(hitSchema),
  /** Said when a leg could not be used: the embedding model is missing, the index is being rebuilt. */
  notes: z.array(z.object({ code: z.enum(['no-vectors', 'exact-scan', 'still-indexing', 'not-reachable']), message: z.string() })),
})
export type SearchResult = z.infer<typeof searchResultSchema>
