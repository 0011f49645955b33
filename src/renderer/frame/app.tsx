import { lazy, Suspense, useEffect } from 'react'
import { Ask } from '../ask/ask.tsx'
import { useConnection } from '../client.ts'
import { LoadingPanel } from '../parts/state-panel.tsx'
import { loadChats } from '../state/chats.ts'
import { watchLibrary } from '../state/library.ts'
import { loadModels } from '../state/models.ts'
import { closeReader, useReader } from '../state/reader.ts'
import { useRoute, type Screen } from '../state/route.ts'
import { loadSettings } from '../state/settings.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { DropArea } from './drop-area.tsx'
import { usePaletteKey } from './palette-key.ts'
import { Rail } from './rail.tsx'
import { Toasts } from './toasts.tsx'

const Library = lazy(() => import('../library/library.tsx').then((module) => ({ default: module.Library })))
const Memory = lazy(() => import('../memory/memory.tsx').then((module) => ({ default: module.MemoryPage })))
const Models = lazy(() => import('../models/models.tsx').then((module) => ({ default: module.Models })))
const Settings = lazy(() => import('../settings/settings.tsx').then((module) => ({ default: module.Settings })))
const Reader = lazy(() => import('../reader/reader.tsx').then((module) => ({ default: module.Reader })))
const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })))

function ScreenOf({ screen }: { screen: Screen }) {
  switch (screen) {
    case 'ask':
      return <Ask />
    case 'library':
      return <Library />
    case 'models':
      return <Models />
    case 'memory':
      return <Memory />
    case 'settings':
      return <Settings />
  }
}

function useEscape() {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing && useReader.getState().open) closeReader()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

export function App() {
  const screen = useRoute((route) => route.screen)
  const generation = useConnection((connection) => connection.generation)
  const readerOpen = useReader((state) => state.open)
  const [paletteOpen, setPaletteOpen] = usePaletteKey()
  useEscape()
  useEffect(() => {
    const stop = new AbortController()
    void watchLibrary(stop.signal)
    return () => stop.abort()
  }, [])
  useEffect(() => {
    if (generation === 0) return
    void loadSettings()
    void loadModels()
    void loadChats()
  }, [generation])
  return (
    <div className="flex h-full flex-col">
      <ConnectionBar />
      <div className="relative flex min-h-0 flex-1">
        <Rail onPalette={() => setPaletteOpen(true)} />
        <Suspense
          fallback={
            <div className="flex-1">
              <LoadingPanel />
            </div>
          }
        >
          <ScreenOf screen={screen} />
        </Suspense>
        {readerOpen && (screen === 'ask' || screen === 'library') && (
          <Suspense fallback={null}>
            <Reader />
          </Suspense>
        )}
      </div>
      <DropArea />
      <Toasts />
      {paletteOpen && (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
