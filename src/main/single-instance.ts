import { join } from 'node:path'
import { app } from 'electron'
import { dataDir } from './places.ts'
import { showWindow } from './window.ts'

/** One app for each library: a second start brings the first one's window to the front. False for the second. */
export function setupSingleInstance(): boolean {
  // The browser's own profile stands beside the library, so that a library elsewhere is an app of its own.
  app.setPath('userData', join(dataDir, 'electron'))
  if (!app.requestSingleInstanceLock()) {
    app.exit(0)
    return false
  }
  app.on('second-instance', () => void showWindow())
  return true
}
