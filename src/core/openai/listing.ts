import { z } from 'zod'

/** What a listing tells of a model. Most tell its name alone. */
export interface ListedModel {
  id: string
  /** Tokens; null when the server does not say. */
  contextLength: number | null
  /** Empty when the server does not say. */
  capabilities: ('completion' | 'tools' | 'vision' | 'audio')[]
}

const tokens = z.number().int().positive().optional().catch(undefined)
const entrySchema = z.object({
  id: z.string(),
  /** OpenRouter and Moonshot; vLLM; Mistral and LM Studio. */
  context_length: tokens,
  max_model_len: tokens,
  max_context_length: tokens,
  /** OpenRouter. */
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  supported_parameters: z.array(z.string()).optional().catch(undefined),
  /** Mistral. */
  capabilities: z
    .object({ function_calling: z.boolean(), vision: z.boolean().default(false), audio: z.boolean().default(false) })
    .optional()
    .catch(undefined),
})
export const listingSchema = z.object({ data: z.array(z.unknown()) })

export function listedModels({ data }: z.infer<typeof listingSchema>): ListedModel[] {
  return data.flatMap((value) => {
    const { success, data: entry } = entrySchema.safeParse(value)
    if (!success) return []
    const contextLength = entry.context_length ?? entry.max_model_len ?? entry.max_context_length ?? null
    return [{ id: entry.id, contextLength, capabilities: capabilitiesOf(entry) }]
  })
}

/** Told only when it is told whether there are tools: half of an answer would say no to the other half. */
function capabilitiesOf({ architecture, supported_parameters: parameters, capabilities }: z.infer<typeof entrySchema>) {
  const can = (tools: boolean, vision: boolean, audio: boolean): ListedModel['capabilities'] => [
    'completion',
    ...(tools ? (['tools'] as const) : []),
    ...(vision ? (['vision'] as const) : []),
    ...(audio ? (['audio'] as const) : []),
  ]
  if (capabilities !== undefined) return can(capabilities.function_calling, capabilities.vision, capabilities.audio)
  if (architecture === undefined || parameters === undefined) return []
  const takes = (kind: string): boolean => architecture.input_modalities.includes(kind)
  return can(parameters.includes('tools'), takes('image'), takes('audio'))
}
