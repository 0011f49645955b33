import { implement, ORPCError } from '@orpc/server'
import { contract } from '../../src/contract/contract.ts'
import type { ModelsState } from '../../src/contract/models.ts'
import type { Settings } from '../../src/contract/settings.ts'
import type { Scenario } from './fake-library.ts'

const gigabyte = 1_000_000_000

const done = { done: true as const }

/** How far the Ollama of this computer is. */
export type Engine = 'not-installed' | 'stopped' | 'no-model' | 'small' | 'good'

export function engineOf(scenario: Scenario): Engine {
  return scenario === 'broken' ? 'stopped' : scenario === 'empty' ? 'not-installed' : 'good'
}

interface Changes {
  engine: Engine
  copies: string[]
  unloaded: ReadonlySet<string>
}

export function modelsState(scenario: Scenario, settings: Settings, { engine, copies, unloaded }: Changes): ModelsState {
  const reachable = engine !== 'not-installed' && engine !== 'stopped'
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
  const small = [model('qwen3:0.6b', 0.5, '0.6B', ['tools'], true)]
  const good = [
    model('qwen3:4b', 2.6, '4.0B', ['tools', 'thinking'], true),
    model('gemma3:12b', 8.1, '12.2B', ['vision']),
    model('llama3.2:3b', 2, '3.2B', ['tools']),
    ...copies.map((name) => model(name, 2, '3.2B', ['tools'])),
  ]
  const models = engine === 'no-model' ? [] : engine === 'small' ? small : good
  const first = models[0]?.ref ?? null
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
    effective: reachable ? (settings.chatModel ?? first) : null,
    embedding: { key: 'multilingual-e5-small', dimensions: 384, state: 'ready', error: null },
  }
}

export interface FakeModels {
  scenario: Scenario
  settings: { read(): Settings; patch(patch: Partial<Settings>): void }
  fast: boolean
  /** A model that is fetched stays half-way until it is stopped. */
  still: boolean
  engine: Engine
}

/** The calls of models, answered from memory. */
export function createModelCalls({ scenario, settings, fast, still, engine: before }: FakeModels) {
  let engine = before
  const os = implement(contract)
  const copies: string[] = []
  const unloaded = new Set<string>()
  const state = () => modelsState(scenario, settings.read(), { engine, copies, unloaded })
  return {
    state: os.models.state.handler(() => state()),
    choose: os.models.choose.handler(({ input }) => {
      settings.patch({ chatModel: input.ref })
      return state()
    }),
    pull: os.models.pull.handler(async function* ({ input, signal }) {
      if (input.name.includes('missing'))
        throw new ORPCError('not-found', { message: `pull model manifest: file does not exist`, data: { retryable: false } })
      for (let part = 0; part <= 40 && signal?.aborted !== true; part += 1) {
        yield {
          type: 'pull-progress' as const,
          status: part === 0 ? 'pulling manifest' : 'pulling 3e4cb1417446',
          completedBytes: part * 62_500_000,
          totalBytes: 40 * 62_500_000,
        }
        if (still && part === 17) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        await new Promise((resolve) => setTimeout(resolve, fast ? 5 : 250))
      }
      engine = 'good'
      yield { type: 'pull-progress' as const, status: 'success', completedBytes: null, totalBytes: null }
    }),
    remove: os.models.remove.handler(() => done),
    show: os.models.show.handler(({ input }) => {
      const model = state()
        .providers.flatMap((each) => each.models)
        .find((each) => each.ref.model === input.name)
      if (model === undefined) throw new ORPCError('not-found', { message: input.name, data: { retryable: false } })
      return model
    }),
    copy: os.models.copy.handler(({ input }) => {
      copies.push(input.to)
      return done
    }),
    local: os.models.local.handler(() => ({ installed: engine !== 'not-installed' })),
    start: os.models.start.handler(async () => {
      await new Promise((resolve) => setTimeout(resolve, fast ? 20 : 1500))
      engine = 'no-model'
      return state()
    }),
    unload: os.models.unload.handler(({ input }) => {
      unloaded.add(input.name)
      return done
    }),
  }
}
