import { create } from 'zustand'

/** The dialogs that are open, the topmost last: what lies behind them cannot be reached. */
export const useOpenDialogs = create<{ ids: string[] }>(() => ({ ids: [] }))

/** Notes that a dialog is open; the function that is returned notes that it is closed. */
export function noteDialog(id: string): () => void {
  useOpenDialogs.setState(({ ids }) => ({ ids: [...ids, id] }))
  return () => useOpenDialogs.setState(({ ids }) => ({ ids: ids.filter((each) => each !== id) }))
}
