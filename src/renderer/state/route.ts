import { create } from 'zustand'

export const screens = ['ask', 'library', 'models', 'settings'] as const
export type Screen = (typeof screens)[number]

interface Route {
  screen: Screen
  /** Only on the screen `ask`; null is a new chat. */
  chatId: string | null
}

function parse(hash: string): Route {
  const [name, chatId] = hash.replace(/^#\/?/, '').split('/')
  const screen = screens.find((each) => each === name) ?? 'ask'
  return { screen, chatId: screen === 'ask' && chatId ? decodeURIComponent(chatId) : null }
}

/** Where the window is, kept in the address so that a reload and the back button keep it too. */
export const useRoute = create<Route>(() => parse(location.hash))

export function followAddress(): void {
  window.addEventListener('hashchange', () => useRoute.setState(parse(location.hash)))
}

export function go(screen: Screen, chatId: string | null = null): void {
  const hash = chatId === null ? `#/${screen}` : `#/${screen}/${encodeURIComponent(chatId)}`
  useRoute.setState({ screen, chatId })
  if (location.hash !== hash) location.hash = hash
}

/** A new chat has got its name: the address says so without a step in the history. */
export function nameChat(chatId: string): void {
  history.replaceState(null, '', `#/ask/${encodeURIComponent(chatId)}`)
  useRoute.setState({ screen: 'ask', chatId })
}
