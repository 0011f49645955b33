import { app, BrowserWindow, dialog, shell } from 'electron'
import { linkToOpen } from './links.ts'
import { nativeWords } from './native-words.ts'

/** The window shows the interface and nothing else; a link goes to the system's browser once the user has seen where it leads. */
export function setupNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      event.preventDefault()
      void offer(event.url, BrowserWindow.fromWebContents(contents))
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      void offer(url, BrowserWindow.fromWebContents(contents))
      return { action: 'deny' }
    })
  })
}

async function offer(address: string, window: BrowserWindow | null): Promise<void> {
  const link = linkToOpen(address)
  if (link === null || window === null) return
  const words = nativeWords(app.getLocale())
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: words.openLink(link.host),
    detail: link.address,
    buttons: [words.cancel, words.open],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response === 1) await shell.openExternal(link.address)
}
