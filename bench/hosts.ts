import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

interface StartedHost {
  address: string
  close(): Promise<void>
}

function environment(home: string): NodeJS.ProcessEnv {
  // No model answers: what is measured is Siku's own.
  return { ...process.env, SIKU_HOME: home, OLLAMA_HOST: '127.0.0.1:1', LANG: 'en_US.UTF-8', LC_ALL: '' }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await exited
}

/** The browser host in a process of its own, as `siku serve` starts it. */
export function startHost(home: string): Promise<StartedHost> {
  const child = spawn(process.execPath, ['bin/siku.js', 'serve', '--json', '--quiet'], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the host ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return
      const { address } = JSON.parse(line) as { address?: string }
      if (address !== undefined) done({ address, close: () => end(child) })
    })
  })
}

export function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
