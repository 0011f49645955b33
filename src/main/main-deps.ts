import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { app, dialog, shell } from 'electron'
import packageFile from '../../package.json' with { type: 'json' }
import { SikuError } from '../contract/errors.ts'
import type { CoreDeps, Desktop } from '../core/deps.ts'
import { isRunnable } from '../core/host/document-file.ts'
import { fileLog } from '../core/host/log-file.ts'
import { startUtilityProcess } from './child-processes.ts'
import { keyringSecrets } from './keyring.ts'
import { nativeWords } from './native-words.ts'
import { builtNodeDir, dataDir, resourcesDir } from './places.ts'
import { currentWindow } from './window.ts'

const desktop: Desktop = {
  async openPath(path) {
    // A script or program is shown in its folder instead of being run.
    const trouble = await shell.openPath((await isRunnable(path)) ? dirname(path) : path)
    if (trouble !== '') throw new SikuError('not-found', trouble)
  },
  showInFolder(path) {
    shell.showItemInFolder(path)
    return Promise.resolve()
  },
  async pickFolders() {
    const words = nativeWords(app.getLocale())
    const options: Electron.OpenDialogOptions = {
      title: words.chooseFolders,
      buttonLabel: words.add,
      properties: ['openDirectory', 'multiSelections'],
    }
    const window = currentWindow()
    const { filePaths } = window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options)
    return filePaths
  },
}

/** What Electron passes in: utility processes, the system's keyring, the desktop's dialogs. */
export async function mainDeps(): Promise<CoreDeps> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return {
    dataDir,
    resourcesDir,
    secrets: await keyringSecrets(dataDir),
    fetch: globalThis.fetch,
    now: Date.now,
    newId: randomUUID,
    log: fileLog({ dataDir, now: Date.now }),
    env: Object.freeze({ ...process.env }),
    startProcess: startUtilityProcess,
    workerUrl: (name) => new URL(`${name}.js`, builtNodeDir),
    desktop,
    host: 'electron',
    version: packageFile.version,
  }
}
