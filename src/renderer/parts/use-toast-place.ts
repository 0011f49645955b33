import { useLayoutEffect, useState, type RefObject } from 'react'

const gap = 12
const belowHeader = 60

/** How much of the foot of the window is taken by what is always needed there, such as the box for questions. */
function footHeight(): number {
  const foot = document.querySelector('[data-foot]')?.getBoundingClientRect()
  return foot === undefined || foot.height === 0 ? 0 : innerHeight - foot.top
}

export interface ToastPlace {
  edge: 'top' | 'bottom'
  /** From that edge of the window, in px. */
  at: number
  /** From the sides of the window: those of the page, beside the rail and the reader. */
  left: number
  right: number
}

function sides(): { left: number; right: number } {
  const main = document.querySelector('main')?.getBoundingClientRect()
  return main === undefined || main.width === 0 ? { left: 0, right: 0 } : { left: main.left, right: innerWidth - main.right }
}

/** Where messages lie over the page: above its foot, or at its head while they would hide there what has the focus. */
export function useToastPlace(list: RefObject<HTMLElement | null>, shown: boolean): ToastPlace {
  const [place, setPlace] = useState<ToastPlace>({ edge: 'bottom', at: gap, left: 0, right: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!shown || element === null) return
    function look() {
      const box = element?.getBoundingClientRect()
      const focused = document.activeElement
      if (box === undefined) return
      const foot = footHeight() + gap
      const [top, bottom] = [innerHeight - foot - box.height, innerHeight - foot]
      const rect = focused?.getBoundingClientRect()
      const hides =
        rect !== undefined &&
        focused !== document.body &&
        element?.contains(focused) !== true &&
        // What is larger than the messages is still seen.
        rect.height <= box.height * 2 &&
        rect.bottom > top &&
        rect.top < bottom &&
        rect.right > box.left &&
        rect.left < box.right
      setPlace((before) => {
        const next: ToastPlace = { ...(hides ? { edge: 'top', at: belowHeader } : { edge: 'bottom', at: foot }), ...sides() }
        const same = before.edge === next.edge && before.at === next.at && before.left === next.left && before.right === next.right
        return same ? before : next
      })
      document.documentElement.style.setProperty('--toasts', `${Math.ceil(box.height) + 2 * gap}px`)
    }
    look()
    const observer = new ResizeObserver(look)
    for (const each of [element, document.body, ...document.querySelectorAll('[data-foot], main')]) observer.observe(each)
    window.addEventListener('focusin', look)
    window.addEventListener('scroll', look, true)
    return () => {
      observer.disconnect()
      window.removeEventListener('focusin', look)
      window.removeEventListener('scroll', look, true)
      document.documentElement.style.removeProperty('--toasts')
    }
  }, [list, shown])
  return place
}
