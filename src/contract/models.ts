import { z } from 'zod'
import { errorValueSchema } from './errors.ts'

export const providerKindSchema = z.enum(['ollama', 'openai'])

/** A provider as the user set it up. Its key stays in the secret store and never comes here. */
export const providerSchema = z.object({
  id: z.string().min(1).max(64),
  kind: providerKindSchema,
  name: z.string().min(1).max(100),
  /** Ollama: host in any OLLAMA_HOST form. OpenAI-compatible: the base URL, with /v1 or /v4 as the provider says. */
  address: z.string().max(2000),
  hasKey: z.boolean().default(false),
})
export type Provider = z.infer<typeof providerSchema>

export const modelRefSchema = z.object({ providerId: z.string(), model: z.string().min(1) })
export type ModelRef = z.infer<typeof modelRefSchema>

export const capabilitySchema = z.enum(['completion', 'tools', 'vision', 'thinking', 'embedding', 'insert', 'audio', 'image'])

export const modelSchema = z.object({
  ref: modelRefSchema,
  sizeBytes: z.number().nullable(),
  family: z.string().nullable(),
  parameters: z.string().nullable(),
  quantisation: z.string().nullable(),
  contextLength: z.number().int().nullable(),
  capabilities: z.array(capabilitySchema),
  loaded: z.boolean(),
  /** Memory that it takes while it is loaded. */
  loadedBytes: z.number().nullable().default(null),
  /** Ollama's cloud models run on somebody else's machine: marked, and never chosen by themselves. */
  remote: z.boolean(),
})
export type Model = z.infer<typeof modelSchema>

export const providerStateSchema = z.object({
  provider: providerSchema,
  reachable: z.boolean(),
  version: z.string().nullable(),
  /** What to do about a version that is too old; null when it is not. */
  advice: z.string().nullable().default(null),
  error: errorValueSchema.nullable(),
  models: z.array(modelSchema),
})
export type ProviderState = z.infer<typeof providerStateSchema>

export const modelsStateSchema = z.object({
  providers: z.array(providerStateSchema),
  chosen: modelRefSchema.nullable(),
  /** What will answer the next question; null means extracts without a model. */
  effective: modelRefSchema.nullable(),
  embedding: z.object({
    key: z.string(),
    dimensions: z.number().int().nullable(),
    state: z.enum(['ready', 'loading', 'failed']),
    error: errorValueSchema.nullable(),
  }),
})
export type ModelsState = z.infer<typeof modelsStateSchema>

export const pullProgressSchema = z.object({
  type: z.literal('pull-progress'),
  status: z.string(),
  completedBytes: z.number().nullable(),
  totalBytes: z.number().nullable(),
})
export type PullProgress = z.infer<typeof pullProgressSchema>

export const usageSchema = z.object({
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  totalTokens: z.number().int().nullable(),
  loadMs: z.number().nullable(),
  promptMs: z.number().nullable(),
  completionMs: z.number().nullable(),
})
export type Usage = z.infer<typeof usageSchema>
