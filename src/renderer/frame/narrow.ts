import { useSyncExternalStore } from 'react'

/** As in reader.css: from this width down the reader lies over the page. */
const query = window.matchMedia('(max-width: 920px)')

function onChange(changed: () => void): () => void {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Whether the window has no room for the page beside the reader. */
export function useNarrow(): boolean {
  return useSyncExternalStore(onChange, () => query.matches)
}
