import type { ModelsState, Provider } from '../contract/models.ts'
import { SikuError } from '../contract/errors.ts'

/** The provider that `--provider` names, else the only Ollama: models are pulled and removed there. */
export function providerFor(state: ModelsState, said: string | undefined): Provider {
  const providers = state.providers.map(({ provider }) => provider)
  const found =
    said === undefined ? providers.find(({ kind }) => kind === 'ollama') : providers.find(({ id, name }) => id === said || name === said)
  if (found !== undefined) return found
  throw new SikuError('not-found', said === undefined ? 'There is no Ollama provider.' : `There is no provider "${said}".`, {
    hint: 'List them with: siku models',
  })
}
