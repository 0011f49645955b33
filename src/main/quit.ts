import { app } from 'electron'
import type { SharedCore } from '../core/host/shared-core.ts'

/** Quitting waits until the library is closed; a second one does not. */
export function setupQuit(shared: SharedCore): void {
  let closing = false
  app.on('will-quit', (event) => {
    if (closing) return
    closing = true
    event.preventDefault()
    void shared.close().finally(() => app.exit(0))
  })
}
