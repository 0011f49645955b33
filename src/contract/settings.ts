import { z } from 'zod'
import { countsSchema } from './library.ts'
import { modelRefSchema, providerSchema } from './models.ts'
import { mcpServerSchema, toolGrantSchema } from './tools.ts'

export const embeddingChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('built-in') }),
  z.object({ kind: z.literal('ollama'), providerId: z.string(), model: z.string().min(1) }),
  z.object({
    kind: z.literal('openai'),
    providerId: z.string(),
    model: z.string().min(1),
    dimensions: z.number().int().positive().optional(),
  }),
])
export type EmbeddingChoice = z.infer<typeof embeddingChoiceSchema>

export const settingsSchema = z.object({
  language: z.enum(['system', 'zh', 'en']).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** No connection but to this machine while it is on. */
  offline: z.boolean().default(false),
  providers: z.array(providerSchema).default([{ id: 'ollama', kind: 'ollama', name: 'Ollama', address: '', hasKey: false }]),
  chatModel: modelRefSchema.nullable().default(null),
  embedding: embeddingChoiceSchema.default({ kind: 'built-in' }),
  temperature: z.number().min(0).max(2).default(0.1),
  maxAnswerTokens: z.number().int().min(16).max(131_072).default(2048),
  connectTimeoutMs: z.number().int().min(100).default(60_000),
  idleTimeoutMs: z.number().int().min(1000).default(1_800_000),
  readTimeoutMs: z.number().int().min(1000).default(60_000),
  /** Text recognition in pictures and scanned pages. */
  ocr: z.boolean().default(true),
  readMemoryBytes: z.number().int().min(100_000_000).default(700_000_000),
  skipHidden: z.boolean().default(true),
  skipDependencies: z.boolean().default(true),
  ignoreRules: z.array(z.string()).default([]),
  /** More of them for one folder, by its id; they go before those for all. */
  folderRules: z.record(z.string(), z.array(z.string().max(1000)).max(1000)).default({}),
  /** Model rounds of one agent turn. */
  agentMaxSteps: z.number().int().min(1).max(1000).default(10),
  agentMaxCalls: z.number().int().min(1).max(10_000).default(60),
  agentMaxMs: z.number().int().min(1000).default(1_800_000),
  /** Tokens that all of a turn's rounds together may take. */
  agentMaxTokens: z.number().int().min(1000).default(500_000),
  memory: z.boolean().default(true),
  disabledTools: z.array(z.string()).default([]),
  toolGrants: z.array(toolGrantSchema).default([]),
  /** Where notes may be written; null: nowhere. */
  noteFolder: z.string().nullable().default(null),
  /** A SearXNG server to search the web with; '' uses DuckDuckGo. */
  searxngAddress: z.string().max(2000).default(''),
  /** What turns sound into text: a model of an OpenAI-compatible provider. */
  transcription: modelRefSchema.nullable().default(null),
  /** The provider's address to which the user lets sound files in folders be sent; null: to none. At another address it does not hold. */
  transcribeFoldersAt: z.string().max(2000).nullable().default(null),
  mcpServers: z.array(mcpServerSchema).max(50).default([]),
})
export type Settings = z.infer<typeof settingsSchema>

export const settingsPatchSchema = z.object(
  Object.fromEntries(Object.entries(settingsSchema.shape).map(([key, schema]) => [key, schema.removeDefault().optional()])) as {
    [K in keyof typeof settingsSchema.shape]: z.ZodOptional<ReturnType<(typeof settingsSchema.shape)[K]['removeDefault']>>
  },
)
export type SettingsPatch = z.infer<typeof settingsPatchSchema>

/** One host that was contacted, by what and when. */
export const contactSchema = z.object({
  host: z.string(),
  purpose: z.string(),
  firstAt: z.number(),
  lastAt: z.number(),
  count: z.number().int(),
  refused: z.number().int(),
})
export type Contact = z.infer<typeof contactSchema>

export const backupSchema = z.object({ name: z.string(), sizeBytes: z.number(), madeAt: z.number() })
export type Backup = z.infer<typeof backupSchema>

export const backupsSchema = z.object({
  directory: z.string(),
  /** The newest first. */
  backups: z.array(backupSchema),
  /** The one that is put back before the next start. */
  restoreNext: z.string().nullable(),
})
export type Backups = z.infer<typeof backupsSchema>

export const findingSchema = z.object({
  code: z.string(),
  level: z.enum(['ok', 'info', 'warning', 'error']),
  message: z.string(),
  /** What to do about it. */
  remedy: z.string().nullable(),
})
export type Finding = z.infer<typeof findingSchema>

export const doctorReportSchema = z.object({ ok: z.boolean(), findings: z.array(findingSchema) })
export type DoctorReport = z.infer<typeof doctorReportSchema>

export const statusSchema = z.object({
  version: z.string(),
  dataDir: z.string(),
  mode: z.enum(['writer', 'read-only']),
  folders: z.number().int(),
  documents: countsSchema.omit({ total: true }),
  passages: z.number().int(),
  embedded: z.number().int(),
  /** Pages that wait for text recognition. */
  pagesToRecognise: z.number().int(),
  vectorIndex: z.enum(['hnsw', 'exact', 'rebuilding']),
  embeddingModel: z.string(),
  sizeBytes: z.number().int(),
})
export type Status = z.infer<typeof statusSchema>
