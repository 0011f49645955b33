import { useEffect, useState, type RefObject } from 'react'

/** So far beyond the edge of what is seen, in px, a part is made before it comes into sight. */
const margin = 1500

type Listener = () => void
const listeners = new WeakMap<Element, Listener>()
const observers = new WeakMap<Element, IntersectionObserver>()

/** One observer for each scroller. */
function observerOf(scroller: Element): IntersectionObserver {
  const known = observers.get(scroller)
  if (known !== undefined) return known
  const made = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) listeners.get(target)?.()
    },
    { root: scroller, rootMargin: `${margin}px 0px` },
  )
  observers.set(scroller, made)
  return made
}

/**
 * Whether a part of a long page has come near what is seen. Once it has, it stays: what was made keeps its nodes. `now`: it is
 * wanted at once.
 */
export function useNear(element: RefObject<Element | null>, now: boolean): boolean {
  const [near, setNear] = useState(now)
  useEffect(() => {
    const target = element.current
    const scroller = target?.closest('[data-scroller]')
    if (near || target === null || scroller === null || scroller === undefined) return
    const observer = observerOf(scroller)
    listeners.set(target, () => setNear(true))
    observer.observe(target)
    return () => {
      observer.unobserve(target)
      listeners.delete(target)
    }
  }, [element, near])
  return near || now
}
