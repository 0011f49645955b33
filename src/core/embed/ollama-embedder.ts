import { SikuError } from '../../contract/errors.ts'
import type { Net } from '../net/net.ts'
import { createOllama } from '../ollama/ollama.ts'
import type { Embedder } from './embedder.ts'
import { createRemoteEmbedder } from './remote.ts'

export interface OllamaEmbedderOptions {
  net: Net
  /** In any OLLAMA_HOST form; empty: the usual one. */
  address: string
  model: string
  timeouts: () => { connectTimeoutMs: number; idleTimeoutMs: number }
  retryWaitsMs?: number[]
}

export function createOllamaEmbedder(options: OllamaEmbedderOptions): Embedder {
  const { model, retryWaitsMs } = options
  const ollama = createOllama(options)
  return createRemoteEmbedder({
    batchSize: 32,
    retryWaitsMs,
    embed: (texts, signal) => ollama.embed({ model, input: texts }, { signal }),
    async describe(signal) {
      const tags = await ollama.tags({ signal })
      const tag = tags.find(({ name }) => name === model || name === `${model}:latest`)
      if (tag?.remote_host !== undefined || /[-:]cloud$/.test(model)) {
        throw new SikuError('model-config', `The model ${model} runs on somebody else’s machine.`, {
          hint: 'Choose a local embedding model.',
        })
      }
      const { model_info: info = {} } = await ollama.show(model, { signal })
      const window = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]
      // The same name may come to mean other weights: their digest tells.
      const digest = tag?.digest.replace(/^sha256:/, '').slice(0, 12) ?? ''
      return { key: `ollama/${model}@${digest}`, maxTokens: typeof window === 'number' ? window : 512 }
    },
  })
}
