import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useReader } from '../state/reader.ts'

/** Whoever opens the reader by the keyboard is led into it, and back to where they were when it closes. */
export function useReaderFocus(): RefObject<HTMLElement | null> {
  const opened = useReader((state) => state.opened)
  const frame = useRef<HTMLElement>(null)
  const from = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || active === document.body || frame.current?.contains(active) === true) return
    from.current = active
    if (active.matches(':focus-visible')) frame.current?.focus({ preventScroll: true })
  }, [opened])
  useLayoutEffect(() => {
    const aside = frame.current
    return () => {
      if (aside?.contains(document.activeElement) === true || document.activeElement === document.body)
        from.current?.focus({ preventScroll: true })
    }
  }, [])
  return frame
}
