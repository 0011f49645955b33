import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { SikuError } from '../../contract/errors.ts'

export interface LocalOllamaOptions {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  homeDir: string
}

/** Where its installers put it, beside the search path. */
function usualPlaces({ platform, env, homeDir }: LocalOllamaOptions): string[] {
  if (platform === 'darwin')
    return ['/usr/local/bin/ollama', '/opt/homebrew/bin/ollama', '/Applications/Ollama.app/Contents/Resources/ollama']
  if (platform === 'win32') return [join(env['LOCALAPPDATA'] ?? join(homeDir, 'AppData', 'Local'), 'Programs', 'Ollama', 'ollama.exe')]
  return ['/usr/local/bin/ollama', '/usr/bin/ollama', join(homeDir, '.local', 'bin', 'ollama')]
}

/** The program on this computer; null where it is not installed. */
export async function findOllama(options: LocalOllamaOptions): Promise<string | null> {
  const { platform, env } = options
  const name = platform === 'win32' ? 'ollama.exe' : 'ollama'
  const onPath = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((each) => each !== '')
  for (const path of [...onPath.map((directory) => join(directory, name)), ...usualPlaces(options)]) {
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (usable) return path
  }
  return null
}

/** For a cold start from a slow disk. */
const startTimeoutMs = 30_000
const lookEveryMs = 300

/**
 * Starts the server as a process of its own, which outlives Siku as one started by hand does, and waits until it answers. `answers` asks
 * the address that Siku uses.
 */
export async function startOllama(
  options: LocalOllamaOptions & { host: string; answers: () => Promise<boolean>; timeoutMs?: number },
): Promise<void> {
  const path = await findOllama(options)
  if (path === null) throw new SikuError('not-found', 'Ollama is not installed on this computer', { hint: 'Install it from ollama.com.' })
  const child = spawn(path, ['serve'], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...options.env, OLLAMA_HOST: options.host },
  })
  let ended: string | null = null
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code) => (ended = `it ended with ${code ?? 'a signal'}`))
  child.unref()
  const until = Date.now() + (options.timeoutMs ?? startTimeoutMs)
  while (Date.now() < until) {
    if (await options.answers()) return
    if (ended !== null) break
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  throw new SikuError('model-unreachable', `Ollama was started but does not answer${ended === null ? '' : `: ${ended as string}`}`, {
    hint: 'Try: ollama serve',
    retryable: true,
  })
}
