import { homedir, platform, totalmem } from 'node:os'
import { failure, SikuError, toSikuError } from '../../contract/errors.ts'
import type { Model, ModelRef, ModelsState, Provider, ProviderState, PullProgress } from '../../contract/models.ts'
import type { Settings, SettingsPatch } from '../../contract/settings.ts'
import type { Secrets } from '../deps.ts'
import type { Net } from '../net/net.ts'
import { createOllama, findOllama, ollamaAddress, ollamaBaseUrls, startOllama, type OllamaClient } from '../ollama/ollama.ts'
import { createOpenAi, providerKeyName, type OpenAiClient } from '../openai/openai.ts'
import type { ChatModel } from './chat-model.ts'
import { withoutEchoedKey } from './echoed-key.ts'
import { contextLengthOf, createOllamaChat, sameModel, type OllamaMemory } from './ollama-chat.ts'
import { createOpenAiChat, type OpenAiMemory } from './openai-chat.ts'
import { bareModel, capabilitiesOf, checkAddress, failed, notContacted, providerKey, ollamaState, openAiState } from './providers.ts'
import { environmentOf, isEnvironmentId, providersOf } from './environment.ts'
import { cannotHear, hearsFolders, transcribe, type Recording, type Transcript } from './hearing.ts'
import { noModelError } from './no-model.ts'
import { bySuitability, isCloudName } from './suitable.ts'
import type { TokenRates } from './token-estimate.ts'

export { complete } from './complete.ts'
export { providersOf } from './environment.ts'
export { transcriptText } from './hearing.ts'
export { mediaNote, type MediaPart } from './request-text.ts'
export { providerKey } from './providers.ts'
export { roughTokens } from './token-estimate.ts'
export { toldTools } from './chat-model.ts'
export type { ChatModel, ChatRequest, JsonSchema, ModelEvent, ToolSpec } from './chat-model.ts'

export interface ModelsDeps {
  net: Net
  secrets: Secrets
  env: Readonly<Record<string, string | undefined>>
  settings: { read(): Settings; patch(patch: SettingsPatch): Promise<Settings> }
  tokenRates: TokenRates
  now: () => number
  totalMemoryBytes?: number
  homeDir?: string
  platform?: NodeJS.Platform
}

export interface Models {
  /** Every provider, asked side by side with short time-outs, whether it answers and why not. */
  state(options?: { refresh?: boolean; signal?: AbortSignal }): Promise<Omit<ModelsState, 'embedding'>>
  /**
   * The model that answers: `ref`; left out, the chosen one or Ollama's most suitable; null for none. Null when there is none.
   * A model that was named is given even if it may not answer: its stream then says why.
   */
  resolve(ref?: ModelRef | null, signal?: AbortSignal): Promise<ChatModel | null>
  /** Why `resolve` found none to choose by itself, as the providers answered last. */
  whyNone(): SikuError
  /** What an installed Ollama model can do, in full. Rejects when it is not installed. */
  show(providerId: string, name: string, signal?: AbortSignal): Promise<Model>
  pull(providerId: string, name: string, signal?: AbortSignal): AsyncIterable<PullProgress>
  remove(providerId: string, name: string): Promise<void>
  copy(providerId: string, from: string, to: string): Promise<void>
  /** Whether the program behind an Ollama provider is installed here; null for one that runs elsewhere. */
  local(providerId: string): Promise<{ installed: boolean | null }>
  /** Starts it and waits until it answers. */
  start(providerId: string): Promise<void>
  /** Out of memory, not off the disk. */
  unload(providerId: string, name: string): Promise<void>
  /** Tries a provider as it would be saved. An empty or missing key means the one that is kept. */
  test(provider: Provider, key?: string, signal?: AbortSignal): Promise<ProviderState>
  /** A key of '' forgets the one that is kept. */
  saveProvider(provider: Provider, key?: string): Promise<Provider>
  removeProvider(providerId: string): Promise<void>
  /** What turns sound into text; null when nothing is set up for it, and `transcribe` says then what is needed. */
  canHear(): ModelRef | null
  transcribe(recording: Recording, options?: { signal?: AbortSignal }): Promise<Transcript>
  /** Whether sound files in folders may go to the transcription address, and what is missing when they may not. */
  hearsFolders(): { allowed: true } | { allowed: false; needed: string }
}

