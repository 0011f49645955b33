import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createInterface } from 'node:readline'
import { _electron, type Page } from 'playwright-core'
import { dragIn } from '../fakes/drag-in.ts'
import type { Chromium } from './chromium.ts'

const root = join(import.meta.dirname, '..', '..')
/** For one thing to appear on a busy machine. */
const patienceMs = 60_000
const standIn = join(import.meta.dirname, 'electron-stand-in')

export type HostKind = 'browser' | 'stand-in' | 'electron'

export interface Host {
  page: Page
  /** Drops files and folders on the window, as a person does. */
  drop(paths: string[]): Promise<void>
  /** What the stand-in for Electron saw main do, so far. */
  readonly said: Record<string, unknown>[]
  close(): Promise<void>
}

export interface HostOptions {
  home: string
  /** As OLLAMA_HOST has it. */
  ollama: string
  env?: Record<string, string>
}

function electronBinary(): string {
  const names: Partial<Record<NodeJS.Platform, string>> = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
  return join(root, 'node_modules/electron/dist', names[process.platform] ?? 'electron')
}

/** The hosts that can be tried here: real Electron only where its binary is. */
export const hostKinds: HostKind[] = ['browser', 'stand-in', ...(existsSync(electronBinary()) ? (['electron'] as const) : [])]

function environment({ home, ollama, env = {} }: HostOptions): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/(_API_KEY|_BASE_URL|^OLLAMA_|_PROXY|_proxy|^VITEST|^NODE_)/.test(name))
  return { ...Object.fromEntries(kept), SIKU_HOME: home, OLLAMA_HOST: ollama, LANG: 'en_US.UTF-8', ...env }
}

interface Started {
  child: ChildProcess
  lines: Record<string, unknown>[]
  /** The first line that answers, or an error with what was said when the process ends before. */
  find(pick: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
}

function start(args: string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: Record<string, unknown>[] = []
  let errors = ''
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  const waiting = new Set<() => void>()
  let ended = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) lines.push(JSON.parse(line) as Record<string, unknown>)
    for (const wake of waiting) wake()
  })
  child.once('exit', () => {
    ended = true
    for (const wake of waiting) wake()
  })
  return {
    child,
    lines,
    find: (pick) =>
      new Promise((done, fail) => {
        const look = () => {
          const found = lines.find(pick)
          if (found === undefined && !ended) return
          waiting.delete(look)
          if (found !== undefined) done(found)
          else fail(new Error(`the host ended: ${errors.slice(-3000)}`))
        }
        waiting.add(look)
        look()
      }),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await exited
  clearTimeout(late)
}

async function openBrowserHost({ browser }: Chromium, options: HostOptions): Promise<Host> {
  const started = start(['bin/siku.js', 'serve', '--json', '--quiet'], environment(options))
  const { address } = await started.find((line) => typeof line['address'] === 'string')
  const page = await browser.contexts()[0]!.newPage()
  page.setDefaultTimeout(patienceMs)
  await page.goto(String(address))
  await page.waitForURL((url) => url.search === '')
  return {
    page,
    said: started.lines,
    drop: (paths) => dragIn(page, paths, { x: 400, y: 300 }),
    async close() {
      await page.close()
      await end(started.child)
    },
  }
}

async function openStandIn({ browser, endpoint }: Chromium, options: HostOptions): Promise<Host> {
  const started = start(['--import', pathToFileURL(join(standIn, 'register.mjs')).href, 'out/main/main.js'], {
    ...environment(options),
    SIKU_STAND_IN_BROWSER: endpoint,
  })
  const { address } = await started.find((line) => line['what'] === 'window')
  let page: Page | undefined
  for (let tries = 0; page === undefined && tries < 100; tries += 1) {
    page = browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((each) => each.url().startsWith(String(address)))
    if (page === undefined) await new Promise((done) => setTimeout(done, 50))
  }
  if (page === undefined) throw new Error('the window did not open')
  const opened = page
  opened.setDefaultTimeout(patienceMs)
  return {
    page: opened,
    said: started.lines,
    async drop(paths) {
      // What Electron knows of a dropped file and a browser does not.
      const lying = Object.fromEntries(paths.map((path) => [basename(path), path]))
      await opened.evaluate(
        (known) => Object.assign((window as unknown as { __standIn: { dropped: object } }).__standIn.dropped, known),
        lying,
      )
      await dragIn(opened, paths, { x: 400, y: 300 })
    },
    close: () => end(started.child),
  }
}

async function openElectron(options: HostOptions): Promise<Host> {
  const app = await _electron.launch({
    executablePath: electronBinary(),
    args: [root],
    env: environment(options) as Record<string, string>,
  })
  const page = await app.firstWindow()
  return { page, said: [], drop: (paths) => dragIn(page, paths, { x: 400, y: 300 }), close: () => app.close() }
}

export function openHost(kind: HostKind, chromium: Chromium, options: HostOptions): Promise<Host> {
  if (kind === 'browser') return openBrowserHost(chromium, options)
  return kind === 'stand-in' ? openStandIn(chromium, options) : openElectron(options)
}
