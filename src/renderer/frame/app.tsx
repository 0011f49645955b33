import { useEffect } from 'react'
import { Ask } from '../ask/ask.tsx'
import { useConnection } from '../client.ts'
import { ErrorBoundary } from '../parts/error-boundary.tsx'
import { later } from '../parts/later.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { loadChats } from '../state/chats.ts'
import { keepDrafts } from '../state/keep-drafts.ts'
import { watchLibrary } from '../state/library.ts'
import { loadModels, watchModels } from '../state/models.ts'
import { closeReader, followChat, useReader } from '../state/reader.ts'
import { useRoute, type Screen } from '../state/route.ts'
import { loadSettings } from '../state/settings.ts'
import { watchOthers } from '../state/watch-others.ts'
import { whenIdle } from '../when-idle.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { DropArea, UploadLine } from './drop-area.tsx'
import { useKeptFocus } from './keep-focus.ts'
import { useKeys } from './keys.ts'
import { Rail } from './rail.tsx'

const Library = later(() => import('../library/library.tsx').then((module) => module.Library))
const Evaluate = later(() => import('../evaluate/evaluate.tsx').then((module) => module.EvaluatePage))
const Memory = later(() => import('../memory/memory.tsx').then((module) => module.MemoryPage))
const Models = later(() => import('../models/models.tsx').then((module) => module.Models))
const Settings = later(() => import('../settings/settings.tsx').then((module) => module.Settings))
const Reader = later(() => import('../reader/reader.tsx').then((module) => module.Reader), { fallback: <></> })
const Shortcuts = later(() => import('./shortcuts.tsx').then((module) => module.Shortcuts), { dialog: true })
const AddDialog = later(() => import('../library/add-dialog.tsx').then((module) => module.AddDialog), { dialog: true })
const Palette = later(() => import('./palette.tsx').then((module) => module.Palette), { dialog: true })

/** Once nothing else is to do, so that no click has to wait, or finds the core gone. */
function usePreload() {
  useEffect(() => {
    return whenIdle(() => {
      for (const part of [Library, Evaluate, Memory, Models, Settings, Reader, Palette, Shortcuts, AddDialog]) part.preload()
    })
  }, [])
}

function ScreenOf({ screen }: { screen: Screen }) {
  switch (screen) {
    case 'ask':
      return <Ask />
    case 'library':
      return <Library />
    case 'models':
      return <Models />
    case 'evaluate':
      return <Evaluate />
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
  const [overlay, setOverlay] = useKeys()
  useEscape()
  useKeptFocus()
  usePreload()
  useEffect(() => {
    const stop = new AbortController()
    void watchLibrary(stop.signal)
    void watchOthers(stop.signal)
    void watchModels(stop.signal)
    keepDrafts(stop.signal)
    followChat(stop.signal)
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
        <Rail onPalette={() => setOverlay('palette')} />
        <div id="page" className="contents">
          <ErrorBoundary resetKey={`${screen} ${generation}`}>
            <ScreenOf screen={screen} />
          </ErrorBoundary>
        </div>
        {readerOpen && (screen === 'ask' || screen === 'library') && (
          <ErrorBoundary resetKey={`reader ${generation}`}>
            <Reader />
          </ErrorBoundary>
        )}
      </div>
      <UploadLine />
      <Toasts />
      <DropArea />
      {overlay === 'palette' && (
        <ErrorBoundary>
          <Palette onClose={() => setOverlay(null)} onShortcuts={() => setOverlay('shortcuts')} onAdd={() => setOverlay('add')} />
        </ErrorBoundary>
      )}
      {overlay === 'add' && (
        <ErrorBoundary>
          <AddDialog onClose={() => setOverlay(null)} />
        </ErrorBoundary>
      )}
      {overlay === 'shortcuts' && (
        <ErrorBoundary>
          <Shortcuts onClose={() => setOverlay(null)} />
        </ErrorBoundary>
      )}
    </div>
  )
}
