import { SikuError } from '../contract/errors.ts'
import type { Model, ModelRef, ProviderState } from '../contract/models.ts'
import type { SharedCore } from '../server/server.ts'
import type { Words } from './words.ts'

/** `--model NAME`: as a provider offers it, with or without its provider (`ollama/qwen3:8b`) and the tag "latest". */
export async function modelNamed(client: SharedCore['client'], name: string, words: Words, signal: AbortSignal): Promise<ModelRef> {
  const { providers: known } = await client.models.state({ refresh: false }, { signal })
  const listed = offered(known, name)
  if (listed !== null) return listed.ref
  const named = unlisted(known, name)
  if (named !== null) return named
  // One that nobody asked for yet is asked now: this may be a model of its.
  const { providers } = await client.models.state({ refresh: true }, { signal })
  const found = offered(providers, name)?.ref ?? unlisted(providers, name)
  if (found === null) throw notOffered(providers, name, words)
  return found
}

export function offered(providers: ProviderState[], name: string): Model | null {
  const models = providers.flatMap((provider) => provider.models)
  return (
    [name, `${name}:latest`]
      .flatMap((wanted) => models.filter(({ ref }) => ref.model === wanted || `${ref.providerId}/${ref.model}` === wanted))
      .at(0) ?? null
  )
}

/** A provider that answers and cannot list its models, or was not asked for its list, may still have the one that is named with it. */
function unlisted(providers: ProviderState[], name: string): ModelRef | null {
  const silent = providers.find(
    ({ provider, reachable, models }) => name.startsWith(`${provider.id}/`) && (!reachable || models.length === 0),
  )
  return silent === undefined ? null : { providerId: silent.provider.id, model: name.slice(silent.provider.id.length + 1) }
}

/** Why no provider offers it: those that could not be asked may have it, and the reason is theirs. */
export function notOffered(providers: ProviderState[], name: string, words: Words): SikuError {
  const problems = providers.flatMap(({ error }) => error ?? [])
  const first = problems.find(({ code }) => code === 'model-config') ?? problems[0]
  if (first === undefined) return new SikuError('not-found', words.noSuchModel(name), { hint: words.listModels })
  const answering = providers.filter(({ reachable }) => reachable).map(({ provider }) => provider.name)
  const said = [
    answering.length === 0 ? words.cannotLookUpModel(name) : words.notAmongAnswering(name, answering.join(', ')),
    ...problems.map(({ message }) => message),
  ]
  const hints = new Set([first, ...problems].flatMap(({ hint }) => hint ?? []))
  return SikuError.fromValue({ ...first, message: said.join(' '), ...(hints.size === 0 ? {} : { hint: [...hints].join(' ') }) })
}
