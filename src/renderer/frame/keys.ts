import { useEffect, useState } from 'react'
import { readPreference, writePreference } from '../preferences.ts'
import { go, screens } from '../state/route.ts'
import { undoLast } from '../state/toasts.ts'

export type Overlay = 'palette' | 'shortcuts' | 'add' | null

/** Keys alone can be switched off, for those whose voice or hand makes them by chance. */
export function singleKeys(): boolean {
  return readPreference('singleKeys') !== 'off'
}

export function setSingleKeys(on: boolean): void {
  writePreference('singleKeys', on ? 'on' : 'off')
}

export function focusComposer(): void {
  requestAnimationFrame(() => document.getElementById('composer')?.focus())
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=menu], dialog') !== null
}

/** What a key does anywhere in the window; null for nothing. With Ctrl, on a Mac Cmd. */
function actionOf(event: KeyboardEvent, show: (overlay: Overlay) => void): (() => void) | null {
  const key = event.key.toLowerCase()
  const command = (event.ctrlKey || event.metaKey) && !event.altKey
  if (command && !event.shiftKey && key === 'k') return () => show('palette')
  if (command && key === '/') return () => show('shortcuts')
  // In a dialog only what closes it.
  if (document.querySelector('dialog[open]') !== null) return null
  if (command && event.shiftKey && key === 'o')
    return () => {
      go('ask')
      focusComposer()
    }
  if (command && !event.shiftKey && key === 'z' && !isWriting(event.target)) return () => void undoLast()
  const screen = event.altKey && !event.ctrlKey && !event.metaKey ? screens[Number(event.code.replace('Digit', '')) - 1] : undefined
  if (screen !== undefined) return () => go(screen)
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isWriting(event.target) || !singleKeys()) return null
  if (key === '?') return () => show('shortcuts')
  if (key === '/')
    return () => {
      go('ask', currentChat())
      focusComposer()
    }
  return null
}

function currentChat(): string | null {
  const [, rest] = location.hash.split('/ask/')
  return rest === undefined ? null : decodeURIComponent(rest)
}

/** The keys that work anywhere, and which of their dialogs is open. */
export function useKeys(): [Overlay, (overlay: Overlay) => void] {
  const [overlay, setOverlay] = useState<Overlay>(null)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const action = actionOf(event, (wanted) => setOverlay((before) => (before === wanted ? null : wanted)))
      if (action === null) return
      event.preventDefault()
      action()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return [overlay, setOverlay]
}
