import { z } from 'zod'
import { errorValueSchema } from './errors.ts'
import { scopeSchema } from './library.ts'
import { modelRefSchema, usageSchema } from './models.ts'
import { placeSchema } from './place.ts'

export const outcomeSchema = z.enum(['answered', 'extractive', 'not-found', 'stopped', 'failed'])
export type Outcome = z.infer<typeof outcomeSchema>

/** A passage offered to the answer under its number. Kept with the turn: it outlives the document. */
export const sourceSchema = z.object({
  /** The number of the marker, from 1. */
  marker: z.number().int().min(1),
  documentId: z.number().int(),
  passageId: z.number().int(),
  path: z.string(),
  place: placeSchema,
  heading: z.array(z.string()),
  text: z.string(),
  /** SHA-256 of the file's bytes when it was read, in hex. */
  contentHash: z.string(),
  score: z.number(),
})
export type Source = z.infer<typeof sourceSchema>

export const citationSchema = z.object({
  marker: z.number().int().min(1),
  path: z.string(),
  place: placeSchema,
  /** Verbatim from the document. */
  quote: z.string(),
  documentId: z.number().int(),
  passageId: z.number().int(),
  contentHash: z.string(),
})
export type Citation = z.infer<typeof citationSchema>

export const sentenceSchema = z.object({
  text: z.string(),
  citations: z.array(z.number().int()),
  /** True when its sources carry it; false marks it in the interface. A sentence that claims nothing counts as supported. */
  supported: z.boolean(),
  /** Why not, for a tooltip: the number, date or name that the sources lack, or "not-cited", "meaning". */
  problem: z.string().optional(),
})
export type Sentence = z.infer<typeof sentenceSchema>

export const noteCodeSchema = z.enum([
  'not-in-library',
  'no-model',
  'model-failed',
  'prompt-cut',
  'history-cut',
  'still-indexing',
  'no-vectors',
  'markers-dropped',
  'bad-lines',
  'remote-model',
])
export const noteSchema = z.object({ code: noteCodeSchema, message: z.string(), count: z.number().int().optional() })
export type Note = z.infer<typeof noteSchema>

export const stepKindSchema = z.enum(['rewrite', 'search', 'extract', 'generate', 'check'])

/** How much of the context window went where, in tokens. */
export const contextUseSchema = z.object({
  windowTokens: z.number().int(),
  system: z.number().int(),
  passages: z.number().int(),
  history: z.number().int(),
  question: z.number().int(),
  reserved: z.number().int(),
})
export type ContextUse = z.infer<typeof contextUseSchema>

export const timingsSchema = z.object({
  searchMs: z.number().nullable(),
  firstTextMs: z.number().nullable(),
  totalMs: z.number(),
})

/** Everything that answers a question, as one stream: noun-verb, failure included. `seq` counts from 0 without gaps. */
export const turnEventSchema = z.discriminatedUnion('type', [
  z.object({
    seq: z.number().int(),
    type: z.literal('turn-start'),
    turnId: z.string(),
    chatId: z.string(),
    question: z.string(),
    model: modelRefSchema.nullable(),
    at: z.number(),
  }),
  z.object({ seq: z.number().int(), type: z.literal('step-start'), stepId: z.string(), kind: stepKindSchema }),
  z.object({
    seq: z.number().int(),
    type: z.literal('step-end'),
    stepId: z.string(),
    kind: stepKindSchema,
    elapsedMs: z.number(),
    detail: z.string().optional(),
    count: z.number().int().optional(),
  }),
  z.object({ seq: z.number().int(), type: z.literal('sources'), sources: z.array(sourceSchema) }),
  z.object({ seq: z.number().int(), type: z.literal('note'), note: noteSchema }),
  z.object({ seq: z.number().int(), type: z.literal('thinking-start') }),
  z.object({ seq: z.number().int(), type: z.literal('thinking-delta'), text: z.string() }),
  z.object({ seq: z.number().int(), type: z.literal('thinking-end') }),
  z.object({ seq: z.number().int(), type: z.literal('text-start') }),
  z.object({ seq: z.number().int(), type: z.literal('text-delta'), text: z.string() }),
  z.object({ seq: z.number().int(), type: z.literal('text-end') }),
  z.object({ seq: z.number().int(), type: z.literal('context-use'), use: contextUseSchema }),
  z.object({
    seq: z.number().int(),
    type: z.literal('answer-checked'),
    answer: z.string(),
    sentences: z.array(sentenceSchema),
    citations: z.array(citationSchema),
    droppedMarkers: z.number().int(),
  }),
  z.object({
    seq: z.number().int(),
    type: z.literal('turn-end'),
    outcome: outcomeSchema,
    error: errorValueSchema.nullable(),
    usage: usageSchema.nullable(),
    timings: timingsSchema,
  }),
])
export type TurnEvent = z.infer<typeof turnEventSchema>

/** A turn as it is stored and shown again. */
export const turnSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  ordinal: z.number().int(),
  question: z.string(),
  askedAt: z.number(),
  /** Null while it runs. */
  outcome: outcomeSchema.nullable(),
  answer: z.string(),
  thinking: z.string(),
  sentences: z.array(sentenceSchema),
  citations: z.array(citationSchema),
  sources: z.array(sourceSchema),
  notes: z.array(noteSchema),
  steps: z.array(
    z.object({ kind: stepKindSchema, elapsedMs: z.number(), detail: z.string().optional(), count: z.number().int().optional() }),
  ),
  model: modelRefSchema.nullable(),
  error: errorValueSchema.nullable(),
  usage: usageSchema.nullable(),
  contextUse: contextUseSchema.nullable(),
  timings: timingsSchema.nullable(),
})
export type Turn = z.infer<typeof turnSchema>

export const chatSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  turns: z.number().int(),
})
export type ChatSummary = z.infer<typeof chatSummarySchema>

export const chatSchema = chatSummarySchema.extend({ scope: scopeSchema, history: z.array(turnSchema) })
export type Chat = z.infer<typeof chatSchema>

export const askRequestSchema = z.object({
  /** Left out: a new chat. */
  chatId: z.string().optional(),
  question: z.string().min(1).max(20_000),
  scope: scopeSchema.default({}),
  /** Left out: the chosen model, or the most suitable one; null: no model, extracts only. */
  model: modelRefSchema.nullable().optional(),
  /** "Ask the model anyway" after a note that nothing in the library answers. */
  anyway: z.boolean().default(false),
})
export type AskRequest = z.input<typeof askRequestSchema>

/** What opening a citation finds. The stored quote is shown when the document changed or is gone. */
export const openedCitationSchema = z.object({
  state: z.enum(['current', 'changed', 'gone']),
  citation: citationSchema,
  documentId: z.number().int().nullable(),
})
export type OpenedCitation = z.infer<typeof openedCitationSchema>

export const askReportSchema = z.object({
  outcome: outcomeSchema,
  answer: z.string(),
  sentences: z.array(sentenceSchema.pick({ text: true, citations: true, supported: true })),
  citations: z.array(citationSchema.pick({ marker: true, path: true, place: true, quote: true })),
  model: z.string().nullable(),
  promptTokens: z.number().int().nullable(),
  contextTokens: z.number().int().nullable(),
  elapsedMs: z.number(),
})
export type AskReport = z.infer<typeof askReportSchema>
