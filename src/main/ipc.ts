import { ipcMain, MessageChannelMain, type WebFrameMain } from 'electron'
import type { SharedCore } from '../core/host/shared-core.ts'
import { interfaceOrigin } from './protocol.ts'
import { currentWindow } from './window.ts'

/** Only the main frame of our own window, showing our own page. */
function isOurPage(frame: WebFrameMain | null): boolean {
  const window = currentWindow()
  if (frame === null || window === null || window.isDestroyed() || frame !== window.webContents.mainFrame) return false
  return URL.canParse(frame.url) && new URL(frame.url).protocol === 'siku:' && new URL(frame.url).host === new URL(interfaceOrigin).host
}

/** The page asks for a port; the contract is served at its other end. A page that is not ours gets none. */
export function setupIpc(shared: SharedCore): void {
  ipcMain.on('siku-connect', (event) => {
    if (!isOurPage(event.senderFrame)) return
    const { port1, port2 } = new MessageChannelMain()
    shared.servePort(port1, { kind: 'window' })
    port1.start()
    event.senderFrame?.postMessage('siku-port', null, [port2])
  })
}
