import type { ModelsState } from '../../src/contract/models.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { Scenario } from './fake-library.ts'

const gigabyte = 1_000_000_000

interface Changes {
  copies: string[]
  unloaded: ReadonlySet<string>
}

export function modelsState(scenario: Scenario, settings: Settings, { copies, unloaded }: Changes): ModelsState {
  const reachable = scenario !== 'broken' && scenario !== 'empty'
  const model = (name: string, size: number, parameters: string, more: string[], loaded = false) => ({
    ref: { providerId: 'ollama', model: name },
    sizeBytes: size * gigabyte,
    family: name.split(':')[0] ?? null,
    parameters,
    quantisation: 'Q4_K_M',
    contextLength: 40_960,
    capabilities: ['completion', ...more] as ('completion' | 'tools' | 'vision' | 'thinking')[],
    loaded: loaded && !unloaded.has(name),
    loadedBytes: loaded && !unloaded.has(name) ? size * gigabyte : null,
    remote: false,
  })
  const models = [
    model('qwen3:4b', 2.6, '4.0B', ['tools', 'thinking'], true),
    model('gemma3:12b', 8.1, '12.2B', ['vision']),
    model('llama3.2:3b', 2, '3.2B', ['tools']),
    ...copies.map((name) => model(name, 2, '3.2B', ['tools'])),
  ]
  return {
    providers: settings.providers.map((provider) => {
      const own = provider.kind === 'ollama'
      const fine = own && reachable
      return {
        provider,
        reachable: fine,
        version: fine ? '0.11.4' : null,
        advice:
          fine && scenario === 'busy'
            ? 'Ollama 0.11.4 lacks tool calls while streaming. Update it to 0.12 or later from ollama.com.'
            : null,
        error: fine
          ? null
          : {
              code: own ? 'model-unreachable' : 'model-config',
              message: own ? 'connect ECONNREFUSED 127.0.0.1:11434' : '401 Unauthorized',
              retryable: own,
            },
        models: fine ? models : [],
      }
    }),
    chosen: settings.chatModel,
    effective: reachable ? (settings.chatModel ?? { providerId: 'ollama', model: 'qwen3:4b' }) : null,
    embedding: { key: 'multilingual-e5-small', dimensions: 384, state: 'ready', error: null },
  }
}
