import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

const nearEnd = 56

export interface FollowEnd {
  scroller: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  /** False when the reader has scrolled away from the end. */
  atEnd: boolean
  toEnd: () => void
  /** For what is read from its beginning: nothing is followed there. */
  toStart: () => void
}

/** Keeps the end in sight while it grows, but only as long as the reader is there: what is being read never moves. */
export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const [atEnd, setAtEnd] = useState(true)

  const toEnd = useCallback(() => {
    following.current = true
    setAtEnd(true)
    const element = scroller.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }, [])

  const toStart = useCallback(() => {
    following.current = false
    if (scroller.current !== null) scroller.current.scrollTop = 0
    setAtEnd(true)
  }, [])

  useEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (element === null || inner === null) return
    let lastTop = element.scrollTop
    function look() {
      if (element === null) return
      const end = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
      // Growth alone moves the end away without moving the reader: only a move upwards leaves it.
      if (end) following.current = true
      else if (element.scrollTop < lastTop - 1) following.current = false
      lastTop = element.scrollTop
      setAtEnd(end || following.current)
    }
    const watcher = new ResizeObserver(() => {
      if (following.current) {
        element.scrollTop = element.scrollHeight
        look()
      }
    })
    watcher.observe(inner)
    watcher.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])

  return { scroller, content, atEnd, toEnd, toStart }
}
