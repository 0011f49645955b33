import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { ChildProcessHandle, StartProcessOptions } from '../deps.ts'

/** Said to every child before it loads a library: ONNX Runtime's own Linux and macOS builds report home unless this is set. */
export const quietLibraries = { ORT_DISABLE_TELEMETRY: '1' } as const

/** Children for hosts that are plain Node. What a child prints goes to stderr: stdout belongs to results. */
export function forkProcess(entry: URL, options: StartProcessOptions): ChildProcessHandle {
  const child = fork(fileURLToPath(entry), options.args ?? [], {
    serialization: 'advanced',
    execArgv: [],
    env: { ...env, ...quietLibraries },
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  })
  const exitListeners: ((code: number | null) => void)[] = []
  let ended: { code: number | null } | null = null

  function end(code: number | null): void {
    if (ended) return
    ended = { code }
    for (const listener of exitListeners) listener(code)
  }
  child.on('exit', end)
  child.on('error', () => {
    // Not started (never got a pid), or a message could not be sent to a dying child: the exit event tells of that one.
    if (child.pid === undefined) end(null)
  })
  if (options.niceness !== undefined && child.pid !== undefined) {
    try {
      setPriority(child.pid, Math.min(options.niceness, constants.priority.PRIORITY_LOW))
    } catch {
      // Best effort: some systems do not allow it, and the child may already be gone.
    }
  }
  return {
    get pid() {
      return child.pid
    },
    post(message) {
      if (child.connected) child.send(message as object, () => {})
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit(listener) {
      if (ended) listener(ended.code)
      else exitListeners.push(listener)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
