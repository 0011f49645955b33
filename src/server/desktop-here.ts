import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import open from 'open'
import { SikuError } from '../contract/errors.ts'
import type { Desktop } from '../core/deps.ts'
import { isRunnable } from '../core/host/document-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether a window could open here: on Linux only with a display. */
function hasDisplay(env: Environment, platform: NodeJS.Platform = process.platform): boolean {
  if (env['SIKU_NO_DISPLAY'] === '1') return false
  if (platform === 'win32' || platform === 'darwin') return env['SSH_CONNECTION'] === undefined
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** The desktop of the machine that this host runs on, when it has a display: documents open in their own programs. */
export function desktopHere(env: Environment): Desktop | undefined {
  if (!hasDisplay(env)) return undefined
  async function openThere(path: string): Promise<void> {
    await access(path).catch((error: unknown) => {
      throw new SikuError('not-found', `${path} is no longer there.`, { cause: error })
    })
    await open(path)
  }
  return {
    // A script or program is shown in its folder instead of being run.
    openPath: async (path) => openThere((await isRunnable(path)) ? dirname(path) : path),
    showInFolder: (path) => openThere(dirname(path)),
  }
}

export async function openInBrowser(address: string): Promise<void> {
  const child = await open(address)
  child.on('error', () => undefined)
  child.unref()
}
