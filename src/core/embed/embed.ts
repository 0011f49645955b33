import type { EmbeddingChoice } from '../../contract/settings.ts'
import type { CoreDeps } from '../deps.ts'
import type { Net } from '../net/net.ts'
import { createBuiltInEmbedder } from './built-in.ts'
import type { Embedder } from './embedder.ts'
import { createOllamaEmbedder } from './ollama-embedder.ts'
import { createOpenAiEmbedder } from './openai-embedder.ts'

export type { Embedder, EmbeddingModel } from './embedder.ts'
export { loadTokenizer, tokenizerKey, type Tokenizer } from './tokenizer.ts'
export { cosine } from './vectors.ts'

export interface EmbedContext {
  deps: Pick<CoreDeps, 'resourcesDir' | 'startProcess' | 'workerUrl' | 'log'>
  net: Net
  /** Asked at each request, so that changed settings count at once. */
  timeouts: () => { connectTimeoutMs: number; idleTimeoutMs: number }
  /** The provider that the choice names, with its key; left out for the built-in model. */
  provider?: { address: string; key: string | null }
  /** How long the built-in model's process stays without work. */
  idleMs?: number
}

/** One type over the three ways from text to vectors. Nothing is started or asked before it is used. */
export function createEmbedder(choice: EmbeddingChoice, context: EmbedContext): Embedder {
  const { net, timeouts, provider } = context
  switch (choice.kind) {
    case 'built-in':
      return createBuiltInEmbedder(context)
    case 'ollama':
      return createOllamaEmbedder({ net, timeouts, address: provider?.address ?? '', model: choice.model })
    case 'openai':
      return createOpenAiEmbedder({ net, timeouts, address: provider?.address ?? '', key: provider?.key ?? null, ...choice })
  }
}
