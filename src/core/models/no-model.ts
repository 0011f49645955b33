import { failure, SikuError } from '../../contract/errors.ts'
import type { Provider, ProviderState } from '../../contract/models.ts'

/** Why none of the providers that a model is chosen from by itself, which are Ollama's, has one. `all`: those that are set up. */
export function noModelError(all: Provider[], listed: ProviderState[]): SikuError {
  const why = whyNone(listed)
  const others = all.filter(({ kind }) => kind !== 'ollama').map(({ name }) => name)
  if (others.length === 0) return why
  const message = `${why.message} Of ${others.join(', ')} a model is used when it is chosen or named.`
  return SikuError.fromValue({ ...why.toValue(), message, hint: `${why.hint ?? ''} Or name one: siku agent --model NAME`.trim() })
}

function whyNone(listed: ProviderState[]): SikuError {
  const own = listed.filter(({ provider }) => provider.kind === 'ollama')
  const problems = own.flatMap(({ error }) => error ?? [])
  // What only the user can mend goes before what may pass.
  const first = problems.find(({ code }) => code === 'model-config') ?? problems[0]
  if (first !== undefined) {
    const said = [first, ...problems.filter((each) => each !== first)].map(({ message }) => message)
    return SikuError.fromValue({ ...first, message: said.join(' ') })
  }
  if (own.length === 0) return failure('no-ollama')
  const names = own.map(({ provider }) => provider.name).join(', ')
  return failure('no-chat-model', { names })
}
