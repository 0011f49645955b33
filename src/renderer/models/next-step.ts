import type { ModelRef, ProviderState } from '../../contract/models.ts'
import { fittingModel, type SuggestedModel } from '../../contract/suggested-models.ts'
import { canChat } from '../state/models.ts'

export type NextStep = { kind: 'install' | 'start' } | { kind: 'pull' | 'larger'; model: SuggestedModel }

interface Around {
  /** Whether the program is on this computer; null for another computer's, undefined until it is known. */
  installed: boolean | null | undefined
  memoryBytes: number | undefined
  effective: ModelRef | null
}

/** A model this much smaller than the one that fits answers noticeably worse. */
const muchSmaller = 0.6

/** What would bring an Ollama that is not there, does not run, has no model or only a small one, to a good answer. */
export function nextStep(state: ProviderState, { installed, memoryBytes, effective }: Around): NextStep | null {
  const { provider, reachable, error, models } = state
  if (provider.kind !== 'ollama') return null
  if (!reachable) {
    if (error !== null && !['model-unreachable', 'network', 'timeout'].includes(error.code)) return null
    return typeof installed === 'boolean' ? { kind: installed ? 'start' : 'install' } : null
  }
  if (memoryBytes === undefined) return null
  const model = fittingModel(memoryBytes)
  const local = models.filter((each) => canChat(each) && !each.remote)
  if (local.length === 0) return { kind: 'pull', model }
  const answering = local.find((each) => each.ref.model === effective?.model && effective.providerId === provider.id)
  const largest = Math.max(...local.map((each) => each.sizeBytes ?? Infinity))
  if (answering === undefined || largest >= model.sizeBytes * muchSmaller) return null
  return { kind: 'larger', model }
}
