import { z } from 'zod'
import { toolAccessSchema } from './tools.ts'

export const agentNameCharacters = 100
export const agentSystemCharacters = 20_000

/** How the agent of a chat is set: its own words, name and tools. Kept under an id it is a named agent. */
export const agentProfileSchema = z.object({
  name: z.string().max(agentNameCharacters).default(''),
  /** Added to the agent's own system text. */
  system: z.string().max(agentSystemCharacters).default(''),
  /** Names of the tools that it may use; null: all that are switched on. */
  tools: z.array(z.string()).nullable().default(null),
  /** Whether memories are read and written in this chat. */
  memory: z.boolean().default(true),
  /** Model rounds of one turn; left out: as the settings say. */
  maxSteps: z.number().int().min(1).max(1000).optional(),
  /** It came with a file: until the user has saved it once, nothing of it is used. */
  imported: z.boolean().optional(),
})
export type AgentProfile = z.infer<typeof agentProfileSchema>

export const namedAgentSchema = agentProfileSchema.extend({ id: z.string().min(1), name: z.string().min(1).max(agentNameCharacters) })
export type NamedAgent = z.infer<typeof namedAgentSchema>

/** Looked at without going back, for it may be many megabytes. Decoders pass over what is no base64, and an empty file remains. */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return false
  const padding = text.indexOf('=')
  return padding === -1 || (padding >= text.length - 2 && text.endsWith('='))
}

/** What is kept of a file that was given along. */
export const attachedSchema = z.object({ name: z.string().min(1).max(255), mediaType: z.string().max(255) })

/** Given along with a question, for this turn only. Data is base64. */
export const attachmentSchema = attachedSchema.extend({ data: z.string().max(40_000_000) }).superRefine(({ name, data }, context) => {
  if (data === '') context.addIssue({ code: 'custom', message: `“${name}” is empty: there is nothing to give along.` })
  else if (!isBase64(data)) context.addIssue({ code: 'custom', message: `“${name}” did not arrive whole: its data is not base64.` })
})
export type Attachment = z.infer<typeof attachmentSchema>

export const planItemSchema = z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done', 'dropped']) })
export type PlanItem = z.infer<typeof planItemSchema>

export const approvalDecisionSchema = z.enum(['once', 'chat', 'always', 'refuse'])
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>

/** What the user is asked. An answer counts for exactly these arguments: it must bring `digest` back. */
export const approvalSchema = z.object({
  approvalId: z.string(),
  callId: z.string(),
  tool: z.string(),
  access: toolAccessSchema,
  /** One readable line: what it would do. */
  line: z.string(),
  arguments: z.json(),
  /** What it touches: a host, a folder, a server; '' for nothing outside. */
  site: z.string(),
  /** SHA-256 in hex of tool, site and arguments. */
  digest: z.string(),
  /**
   * Private text, untrusted text and a way out come together, or untrusted text and a change of the memories: it is asked whatever was allowed
   * before, and only once or never.
   */
  dangerous: z.boolean(),
})
export type Approval = z.infer<typeof approvalSchema>

export const callStatusSchema = z.enum([
  'running',
  'ok',
  'error',
  'refused',
  'timeout',
  'cancelled',
  'unknown-tool',
  'bad-arguments',
  'offline',
])
export type CallStatus = z.infer<typeof callStatusSchema>

/** What is known of a tool call when it begins. */
export const callStartSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  line: z.string(),
  arguments: z.json(),
  /** Null: there is no such tool. */
  access: toolAccessSchema.nullable(),
  /** Of a helper agent's call: the call that delegated to it. */
  parentCallId: z.string().nullable(),
  /** After so many milliseconds it is ended; left out where only the turn's own time ends it. */
  limitMs: z.number().positive().optional(),
})
export type CallStart = z.infer<typeof callStartSchema>

/** How a tool call ended. */
export const callEndSchema = z.object({
  status: callStatusSchema,
  elapsedMs: z.number(),
  /** What the model was given, cut for showing. */
  result: z.string(),
  /** Characters of the whole result, when what the model was given is cut. */
  cutFrom: z.number().int().nullable(),
})
export type CallEnd = z.infer<typeof callEndSchema>

/** One tool call as it is shown and stored with its turn. */
export const callRecordSchema = z.object({
  ...callStartSchema.shape,
  ...callEndSchema.shape,
  decision: approvalDecisionSchema.nullable(),
})
export type CallRecord = z.infer<typeof callRecordSchema>
