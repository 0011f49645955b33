import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useNarrow } from '../frame/narrow.ts'
import { useReader } from '../state/reader.ts'

/**
 * Whoever opens the reader by the keyboard is led into it, and back to where they were when it closes. Where it lies over the
 * page, nothing under it can be come to.
 */
export function useReaderFocus(): RefObject<HTMLElement | null> {
  const opened = useReader((state) => state.opened)
  const narrow = useNarrow()
  const frame = useRef<HTMLElement>(null)
  const from = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement) || active === document.body || frame.current?.contains(active) === true) return
    from.current = active
    if (active.matches(':focus-visible')) frame.current?.focus({ preventScroll: true })
  }, [opened])
  useLayoutEffect(() => {
    const page = document.getElementById('page')
    if (page === null || !narrow) return
    if (page.contains(document.activeElement)) frame.current?.focus({ preventScroll: true })
    page.inert = true
    return () => {
      page.inert = false
    }
  }, [narrow])
  // After the page can be used again.
  useLayoutEffect(() => {
    const aside = frame.current
    return () => {
      if (aside?.contains(document.activeElement) === true || document.activeElement === document.body)
        from.current?.focus({ preventScroll: true })
    }
  }, [])
  return frame
}
