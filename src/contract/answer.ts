import { z } from 'zod'
import {
  agentProfileSchema,
  approvalDecisionSchema,
  approvalSchema,
  attachedSchema,
  attachmentSchema,
  callEndSchema,
  callRecordSchema,
  callStartSchema,
  planItemSchema,
} from './agent.ts'
import { errorValueSchema } from './errors.ts'
import { scopeSchema } from './library.ts'
import { messageSchema } from './message.ts'
import { modelRefSchema, usageSchema } from './models.ts'
import { placeSchema } from './place.ts'

/** `incomplete`: the agent came to one of its limits; its text says what is missing. */
export const outcomeSchema = z.enum(['answered', 'extractive', 'not-found', 'stopped', 'failed', 'incomplete'])
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
  /** The model's server cut what it was given: `count` is the tokens that it read. */
  'prompt-cut',
  /** `count` of `of` passages had no room. */
  'passages-left-out',
  'history-cut',
  'still-indexing',
  'no-vectors',
  'not-reachable',
  'markers-dropped',
  'bad-lines',
  'remote-model',
  /** How an answer that is no quotation was found: what was counted, the query. Its message is shown. */
  'basis',
  // The agent's.
  'text-protocol',
  // The model went round in circles and was stopped.
  'repeats',
  // The provider's own filter held back the answer, or a part of it.
  'filtered',
  'step-limit',
  'repeated-calls',
  'budget',
  /** `count` of `of` tools had no room. */
  'tools-left-out',
  'history-summarised',
  /** Earlier steps of this very task: summarised, or left out. */
  'steps-summarised',
  'steps-cut',
  'results-shortened',
  /** The question, or what was given along with it, is longer than the window. */
  'question-shortened',
  /** The agent's own words are longer than the window has room for. */
  'instructions-shortened',
  'attachment-unread',
  // Of a file that was given along the beginning stands in the question.
  'attachment-cut',
  'repaired',
  // The answer is not whole: it ended at its length, or without an end.
  'cut-off',
  // Every call went wrong, and the answer claims what they would have given.
  'calls-failed',
  // The answer says that something was done which no tool was called for.
  'not-done',
  // A calculation that the answer writes out comes to something else.
  'wrong-sum',
  // Parts of the plan were left open.
  'plan-open',
  // The chat's agent came with a file and was not yet seen by the user: it was left out.
  'agent-imported',
])
/** What an answer that is no quotation rests on. */
export const basisSchema = z.object({
  of: z.enum(['tables', 'text', 'files', 'summary']),
  /** In a sentence, in the language of the question. */
  message: z.string(),
  /** How the question was understood, in that language; null where it can be understood in one way only. */
  understood: z.string().nullable(),
  /** The SELECT that was run; null where none was. */
  query: z.string().nullable(),
  unit: z.enum(['rows', 'documents', 'files', 'sections']),
  lookedAt: z.number().int(),
  total: z.number().int(),
  /** Each sheet that was looked at: its rows, how many of them count, and what they add to the answer as it is shown. */
  sheets: z.array(
    z.object({
      path: z.string(),
      sheet: z.string(),
      rows: z.number().int(),
      counted: z.number().int().nullable(),
      value: z.string().nullable(),
    }),
  ),
  /** How many rows the answer comes from, and the first of them; null where that cannot be said. */
  counted: z.number().int().nullable(),
  rows: z.array(z.object({ path: z.string(), sheet: z.string(), row: z.number().int() })),
  /** How cells were read where it is not plain, units, what was left out. */
  remarks: z.array(z.string()),
})
export type Basis = z.infer<typeof basisSchema>

export const noteSchema = z.object({
  code: noteCodeSchema,
  message: z.string(),
  /** Of `wrong-sum`: what is said, and what is so instead. */
  sums: z.array(z.object({ said: z.string(), value: z.string() })).optional(),
  count: z.number().int().optional(),
  of: z.number().int().optional(),
  basis: basisSchema.optional(),
})
export type Note = z.infer<typeof noteSchema>

export const turnModeSchema = z.enum(['answer', 'agent'])
export type TurnMode = z.infer<typeof turnModeSchema>

/** `hear`: sound that was given along becomes text; `round`: one round of the agent's model, with the tool calls that it asked for; `reflect`, `summarise`: its own work on answer and context; `overview`: counting, tables, file facts, summaries. */
export const stepKindSchema = z.enum([
  'rewrite',
  'search',
  'extract',
  'generate',
  'check',
  'round',
  'reflect',
  'summarise',
  'overview',
  'hear',
])