/** How long a good listing stays good. */
const listingMs = 10_000
const showMs = 5000
const askedForMore = 4
const askedForLength = 40

export function createModels(deps: ModelsDeps): Models {
  const { net, secrets, env, settings, tokenRates, now } = deps
  const here = { platform: deps.platform ?? platform(), env, homeDir: deps.homeDir ?? homedir() }
  const totalMemoryBytes = deps.totalMemoryBytes ?? totalmem()
  const states = new Map<string, { state: ProviderState; at: number }>()
  const ollamaMemories = new Map<string, OllamaMemory>()
  const contextLengths = new Map<string, number>()
  const openAiMemories = new Map<string, OpenAiMemory>()
  const isOffline = (): boolean => settings.read().offline
  const timeouts = () => settings.read()
  const providers = (): Provider[] => providersOf(settings.read().providers, env)

  function providerOf(providerId: string): Provider {
    const provider = providers().find((each) => each.id === providerId)
    if (provider === undefined) throw failure('provider-unknown', { provider: providerId })
    return provider
  }

  function ollama(provider: Provider): OllamaClient {
    if (provider.kind !== 'ollama') throw failure('ollama-only', { provider: provider.name })
    return createOllama({ net, address: ollamaAddress(provider.address, env), timeouts })
  }

  async function openAi(provider: Provider, key?: string): Promise<OpenAiClient> {
    return createOpenAi({ net, address: provider.address, key: await keyOf(provider, key), timeouts })
  }

  async function keyOf(provider: Provider, given?: string): Promise<string | null> {
    if (given !== undefined && given !== '') return given
    return providerKey(provider, secrets, env)
  }

  function isLocal(provider: Provider): boolean {
    try {
      const address = provider.kind === 'ollama' ? (ollamaBaseUrls(ollamaAddress(provider.address, env))[0] ?? '') : provider.address
      return net.isLoopback(address)
    } catch {
      return false
    }
  }

  async function look(provider: Provider, key?: string, signal?: AbortSignal): Promise<ProviderState> {
    try {
      if (provider.kind === 'ollama') return await ollamaState(provider, ollama(provider), isLocal(provider), signal)
      return await openAiState(provider, await openAi(provider, key), isLocal(provider), signal)
    } catch (error) {
      return failed(provider, error)
    }
  }

  async function stateOf(provider: Provider, refresh: boolean, signal?: AbortSignal): Promise<ProviderState> {
    const chosen = settings.read().chatModel
    const isAsked = refresh || chosen?.providerId === provider.id || isLocal(provider)
    const environment = environmentOf(provider, env)
    if (environment !== null && !isAsked) return notContacted(provider, environment.model)
    const known = states.get(provider.id)
    const isSame = known !== undefined && JSON.stringify(known.state.provider) === JSON.stringify(provider)
    // What did not answer is asked again each time: the user may just have started it.
    if (!refresh && isSame && known.state.reachable && now() - known.at < listingMs) return known.state
    const state = await look(provider, undefined, signal)
    states.set(provider.id, { state, at: now() })
    return state
  }

  async function mostSuitable(listed: ProviderState[], signal?: AbortSignal): Promise<Model | null> {
    for (const { provider, models } of listed) {
      if (provider.kind !== 'ollama') continue
      const order = bySuitability(models, totalMemoryBytes)
      // A listing is sometimes wrong about what a model can do, and old ones say nothing: the first few are asked.
      const known = await Promise.all(
        order.map((model, index) =>
          index >= askedForMore || (model.capabilities.includes('completion') && model.contextLength !== null)
            ? model
            : detailed(provider, model, signal),
        ),
      )
      for (const model of bySuitability(known, totalMemoryBytes)) {
        const full = known.indexOf(model) < askedForMore ? model : await detailed(provider, model, signal)
        if (full.capabilities.length === 0 || full.capabilities.includes('completion')) return full
      }
    }
    return null
  }

  async function shownModel(provider: Provider, model: Model, signal?: AbortSignal): Promise<Model> {
    const shown = await ollama(provider).show(model.ref.model, { timeoutMs: showMs, ...(signal === undefined ? {} : { signal }) })
    return {
      ...model,
      family: shown.details?.family ?? model.family,
      parameters: shown.details?.parameter_size ?? model.parameters,
      quantisation: shown.details?.quantization_level ?? model.quantisation,
      contextLength: contextLengthOf(shown.model_info) ?? model.contextLength,
      capabilities: shown.capabilities === undefined ? model.capabilities : capabilitiesOf(shown.capabilities),
      remote: model.remote || (shown.remote_host ?? '') !== '',
    }
  }

  async function detailed(provider: Provider, model: Model, signal?: AbortSignal): Promise<Model> {
    try {
      return await shownModel(provider, model, signal)
    } catch (error) {
      if (toSikuError(error).code === 'cancelled') throw error
      return model
    }
  }

  /** Older listings tell no context length: each model is asked for it once. */
  async function withContextLengths(state: ProviderState, signal?: AbortSignal): Promise<ProviderState> {
    const { provider, reachable, models } = state
    if (provider.kind !== 'ollama' || !reachable) return state
    const told = models.map(async (model, index) => {
      if (model.contextLength !== null || model.remote || index >= askedForLength) return model
      const key = `${provider.id} ${provider.address} ${model.ref.model} ${model.sizeBytes ?? ''}`
      const contextLength = contextLengths.get(key) ?? (await detailed(provider, model, signal)).contextLength
      if (contextLength !== null) contextLengths.set(key, contextLength)
      return { ...model, contextLength }
    })
    return { ...state, models: await Promise.all(told) }
  }

  async function chatModel(provider: Provider, listed: Model | null, name: string, signal?: AbortSignal): Promise<ChatModel> {
    const key = `${provider.id} ${provider.address} ${name}`
    if (provider.kind === 'ollama') {
      const bare = bareModel({ providerId: provider.id, model: name }, isCloudName(name))
      // A listing is sometimes wrong about what a model can do.
      const info = listed?.capabilities.includes('tools') === true ? listed : await detailed(provider, listed ?? bare, signal)
      const memory = remembered(ollamaMemories, key, (): OllamaMemory => ({
        limit: null,
        asked: null,
        lastCut: null,
        hasSchemas: true,
        refusesTools: false,
      }))
      return createOllamaChat({ client: ollama(provider), info, rates: tokenRates, memory, isOffline })
    }
    const info = listed ?? bareModel({ providerId: provider.id, model: name }, !isLocal(provider))
    const memory = remembered(openAiMemories, key, (): OpenAiMemory => ({ limit: null, refused: new Set(), refusesTools: false }))
    const chat = createOpenAiChat({ client: await openAi(provider), info, rates: tokenRates, memory })
    return withoutEchoedKey(chat, await keyOf(provider))
  }

  /** What was listed and learned of a provider's models no longer counts. */
  function changed(providerId: string): void {
    states.delete(providerId)
    for (const key of ollamaMemories.keys()) if (key.startsWith(`${providerId} `)) ollamaMemories.delete(key)
  }

  async function listedOf(provider: Provider, name: string, signal?: AbortSignal): Promise<Model | null> {
    // Somebody else's machine is not asked for its list before each question: what an earlier list said counts.
    const isAsked = provider.kind === 'ollama' || isLocal(provider)
    const state = isAsked ? await stateOf(provider, false, signal) : states.get(provider.id)?.state
    if (state === undefined || JSON.stringify(state.provider) !== JSON.stringify(provider)) return null
    if (provider.kind !== 'ollama') return state.models.find((model) => model.ref.model === name) ?? null
    const { models } = state
    return models.find((model) => sameModel(model.ref.model, name)) ?? null
  }

  return {
    async state({ refresh = false, signal } = {}) {
      const listed = await Promise.all(providers().map((provider) => stateOf(provider, refresh, signal)))
      const chosen = settings.read().chatModel
      const effective = chosen ?? (await mostSuitable(listed, signal))?.ref ?? null
      const told = await Promise.all(listed.map((each) => withContextLengths(each, signal)))
      return { providers: told, chosen, effective }
    },
    async resolve(ref, signal) {
      if (ref === null) return null
      const wanted = ref ?? settings.read().chatModel
      if (wanted !== null) {
        const provider = providerOf(wanted.providerId)
        return chatModel(provider, await listedOf(provider, wanted.model, signal), wanted.model, signal)
      }
      const local = providers().filter((provider) => provider.kind === 'ollama')
      const best = await mostSuitable(await Promise.all(local.map((provider) => stateOf(provider, false, signal))), signal)
      return best === null ? null : chatModel(providerOf(best.ref.providerId), best, best.ref.model, signal)
    },
    whyNone: () =>
      noModelError(
        providers(),
        providers().flatMap(({ id }) => states.get(id)?.state ?? []),
      ),
    async local(providerId) {
      const provider = providerOf(providerId)
      if (provider.kind !== 'ollama' || !isLocal(provider)) return { installed: null }
      return { installed: (await findOllama(here)) !== null }
    },
    async start(providerId) {
      const provider = providerOf(providerId)
      if (provider.kind !== 'ollama' || !isLocal(provider)) throw failure('not-this-computer', { provider: provider.name })
      const [address = ''] = ollamaBaseUrls(ollamaAddress(provider.address, env))
      await startOllama({ ...here, host: new URL(address).host, answers: async () => (await look(provider)).reachable })
    },
    async show(providerId, name, signal) {
      const provider = providerOf(providerId)
      const listed = await listedOf(provider, name, signal)
      return shownModel(provider, listed ?? bareModel({ providerId, model: name }, isCloudName(name)), signal)
    },
    async *pull(providerId, name, signal) {
      const provider = providerOf(providerId)
      // Ollama fetches it, so that nothing of ours goes out: the switch counts all the same.
      if (isOffline()) throw failure('pull-offline')
      yield* ollama(provider).pull(name, signal === undefined ? {} : { signal })
      changed(providerId)
    },
    async remove(providerId, name) {
      await ollama(providerOf(providerId)).remove(name)
      changed(providerId)
    },
    async copy(providerId, from, to) {
      await ollama(providerOf(providerId)).copy(from, to)
      changed(providerId)
    },
    async unload(providerId, name) {
      await ollama(providerOf(providerId)).unload(name)
      changed(providerId)
    },
    test: (provider, key, signal) => look(provider, key, signal),
    async saveProvider(provider, key) {
      if (isEnvironmentId(provider.id)) throw new SikuError('bad-input', 'This provider comes from the environment.')
      checkAddress(provider, env)
      if (key === '') await secrets.remove(providerKeyName(provider.id))
      else if (key !== undefined) await secrets.set(providerKeyName(provider.id), key)
      const hasKey = (await secrets.get(providerKeyName(provider.id))) !== null
      const saved: Provider = { ...provider, hasKey }
      const others = settings.read().providers
      const at = others.findIndex((each) => each.id === provider.id)
      await settings.patch({ providers: at === -1 ? [...others, saved] : others.with(at, saved) })
      states.delete(provider.id)
      return saved
    },
    async removeProvider(providerId) {
      const { providers: saved, chatModel: chosen } = settings.read()
      await settings.patch({
        providers: saved.filter((provider) => provider.id !== providerId),
        ...(chosen?.providerId === providerId ? { chatModel: null } : {}),
      })
      await secrets.remove(providerKeyName(providerId))
      states.delete(providerId)
    },
    canHear: () => settings.read().transcription,
    hearsFolders: () => hearsFolders(settings.read(), providers(), isLocal),
    async transcribe(recording, { signal } = {}) {
      const ref = settings.read().transcription
      if (ref === null) throw cannotHear()
      const provider = providerOf(ref.providerId)
      if (provider.kind !== 'openai') throw new SikuError('unsupported', `${provider.name} cannot turn sound into text.`)
      return transcribe(await openAi(provider), ref, recording, signal)
    },
  }
}

function remembered<T>(memories: Map<string, T>, key: string, make: () => T): T {
  const known = memories.get(key)
  if (known !== undefined) return known
  const made = make()
  memories.set(key, made)
  return made
}
