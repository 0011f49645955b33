import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { nativeWords } from './native-words.ts'

/** The menu that a platform expects, so that its keys for copying, zooming and quitting work. */
export function setupMenu(): void {
  const words = nativeWords(app.getLocale())
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
  ]
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { role: 'editMenu', label: words.edit },
    { label: words.view, submenu: view },
    { role: 'windowMenu', label: words.window },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
