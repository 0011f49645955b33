import { app, BrowserWindow, nativeTheme } from 'electron'
import { preloadPath } from './places.ts'
import { interfaceAddress } from './protocol.ts'

let current: BrowserWindow | null = null

export async function openWindow(): Promise<void> {
  const window = new BrowserWindow({
    width: 1280,
    height: 840,
    minWidth: 900,
    minHeight: 600,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1d1b19' : '#faf8f4',
    autoHideMenuBar: process.platform !== 'darwin',
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  current = window
  window.once('ready-to-show', () => window.show())
  window.on('closed', () => {
    if (current === window) current = null
  })
  await window.loadURL(interfaceAddress)
}

export async function showWindow(): Promise<void> {
  if (current === null) return openWindow()
  if (current.isMinimized()) current.restore()
  current.show()
  current.focus()
}

/** The window whose page may talk to the core. */
export function currentWindow(): BrowserWindow | null {
  return current
}

/** On macOS the app stays when its window is closed; elsewhere it ends with it. */
export function setupWindow(): void {
  app.on('activate', () => void showWindow())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
}