/** How much of the context window went where, in tokens. */
export const contextUseSchema = z.object({
  windowTokens: z.number().int(),
  system: z.number().int(),
  passages: z.number().int(),
  history: z.number().int(),
  question: z.number().int(),
  reserved: z.number().int(),
  /** The agent's: descriptions of tools, and their results. */
  tools: z.number().int().default(0),
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
    mode: turnModeSchema.default('answer'),
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
  /** The agent's list of parts, whole each time it changes. */
  z.object({ seq: z.number().int(), type: z.literal('plan'), items: z.array(planItemSchema) }),
  /** Memories that were given to the model. */
  z.object({
    seq: z.number().int(),
    type: z.literal('memories-used'),
    memories: z.array(z.object({ id: z.string(), text: z.string() })),
  }),
  /** What was written so far was not the answer: it stands before tool calls, or is repaired. The text begins anew. */
  z.object({ seq: z.number().int(), type: z.literal('text-reset') }),
  z.object({
    seq: z.number().int(),
    type: z.literal('call-start'),
    ...callStartSchema.shape,
  }),
  z.object({ seq: z.number().int(), type: z.literal('approval-request'), approval: approvalSchema }),
  z.object({
    seq: z.number().int(),
    type: z.literal('approval-end'),
    approvalId: z.string(),
    callId: z.string(),
    /** Null: the turn was stopped before an answer came. */
    decision: approvalDecisionSchema.nullable(),
  }),
  z.object({
    seq: z.number().int(),
    type: z.literal('call-end'),
    callId: z.string(),
    ...callEndSchema.shape,
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
  /** The order in which a chat's turns were asked. */
  ordinal: z.number().int(),
  /** The turn that it follows; null: it is a first one; left out: it follows the one asked before it. See `branches.ts`. */
  parentId: z.string().nullable().optional(),
  question: z.string(),
  mode: turnModeSchema.default('answer'),
  /** What it was asked of. */
  scope: scopeSchema.default({}),
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
  plan: z.array(planItemSchema).default([]),
  calls: z.array(callRecordSchema).default([]),
  memories: z.array(z.object({ id: z.string(), text: z.string() })).default([]),
  /** Names and kinds of what was given along; the bytes are in the turn's messages. */
  attachments: z.array(attachedSchema).default([]),
  /** It came in with a file: anybody may have written any of it. */
  imported: z.boolean().default(false),
})
export type Turn = z.infer<typeof turnSchema>

/** `waiting`: for the user's word on a tool call. */
export const chatStateSchema = z.enum(['running', 'waiting'])
export type ChatState = z.infer<typeof chatStateSchema>

export const chatTitleCharacters = 200

export const chatSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  turns: z.number().int(),
  /** Kept at the head of the list. */
  pinned: z.boolean().default(false),
  /** Where a searched list found the words in its questions and answers, with some of what stands around them. */
  excerpt: z.string().optional(),
  /** While its last turn goes on. Only in lists. */
  state: chatStateSchema.optional(),
})
export type ChatSummary = z.infer<typeof chatSummarySchema>

export const chatSchema = chatSummarySchema.extend({
  scope: scopeSchema,
  /** Null: Siku's own agent, as it is. */
  agent: agentProfileSchema.nullable().default(null),
  history: z.array(turnSchema),
})
export type Chat = z.infer<typeof chatSchema>

export const askRequestSchema = z.object({
  /** Left out: a new chat. */
  chatId: z.string().optional(),
  /** The turn of the chat that the question follows; null: it begins the chat anew; left out: the one that was asked last. */
  parentId: z.string().nullable().optional(),
  question: z.string().min(1).max(20_000),
  scope: scopeSchema.default({}),
  /** Left out: the chosen model, or the most suitable one; null: no model, extracts only. */
  model: modelRefSchema.nullable().optional(),
  /** "Ask the model anyway" after a note that nothing in the library answers. */
  anyway: z.boolean().default(false),
  mode: turnModeSchema.default('answer'),
  /** Of a new chat. An existing one keeps its own: see `chats.configure`. */
  agent: agentProfileSchema.nullable().optional(),
  attachments: z.array(attachmentSchema).max(20).default([]),
})
export type AskRequest = z.input<typeof askRequestSchema>

/** What stands unsent in the composer of a chat. Attachments left out stay as they were kept. */
export const draftSchema = z.object({
  text: z.string().max(200_000),
  scope: scopeSchema.default({}),
  mode: turnModeSchema.optional(),
  attachments: z.array(attachmentSchema).max(20).optional(),
})
export type Draft = z.infer<typeof draftSchema>

/** What opening a citation finds. The stored quote is shown when the document changed or is gone; `unreachable`: its folder is away, what was read is kept. */
export const openedCitationSchema = z.object({
  state: z.enum(['current', 'unreachable', 'changed', 'gone']),
  citation: citationSchema,
  documentId: z.number().int().nullable(),
  unreachableSince: z.number().nullable().default(null),
})
export type OpenedCitation = z.infer<typeof openedCitationSchema>

export const askReportSchema = z.object({
  outcome: outcomeSchema,
  answer: z.string(),
  sentences: z.array(sentenceSchema.pick({ text: true, citations: true, supported: true })),
  citations: z.array(citationSchema.pick({ marker: true, path: true, place: true, quote: true })),
  /** Null where the answer quotes passages. */
  basis: basisSchema.nullable(),
  model: z.string().nullable(),
  promptTokens: z.number().int().nullable(),
  contextTokens: z.number().int().nullable(),
  elapsedMs: z.number(),
})
export type AskReport = z.infer<typeof askReportSchema>

/** A chat as a file: nothing is lost on the way out and back in. */
export const chatFileSchema = z.object({
  format: z.literal('siku-chat'),
  version: z.literal(1),
  chat: chatSchema,
  /** The messages of each turn that has some, by the turn's id. */
  messages: z.record(z.string(), z.array(messageSchema)),
})
export type ChatFile = z.infer<typeof chatFileSchema>
