import type { KeyboardEvent } from 'react'

/** True while an input method is composing: its Enter chooses a word and must do nothing else. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229
}

/** Enter that is meant as such. */
export function isEnter(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !isComposing(event)
}
