import { app } from 'electron'
import { toSikuError } from '../contract/errors.ts'
import { openShared, type SharedCore } from '../core/host/shared-core.ts'
import { commandOf, runCommand } from './command.ts'
import { setupIpc } from './ipc.ts'
import { mainDeps } from './main-deps.ts'
import { setupMenu } from './menu.ts'
import { setupNavigation } from './navigation.ts'
import { setupPermissions } from './permissions.ts'
import { registerScheme, setupProtocol } from './protocol.ts'
import { setupQuit } from './quit.ts'
import { setupSingleInstance } from './single-instance.ts'
import { showFailure } from './failure.ts'
import { openWindow, setupWindow } from './window.ts'

async function start(): Promise<void> {
  registerScheme()
  const command = commandOf(process.argv, app.isPackaged)
  if (command !== null) return runCommand(command)
  if (!setupSingleInstance()) return
  await app.whenReady()

  let shared: SharedCore
  try {
    shared = await openShared(await mainDeps())
  } catch (error) {
    showFailure(toSikuError(error))
    app.exit(1)
    return
  }
  setupPermissions()
  setupNavigation()
  setupProtocol(shared)
  setupIpc(shared)
  setupMenu()
  setupQuit(shared)
  setupWindow()
  await openWindow()
}

start().catch((error: unknown) => {
  showFailure(toSikuError(error))
  app.exit(1)
})
