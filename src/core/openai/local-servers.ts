import { z } from 'zod'
import type { ListedModel } from './listing.ts'

const tokens = z.number().int().positive().optional().catch(undefined)

/** Of llama.cpp's `GET /props`: what the loaded model's chat template takes, and the window of a slot. */
const propsSchema = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
  modalities: z.object({ vision: z.boolean().default(false), audio: z.boolean().default(false) }).catch({ vision: false, audio: false }),
  chat_template_caps: z.object({ supports_tools: z.boolean() }).optional().catch(undefined),
})

/** Of LM Studio's `GET /api/v0/models`: a model is loaded with a smaller window than it could have. */
const studioSchema = z.object({ data: z.array(z.object({ id: z.string(), loaded_context_length: tokens, max_context_length: tokens })) })

const ownersSchema = z.object({ data: z.array(z.object({ owned_by: z.string().optional().catch(undefined) })) })

type Get = (address: string) => Promise<unknown>

/**
 * What a server tells beside the protocol of the models that it listed, where it is one that does: llama.cpp drops tools without
 * a word when a model's template has no place for them. `base` is the provider's, as `http://127.0.0.1:8080/v1`.
 */
export async function toldBeside(models: ListedModel[], listing: unknown, base: string, get: Get): Promise<ListedModel[]> {
  const owners = ownersSchema.safeParse(listing).data?.data.map((entry) => entry.owned_by) ?? []
  const near = (path: string): string => new URL(path, `${base}/`).href
  try {
    // With several models it is a router, whose properties are no model's.
    if (owners.length === 1 && owners[0] === 'llamacpp') {
      const props = propsSchema.parse(await get(near('../props')))
      return models.map((model) => withProps(model, props))
    }
    if (owners.includes('organization_owner')) {
      const { data } = studioSchema.parse(await get(near('../api/v0/models')))
      return models.map((model) => {
        const told = data.find(({ id }) => id === model.id)
        return { ...model, contextLength: told?.loaded_context_length ?? model.contextLength }
      })
    }
  } catch {
    // What is told beside the protocol may be off, or behind a key of its own: the listing stands as it is.
  }
  return models
}

function withProps(
  model: ListedModel,
  { default_generation_settings: settings, modalities, chat_template_caps: caps }: Props,
): ListedModel {
  const contextLength = settings?.n_ctx ?? model.contextLength
  if (caps === undefined) return { ...model, contextLength }
  const capabilities: ListedModel['capabilities'] = ['completion']
  if (caps.supports_tools) capabilities.push('tools')
  if (modalities.vision) capabilities.push('vision')
  if (modalities.audio) capabilities.push('audio')
  return { ...model, contextLength, capabilities }
}

type Props = z.infer<typeof propsSchema>
