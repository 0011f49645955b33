import type { Net } from '../net/net.ts'
import { createOpenAi } from '../openai/openai.ts'
import type { Embedder } from './embedder.ts'
import { createRemoteEmbedder } from './remote.ts'

export interface OpenAiEmbedderOptions {
  net: Net
  /** The provider's base, with /v1, /v4 or whatever it ends in. */
  address: string
  key: string | null
  model: string
  /** Asked of models that can make shorter vectors. */
  dimensions?: number
  timeouts: () => { connectTimeoutMs: number; idleTimeoutMs: number }
  retryWaitsMs?: number[]
}

/** No listing says how long a text may be: what is too long is refused and found by halving. */
const usualWindow = 8192

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, retryWaitsMs } = options
  const client = createOpenAi(options)
  return createRemoteEmbedder({
    batchSize: 64,
    retryWaitsMs,
    embed: (texts, signal) => client.embed({ model, input: texts, dimensions }, { signal }),
    describe: async () => ({ key: `openai/${model}@${new URL(client.address).host}`, maxTokens: usualWindow }),
  })
}
