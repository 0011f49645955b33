import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface StartOptions {
  home: string
  /** Left out: nobody answers there. */
  ollama?: string | undefined
  env?: Record<string, string>
  user?: { uid?: number; gid?: number }
  /** Another program around the command, such as one that gives it a terminal. */
  command?: string
}

/** The built command line, as child processes that end with their test. */
export interface BuiltCli {
  start(args: string[], options: StartOptions): ChildProcess
  /** Starts it, gives it all of its input, and waits for its end. */
  run(args: string[], options: StartOptions & { stdin?: string }): Promise<Ran>
  /** A test that failed leaves nobody who holds the library. */
  killAll(): void
}

export function builtCli(): BuiltCli {
  const running = new Set<ChildProcess>()

  function start(args: string[], { home, ollama = '127.0.0.1:1', env = {}, user = {}, command }: StartOptions): ChildProcess {
    const words = command === undefined ? ['bin/siku.js', ...args] : args
    const child = spawn(command ?? process.execPath, words, {
      cwd: root,
      env: { ...process.env, SIKU_HOME: home, OLLAMA_HOST: ollama, LANG: 'en_US.UTF-8', LC_ALL: '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...user,
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }

  return {
    start,
    run(args, { stdin = '', ...options }) {
      const child = start(args, options)
      child.stdin?.end(stdin)
      return finished(child)
    },
    killAll() {
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

/** Everything that it wrote, once it has ended. */
export function finished(child: ChildProcess): Promise<Ran> {
  return new Promise((done) => {
    let [stdout, stderr] = ['', '']
    child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()))
    child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()))
    child.once('close', (code) => done({ code, stdout, stderr }))
  })
}
