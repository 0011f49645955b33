import { useEffect, useRef, useState, type MouseEvent, type RefObject } from 'react'

/** So long a card must have stood still before a click on it counts: nobody has read it sooner. */
const stillMs = 600
/** Where it came up right under the pointer: a click there was meant for something else. */
const stillUnderPointerMs = 1500
const lookMs = 100

function placeOf(element: HTMLElement): string {
  const { top, left, height } = element.getBoundingClientRect()
  return [top, left, height].map(Math.round).join(' ')
}

function waitFor(element: HTMLElement): number {
  return element.matches(':hover') ? stillUnderPointerMs : stillMs
}

/** Since when something stands still, and what else tells a word on it from one that was meant for something else. */
class Stillness {
  keyAt = -Infinity
  focusedAt = -Infinity
  settled = false
  private place = ''
  private movedAt = Infinity
  private waitMs = stillMs

  stands(element: HTMLElement | null, now: number): boolean {
    if (element === null) return false
    const place = placeOf(element)
    if (place !== this.place) {
      this.place = place
      this.movedAt = now
      this.waitMs = waitFor(element)
    }
    return now - this.movedAt >= this.waitMs
  }
}

export interface Armed {
  /** Whether it has stood still for long enough; for the looks. */
  armed: boolean
  /** Whether a click, or the key that makes one, was meant for it. */
  counts: (event: MouseEvent) => boolean
}

/**
 * Keeps what has just appeared, or just moved, from taking a click or a key that was meant for something else. `settle` is
 * called once, when it stands still and no key was pressed for a moment; it says whether it took the focus.
 */
export function useArmed(card: RefObject<HTMLElement | null>, settle: () => boolean): Armed {
  const [armed, setArmed] = useState(false)
  const kept = useRef<Stillness>(null)
  useEffect(() => {
    const stillness = (kept.current ??= new Stillness())
    function onKey() {
      stillness.keyAt = performance.now()
    }
    function look() {
      const now = performance.now()
      const still = stillness.stands(card.current, now)
      if (still && !stillness.settled && now - stillness.keyAt >= stillMs) {
        stillness.settled = true
        stillness.focusedAt = now
        if (!settle()) stillness.focusedAt = -Infinity
      }
      setArmed(still && stillness.settled && now - stillness.focusedAt >= stillMs)
    }
    look()
    const timer = setInterval(look, lookMs)
    window.addEventListener('keydown', onKey, true)
    return () => {
      clearInterval(timer)
      window.removeEventListener('keydown', onKey, true)
    }
    // The first `settle` is the one that counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [card])
  function counts(event: MouseEvent): boolean {
    const [stillness, now] = [kept.current, performance.now()]
    // A key makes a click without a count.
    return stillness?.stands(card.current, now) === true && (event.detail > 0 || now - stillness.focusedAt >= stillMs)
  }
  return { armed, counts }
}
