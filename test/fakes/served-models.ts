import type { ChatModel } from '../../src/core/models/models.ts'
import { makeModels } from './models.ts'
import { startOllama, type OllamaServerOptions } from './ollama-server.ts'
import { startOpenAi, type OpenAiServerOptions } from './openai-server.ts'

type Made = ReturnType<typeof makeModels>

/** Models of fake servers, one provider (“own”) each. `close` ends all of them and fails for what was not scripted. */
export function servedModels() {
  const open: { close(): Promise<unknown> }[] = []

  function kept<T extends { close(): Promise<unknown> }>(thing: T): T {
    open.push(thing)
    return thing
  }

  async function resolved(made: Made, model: string): Promise<ChatModel> {
    const found = await made.models.resolve({ providerId: 'own', model })
    if (found === null) throw new Error('no model')
    return found
  }

  return {
    resolved,
    async withOllama(options: OllamaServerOptions = {}) {
      const server = kept(await startOllama(options))
      const made = kept(makeModels({ providers: [{ id: 'own', kind: 'ollama', name: 'Own', address: server.url, hasKey: false }] }))
      return { server, model: await resolved(made, 'qwen-fake:4b'), made }
    },
    async withOpenAi(options: OpenAiServerOptions = {}, name = 'gpt-fake') {
      const server = kept(await startOpenAi(options))
      const made = kept(makeModels({ providers: [{ id: 'own', kind: 'openai', name: 'Own', address: server.base, hasKey: false }] }))
      return { server, model: await resolved(made, name), made }
    },
    async close() {
      await Promise.all(open.splice(0).map((each) => each.close()))
    },
  }
}
