import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Model, ModelRef, ModelsState } from '../../contract/models.ts'
import { client } from '../client.ts'
import { problemOf } from '../problem.ts'
import { reportProblem } from './toasts.ts'

interface State {
  state: ModelsState | null
  loading: boolean
  problem: ErrorValue | null
}
export const useModels = create<State>(() => ({ state: null, loading: false, problem: null }))

export async function loadModels(refresh = false): Promise<void> {
  useModels.setState({ loading: true })
  try {
    useModels.setState({ state: await client.models.state({ refresh }), problem: null })
  } catch (error) {
    useModels.setState({ problem: problemOf(error) })
  } finally {
    useModels.setState({ loading: false })
  }
}

export async function chooseModel(ref: ModelRef | null): Promise<void> {
  try {
    useModels.setState({ state: await client.models.choose({ ref }) })
  } catch (error) {
    reportProblem(error)
  }
}

export function sameModel(one: ModelRef | null | undefined, other: ModelRef | null | undefined): boolean {
  return one?.providerId === other?.providerId && one?.model === other?.model
}

export function canChat(model: Model): boolean {
  return model.capabilities.length === 0 || model.capabilities.includes('completion')
}

/** True when what answers leaves this machine. */
export function isRemote(state: ModelsState | null, ref: ModelRef): boolean {
  const provider = state?.providers.find((each) => each.provider.id === ref.providerId)
  if (provider === undefined) return false
  if (provider.models.some((model) => model.ref.model === ref.model && model.remote)) return true
  return isAway(provider.provider.address)
}

/** True for an address on another machine. */
export function isAway(address: string): boolean {
  const host = hostOf(address)
  return host !== null && !/^(localhost|127\.|0\.0\.0\.0|\[?::1?\]?$)/i.test(host)
}

function hostOf(address: string): string | null {
  if (address === '') return null
  const url = URL.parse(address.includes('://') ? address : `http://${address}`)
  return url?.hostname ?? null
}
