import { useEffect } from 'react'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]):not([hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]'

/** Parts of the window that a focus does not leave by itself. */
const region = 'dialog, main, aside, nav, [role=menu]'

/** What lies over the page: it goes as a whole, and the focus goes back to where it came from. */
const layer = 'dialog, [role=dialog], [role=menu]'

/** What had the focus last: it, then what it stood in, up to the body, each with its place among its siblings. */
type Held = { element: HTMLElement; at: number }[]

function hold(element: HTMLElement): Held {
  const held: Held = []
  for (let each: HTMLElement | null = element; each !== null && each !== document.body; each = each.parentElement)
    held.push({ element: each, at: [...(each.parentElement?.children ?? [])].indexOf(each) })
  return held
}

function within(part: Element): HTMLElement[] {
  const inner = [...part.querySelectorAll<HTMLElement>(focusable)]
  return (part.matches(focusable) ? [part as HTMLElement, ...inner] : inner).filter((each) => each.checkVisibility())
}

/** Focuses a whole part of the window, from where Tab goes on to what is in it. */
function focusRegion(part: HTMLElement | null): void {
  if (part === null) return
  if (!part.hasAttribute('tabindex')) part.tabIndex = -1
  part.focus({ preventScroll: true })
}

/** The nearest thing to what is gone: the same one of the next row, else any one beside it, else the part of the window it stood in. */
function nearest(held: Held): HTMLElement | null {
  const lost = held.filter(({ element }) => !element.isConnected)
  const top = lost.at(-1)
  if (top === undefined) return null
  if (lost.some(({ element }) => element.matches('main'))) return document.querySelector('main')
  const rank = [...top.element.querySelectorAll<HTMLElement>(focusable)].indexOf(held[0]!.element)
  let at = top.at
  for (const { element: parent, at: own } of held.slice(lost.length)) {
    const beside = [...parent.children].map((child, index) => ({ child, far: index < at ? at - index : index - at + 0.5 }))
    for (const { child } of beside.sort((one, other) => one.far - other.far)) {
      if (child.matches(region)) continue
      const found = within(child)
      if (found.length > 0) return found[Math.max(0, rank)] ?? found[0]!
    }
    if (parent.matches(region)) return parent
    at = own
  }
  return document.querySelector('main')
}

function isNowhere(): boolean {
  const active = document.activeElement
  return active === null || active === document.body
}

/**
 * Whoever works with the keyboard never falls off the page: when what has the focus goes, the focus goes to what is nearest to
 * it, and what comes back, or can be used again, gets it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let held: Held = []
    /** What had it before a layer came over the page. */
    let below: Held = []
    let given: Element | null = null
    function onFocus(event: FocusEvent) {
      if (!(event.target instanceof HTMLElement) || event.target === given) return
      const over = event.target.closest(layer)
      if (over !== null && held[0]?.element.closest(layer) !== over) below = held
      held = hold(event.target)
    }
    // A click on what takes no focus is meant.
    function onPointer(event: PointerEvent) {
      if (event.target instanceof Element && event.target.closest(`${focusable}, label, dialog`) === null) held = []
    }
    function look() {
      const last = held[0]?.element
      if (last === undefined || !isNowhere()) return
      if (last.isConnected) {
        if (!last.matches(':disabled')) last.focus({ preventScroll: true })
        return
      }
      const gone = held.some(({ element }) => !element.isConnected && element.matches(layer))
      const from = gone ? below : held
      const next = gone && from[0]?.element.isConnected === true ? from[0].element : nearest(from)
      given = next
      if (next?.matches(region) === true) focusRegion(next)
      else next?.focus()
      given = null
      if (next !== null) held = hold(next)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPointer, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPointer, true)
    }
  }, [])
}
