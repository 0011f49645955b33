import { settingsSchema, type Settings, type SettingsPatch } from '../../src/contract/settings.ts'
import { createModels, type ChatModel, type ChatRequest, type ModelEvent } from '../../src/core/models/models.ts'
import { createNet } from '../../src/core/net/net.ts'

/** Real models over a real net, with settings, keys and token rates in memory. */
export function makeModels(change: Partial<Settings> = {}, env: Record<string, string> = {}) {
  let settings = settingsSchema.parse({ connectTimeoutMs: 2000, idleTimeoutMs: 5000, ...change })
  const keys = new Map<string, string>()
  const rates = new Map<string, { characters: number; tokens: number }>()
  const contacts: string[] = []
  const net = createNet({
    fetch: globalThis.fetch,
    now: Date.now,
    env,
    isOffline: () => settings.offline,
    note: ({ host }) => contacts.push(host),
  })
  const models = createModels({
    net,
    env,
    now: Date.now,
    totalMemoryBytes: 16e9,
    secrets: {
      kind: 'owner-file',
      get: (name) => Promise.resolve(keys.get(name) ?? null),
      set: (name, value) => Promise.resolve(void keys.set(name, value)),
      remove: (name) => Promise.resolve(void keys.delete(name)),
    },
    settings: {
      read: () => settings,
      patch: (patch: SettingsPatch) => Promise.resolve((settings = settingsSchema.parse({ ...settings, ...patch }))),
    },
    tokenRates: {
      read: (name) => rates.get(name) ?? null,
      learn: (name, characters, tokens) => {
        const known = rates.get(name) ?? { characters: 0, tokens: 0 }
        rates.set(name, { characters: known.characters + characters, tokens: known.tokens + tokens })
        return Promise.resolve()
      },
    },
  })
  return {
    models,
    net,
    keys,
    close: () => net.close(),
    contacts,
    settings: () => settings,
    patch: (patch: Partial<Settings>) => (settings = { ...settings, ...patch }),
  }
}

export interface Heard {
  text: string
  thinking: string
  last: ModelEvent | undefined
  events: ModelEvent[]
}

export async function hear(
  model: ChatModel,
  content = 'hello',
  signal = new AbortController().signal,
  more: Partial<ChatRequest> = {},
): Promise<Heard> {
  const heard: Heard = { text: '', thinking: '', last: undefined, events: [] }
  const request = {
    messages: [{ role: 'user' as const, content }],
    temperature: 0.1,
    maxTokens: 512,
    promptTokens: model.estimateTokens(content),
    ...more,
  }
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text-delta') heard.text += event.text
    if (event.type === 'thinking-delta') heard.thinking += event.text
    heard.events.push(event)
    heard.last = event
  }
  return heard
}
