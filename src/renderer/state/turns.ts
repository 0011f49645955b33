import { create, createStore, useStore, type StoreApi } from 'zustand'
import type { TurnView } from '../ask/turn-view.ts'

/** Each turn is a store of its own, so that a word that comes is work for its turn alone, however long the chat. */
const stores = new Map<string, StoreApi<TurnView>>()
const nothing = createStore<TurnView | null>(() => null)

/** The turns that are being written. */
export const useRunning = create<{ ids: string[] }>(() => ({ ids: [] }))

export function readTurn(id: string): TurnView | undefined {
  return stores.get(id)?.getState()
}

export function putTurn(view: TurnView): void {
  const store = stores.get(view.id)
  if (store === undefined)
    stores.set(
      view.id,
      createStore<TurnView>(() => view),
    )
  else store.setState(view, true)
  const { ids } = useRunning.getState()
  if (view.running !== ids.includes(view.id)) {
    useRunning.setState({ ids: view.running ? [...ids, view.id] : ids.filter((id) => id !== view.id) })
  }
}

export function dropTurn(id: string): void {
  stores.delete(id)
  const { ids } = useRunning.getState()
  if (ids.includes(id)) useRunning.setState({ ids: ids.filter((each) => each !== id) })
}

/** Forgets all turns and gives back what they were. */
export function dropTurns(): TurnView[] {
  const views = [...stores.values()].map((store) => store.getState())
  stores.clear()
  useRunning.setState({ ids: [] })
  return views
}

export function useTurn(id: string): TurnView | null {
  return useStore<StoreApi<TurnView | null>>((stores.get(id) as StoreApi<TurnView | null> | undefined) ?? nothing)
}
