import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import type { Model, ModelRef, ModelsState } from '../../contract/models.ts'
import { client } from '../client.ts'
import { pause } from '../follow.ts'
import { Requests } from '../parts/refresher.ts'
import { problemOf } from '../problem.ts'
import { reportProblem } from './toasts.ts'

interface State {
  state: ModelsState | null
  loading: boolean
  problem: ErrorValue | null
}
export const useModels = create<State>(() => ({ state: null, loading: false, problem: null }))

const requests = new Requests()

export async function loadModels(refresh = false): Promise<void> {
  const isNewest = requests.begin()
  useModels.setState({ loading: true })
  try {
    const state = await client.models.state({ refresh })
    if (isNewest()) useModels.setState({ state, problem: null })
  } catch (error) {
    if (isNewest()) useModels.setState({ problem: problemOf(error) })
  } finally {
    useModels.setState({ loading: false })
  }
}

const lookAgainMs = 15_000

/** While no model answers one may be started beside Siku: it is looked for again while the window is seen, and when it is come back to. */
export async function watchModels(signal: AbortSignal): Promise<void> {
  function look() {
    const { state, loading } = useModels.getState()
    if (state !== null && state.effective === null && !loading && document.visibilityState === 'visible') void findModels()
  }
  window.addEventListener('focus', look, { signal })
  while (!signal.aborted) {
    await pause(lookAgainMs, signal)
    if (!signal.aborted) look()
  }
}

/** Quietly: nothing shows that it is looked, and a failure leaves what is known. */
async function findModels(): Promise<void> {
  const isNewest = requests.begin()
  const found = await client.models.state({ refresh: true }).catch(() => null)
  if (found !== null && isNewest()) useModels.setState({ state: found, problem: null })
}

export async function chooseModel(ref: ModelRef | null): Promise<void> {
  const isNewest = requests.begin()
  try {
    const state = await client.models.choose({ ref })
    if (isNewest()) useModels.setState({ state })
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
