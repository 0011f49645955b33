import type { Provider } from '../../contract/models.ts'
import { providerEntries, type ProviderEntry } from '../../contract/provider-entries.ts'

export type Env = Readonly<Record<string, string | undefined>>

const suffix = '-environment'

export function isEnvironmentId(id: string): boolean {
  return entryOf(id) !== undefined
}

function entryOf(id: string): ProviderEntry | undefined {
  return id.endsWith(suffix) ? providerEntries.find((entry) => `${entry.id}${suffix}` === id) : undefined
}

function keyIn(entry: ProviderEntry, env: Env): string | null {
  const values = entry.env.keys.map((name) => env[name]?.trim() ?? '')
  return values.find((value) => value !== '') ?? null
}

function named(name: string | undefined, env: Env): string {
  return name === undefined ? '' : (env[name]?.trim() ?? '')
}

/** A provider for each key that the environment holds; OpenAI's also for an address alone. */
function environmentProviders(env: Env): Provider[] {
  return providerEntries.flatMap((entry) => {
    const hasKey = keyIn(entry, env) !== null
    const base = named(entry.env.address, env)
    if (!hasKey && (entry.id !== 'openai' || base === '')) return []
    // The variables of OpenAI are used for any server that speaks its language.
    const name = entry.id === 'openai' ? 'OpenAI-compatible' : entry.name
    return [
      { id: `${entry.id}${suffix}`, kind: 'openai', name: `${name} (environment)`, address: base === '' ? entry.address : base, hasKey },
    ]
  })
}

/** Null for a provider that is not the environment's. */
export function environmentOf(provider: Pick<Provider, 'id'>, env: Env): { key: string | null; model: string | undefined } | null {
  const entry = entryOf(provider.id)
  return entry === undefined ? null : { key: keyIn(entry, env), model: named(entry.env.model, env) || undefined }
}

/** The providers of the settings, and those that the environment names. */
export function providersOf(settings: Provider[], env: Env): Provider[] {
  const known = new Set(settings.map(({ id }) => id))
  return [...settings, ...environmentProviders(env).filter(({ id }) => !known.has(id))]
}
