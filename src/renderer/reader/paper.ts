import { useSyncExternalStore } from 'react'

function onTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The ground that a page is drawn on in the theme of now: a page that is shown while the theme changes is drawn anew. */
export function usePaper(): string {
  return useSyncExternalStore(onTheme, () => getComputedStyle(document.documentElement).getPropertyValue('--page').trim())
}
