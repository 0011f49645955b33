import { create } from 'zustand'

export const screens = ['ask', 'library', 'models', 'evaluate', 'memory', 'settings'] as const
export type Screen = (typeof screens)[number]

interface Route {
  screen: Screen
  /** Only on the screen `ask`; null is a new chat. */
  chatId: string | null
  /** Only on the screen `settings`: the section to show. */
  part: string | null
}

function parse(hash: string): Route {
  const [name, rest] = hash.replace(/^#\/?/, '').split('/')
  const screen = screens.find((each) => each === name) ?? 'ask'
  const inner = rest ? decodeURIComponent(rest) : null
  return { screen, chatId: screen === 'ask' ? inner : null, part: screen === 'settings' ? inner : null }
}

/** Where the window is, kept in the address so that a reload and the back button keep it too. */
export const useRoute = create<Route>(() => parse(location.hash))

export function followAddress(): void {
  window.addEventListener('hashchange', () => useRoute.setState(parse(location.hash)))
}

/** `inner`: the chat of the screen `ask`, or the section of `settings`. */
export function go(screen: Screen, inner: string | null = null): void {
  const hash = inner === null ? `#/${screen}` : `#/${screen}/${encodeURIComponent(inner)}`
  useRoute.setState(parse(hash))
  if (location.hash !== hash) location.hash = hash
}

/** A new chat has got its name: the address says so without a step in the history. */
export function nameChat(chatId: string): void {
  history.replaceState(null, '', `#/ask/${encodeURIComponent(chatId)}`)
  useRoute.setState({ screen: 'ask', chatId, part: null })
}
