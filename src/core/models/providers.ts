import { failure, toSikuError } from '../../contract/errors.ts'
import { capabilitySchema, type Model, type Provider, type ProviderState } from '../../contract/models.ts'
import { sameModel } from './ollama-chat.ts'
import { isCloudName } from './suitable.ts'
import { ollamaAddress, ollamaBaseUrls, type OllamaClient, type OllamaLoaded, type OllamaTag } from '../ollama/ollama.ts'
import { checkedBase, providerKeyName, type OpenAiClient } from '../openai/openai.ts'
import { environmentOf, type Env } from './environment.ts'
import { versionAdvice } from './version-advice.ts'
import type { Secrets } from '../deps.ts'

/** A listing that takes longer counts as no answer: the page must not wait for it. */
const localListMs = 4000
const remoteListMs = 10_000

/** Of the environment for its own providers, else of the secret store. */
export async function providerKey(provider: Provider, secrets: Secrets, env: Env): Promise<string | null> {
  const environment = environmentOf(provider, env)
  return environment === null ? secrets.get(providerKeyName(provider.id)) : environment.key
}

/** Throws `model-config` for an address that nothing can be asked at. */
export function checkAddress(provider: Provider, env: Env): void {
  if (provider.kind === 'ollama') ollamaBaseUrls(ollamaAddress(provider.address, env))
  else checkedBase(provider.address)
}

function listMs(isLocal: boolean): number {
  return isLocal ? localListMs : remoteListMs
}

export async function ollamaState(
  provider: Provider,
  client: OllamaClient,
  isLocal: boolean,
  signal?: AbortSignal,
): Promise<ProviderState> {
  const options = { timeoutMs: listMs(isLocal), ...(signal === undefined ? {} : { signal }) }
  try {
    const tags = await client.tags(options)
    const [version, loaded] = await Promise.all([client.version(options).catch(() => null), client.ps(options).catch(() => [])])
    const models = tags.map((tag) =>
      toModel(
        provider.id,
        tag,
        loaded.find((model) => sameModel(model.name, tag.name)),
      ),
    )
    return { provider, reachable: true, version, advice: versionAdvice(version), error: null, models: models.sort(byName) }
  } catch (error) {
    return failed(provider, error)
  }
}

export async function openAiState(
  provider: Provider,
  client: OpenAiClient,
  isLocal: boolean,
  signal?: AbortSignal,
): Promise<ProviderState> {
  const options = { timeoutMs: listMs(isLocal), ...(signal === undefined ? {} : { signal }) }
  try {
    const listed = await client.models(options)
    const models = listed.map(({ id, ...told }) => ({ ...bareModel({ providerId: provider.id, model: id }, !isLocal), ...told }))
    return { provider, reachable: true, version: null, advice: null, error: null, models: models.sort(byName) }
  } catch (error) {
    return failed(provider, error)
  }
}

export function failed(provider: Provider, error: unknown): ProviderState {
  const problem = toSikuError(error)
  if (problem.code === 'cancelled') throw problem
  return { provider, reachable: false, version: null, advice: null, error: problem.toValue(), models: [] }
}

/** The environment's provider is somebody else's machine that nobody asked for yet: it is named, not contacted. */
export function notContacted(provider: Provider, model: string | undefined): ProviderState {
  const error = failure('not-contacted')
  const models = model === undefined || model === '' ? [] : [bareModel({ providerId: provider.id, model }, true)]
  return { ...failed(provider, error), models }
}

/** A model of which only the name is known: what it can do is found out by trying. */
export function bareModel(ref: { providerId: string; model: string }, remote: boolean): Model {
  return {
    ref,
    sizeBytes: null,
    family: null,
    parameters: null,
    quantisation: null,
    contextLength: null,
    capabilities: [],
    loaded: false,
    loadedBytes: null,
    remote,
  }
}

function toModel(providerId: string, tag: OllamaTag, loaded: OllamaLoaded | undefined): Model {
  return {
    ref: { providerId, model: tag.name },
    sizeBytes: tag.size,
    family: tag.details?.family ?? null,
    parameters: tag.details?.parameter_size ?? null,
    quantisation: tag.details?.quantization_level ?? null,
    contextLength: tag.details?.context_length ?? null,
    capabilities: capabilitiesOf(tag.capabilities),
    loaded: loaded !== undefined,
    loadedBytes: loaded?.size ?? loaded?.size_vram ?? null,
    remote: isCloudName(tag.name) || (tag.remote_host ?? '') !== '' || (tag.remote_model ?? '') !== '',
  }
}

export function capabilitiesOf(names: string[] | undefined): Model['capabilities'] {
  return (names ?? []).flatMap((name) => {
    const parsed = capabilitySchema.safeParse(name)
    return parsed.success ? [parsed.data] : []
  })
}

function byName(a: Model, b: Model): number {
  return a.ref.model < b.ref.model ? -1 : 1
}
