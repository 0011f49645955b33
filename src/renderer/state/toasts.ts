import { create } from 'zustand'
import type { ErrorValue } from '../../contract/errors.ts'
import { problemOf } from '../problem.ts'
import { i18next } from '../words/words.ts'
import { useOpenDialogs } from './dialogs.ts'

export interface Toast {
  id: number
  /** The dialog that was open when it came; null for the page. */
  within: string | null
  text: string
  /** Tells of something that did not work. */
  bad?: boolean
  problem?: ErrorValue
  action?: { label: string; run: () => void }
  /** `action` brings back what was removed. */
  undo?: boolean
}

export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))
let lastId = 0
let lastUndo: Toast | null = null

export function runToast({ id, action }: Pick<Toast, 'id' | 'action'>): void {
  if (lastUndo?.id === id) lastUndo = null
  dismissToast(id)
  action?.run()
}

let removing: Promise<unknown> = Promise.resolve()

/** Removes, says so, and offers to bring back. Fails as `remove` does. */
export async function removeWithUndo(remove: () => Promise<unknown>, text: string, bringBack: () => void): Promise<void> {
  const removal = remove().then(() => showToast({ text, undo: true, action: { label: i18next.t('common.undo'), run: bringBack } }))
  removing = Promise.allSettled([removing, removal])
  await removal
}

/** Brings back what was removed last, also when its message is gone, or when it is only now being removed. */
export async function undoLast(): Promise<void> {
  await removing
  if (lastUndo !== null) runToast(lastUndo)
}

/** Those of the strip at the foot, and of a dialog's: what is pointed at, or holds the focus, is being read. */
const strips = '[data-toasts]'
const lookAgainMs = 2_000

/** A message goes after its time, but not from under the hand or the eyes of whoever is at it. */
function dismissLater(id: number, afterMs: number): void {
  setTimeout(() => {
    const held = document.querySelector(`${strips}:hover, ${strips}:focus-within`) !== null
    if (held) dismissLater(id, lookAgainMs)
    else dismissToast(id)
  }, afterMs)
}

/** Where it is shown: in the dialog that it came in, while that is open. What the page said is none of a later dialog's. */
export function placeOfToast({ within }: Pick<Toast, 'within'>, dialogs: readonly string[]): string | null {
  if (within === null) return null
  return dialogs.includes(within) ? within : (dialogs.at(-1) ?? null)
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

export function showToast(toast: Omit<Toast, 'id' | 'within'>): void {
  // What is said already is not said again below it.
  const same = useToasts
    .getState()
    .toasts.find(
      ({ text, problem }) => text === toast.text && problem?.code === toast.problem?.code && problem?.message === toast.problem?.message,
    )
  if (same !== undefined) dismissToast(same.id)
  lastId += 1
  const id = lastId
  const shown = { ...toast, id, within: useOpenDialogs.getState().ids.at(-1) ?? null }
  if (toast.undo === true) lastUndo = shown
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), shown] }))
  dismissLater(id, toast.action === undefined && toast.problem === undefined && toast.bad !== true ? 5_000 : 10_000)
}

/** Says what could not be done; the words come with the code, or are `words` where the input itself was bad. */
export function reportProblem(error: unknown, words = ''): void {
  const problem = problemOf(error)
  if (problem.code !== 'cancelled') showToast({ text: problem.code === 'bad-input' ? words : '', problem })
}
