import type { ModelsState } from '../contract/models.ts'
import { type ErrorValue, SikuError, toSikuError } from '../contract/errors.ts'
import type { EmbeddingChoice, Settings } from '../contract/settings.ts'
import type { CoreDeps } from './deps.ts'
import { createEmbedder, type Embedder, type EmbeddingModel } from './embed/embed.ts'
import { providerKey, providersOf } from './models/models.ts'
import type { Net } from './net/net.ts'
import { ollamaAddress } from './ollama/ollama.ts'
import type { Store } from './store/store.ts'

export interface Embedding {
  /** The embedder of the settings as they are now. */
  current: () => Embedder
  /** After the settings changed. True when another embedder took over. */
  refresh(): Promise<boolean>
  state(): ModelsState['embedding']
  close(): Promise<void>
}

interface Taken {
  /** What it was made from: another source is another embedder. */
  source: string
  name: string
  embedder: Embedder
}

/** Holds the one embedder in use and replaces it when the choice, its address or its key changes. */
export async function createEmbedding({ deps, net, store }: { deps: CoreDeps; net: Net; store: Store }): Promise<Embedding> {
  let opened: EmbeddingModel | null = null
  let failure: ErrorValue | null = null

  function watched(embedder: Embedder): Embedder {
    return {
      ...embedder,
      open: async (signal) => {
        try {
          opened = await embedder.open(signal)
          failure = null
          return opened
        } catch (error) {
          const known = toSikuError(error)
          if (known.code !== 'cancelled') failure = known.toValue()
          throw error
        }
      },
    }
  }

  async function take(settings: Settings): Promise<Taken> {
    const choice = settings.embedding
    const provider = await providerFor(choice, settings)
    const embedder = createEmbedder(choice, {
      deps,
      net,
      timeouts: () => store.settings.read(),
      ...(provider === null ? {} : { provider }),
    })
    const name = choice.kind === 'built-in' ? 'built-in/multilingual-e5-small' : `${choice.kind}/${choice.model}`
    return { source: JSON.stringify([choice, provider]), name, embedder: watched(embedder) }
  }

  async function providerFor(choice: EmbeddingChoice, settings: Settings): Promise<{ address: string; key: string | null } | null> {
    if (choice.kind === 'built-in') return null
    const provider = providersOf(settings.providers, deps.env).find((each) => each.id === choice.providerId)
    if (provider === undefined) {
      throw new SikuError('model-config', `The provider “${choice.providerId}” of the embedding model is not set up.`, {
        hint: 'Choose the embedding model again in Settings.',
      })
    }
    const address = provider.kind === 'ollama' ? ollamaAddress(provider.address, deps.env) : provider.address
    return { address, key: await providerKey(provider, deps.secrets, deps.env) }
  }

  async function takeOrFallBack(settings: Settings): Promise<Taken> {
    try {
      return await take(settings)
    } catch (error) {
      failure = toSikuError(error).toValue()
      deps.log('warn', 'the chosen embedding model cannot be used', { error: failure.message })
      return take({ ...settings, embedding: { kind: 'built-in' } })
    }
  }

  let taken = await takeOrFallBack(store.settings.read())

  return {
    current: () => taken.embedder,
    async refresh() {
      const next = await takeOrFallBack(store.settings.read())
      if (next.source === taken.source) {
        await next.embedder.close()
        return false
      }
      const previous = taken
      taken = next
      opened = null
      await previous.embedder.close()
      return true
    },
    state: () => ({
      key: opened?.key ?? taken.name,
      dimensions: opened?.dimensions ?? null,
      state: failure !== null ? 'failed' : opened === null ? 'loading' : 'ready',
      error: failure,
    }),
    close: () => taken.embedder.close(),
  }
}
