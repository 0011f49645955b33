import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { utilityProcess } from 'electron'
import type { ChildProcessHandle, StartProcessOptions } from '../core/deps.ts'
import { quietLibraries } from '../core/work/work.ts'

/** The core's children as Electron makes them. */
export function startUtilityProcess(entry: URL, { name, args = [], niceness }: StartProcessOptions): ChildProcessHandle {
  const child = utilityProcess.fork(fileURLToPath(entry), args, {
    serviceName: `Siku ${name}`,
    stdio: 'inherit',
    env: { ...process.env, ...quietLibraries },
  })
  const exitListeners: ((code: number | null) => void)[] = []
  let exited: { code: number | null } | null = null
  child.once('spawn', () => {
    if (niceness === undefined || child.pid === undefined) return
    try {
      setPriority(child.pid, niceness)
    } catch {
      // Best effort.
    }
  })
  child.once('exit', (code) => {
    exited = { code }
    for (const listener of exitListeners) listener(code)
  })
  return {
    get pid() {
      return child.pid
    },
    post(message) {
      if (exited === null) child.postMessage(message)
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit(listener) {
      if (exited !== null) listener(exited.code)
      else exitListeners.push(listener)
    },
    kill() {
      const { pid } = child
      child.kill()
      // What Electron sends can be slept through by a spinning child.
      try {
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
      } catch {
        // Already gone.
      }
    },
  }
}
