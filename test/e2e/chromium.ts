import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { chromiumEnv } from '../fakes/chromium.ts'

export interface Chromium {
  browser: Browser
  /** Where its DevTools listen: the stand-in for Electron opens its windows in the same browser. */
  endpoint: string
  close(): Promise<void>
}

const flags = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--lang=en-US',
  '--window-size=1280,840',
  '--remote-debugging-port=0',
]

/** A real Chromium with a profile of its own. `npm test` says which by SIKU_CHROMIUM. */
export async function openChromium(): Promise<Chromium> {
  const program = process.env['SIKU_CHROMIUM']
  if (program === undefined) throw new Error('SIKU_CHROMIUM names no Chromium: run "npm test"')
  const profile = mkdtempSync(join(tmpdir(), 'siku-chromium-'))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(program, [...flags, ...asRoot, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that its children end with it.
    detached: true,
    env: chromiumEnv,
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const endpoint = await new Promise<string>((done, fail) => {
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString()
      const match = /DevTools listening on (ws:\/\/\S+)/.exec(said)
      if (match?.[1] !== undefined) done(match[1])
    })
    child.once('error', fail)
    child.once('exit', () => fail(new Error(`Chromium ended: ${said.slice(-2000)}`)))
  })
  const browser = await chromium.connectOverCDP(endpoint)
  return {
    browser,
    endpoint,
    async close() {
      await browser.close().catch(() => undefined)
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Ended already.
      }
      await exited
      try {
        rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
      } catch {
        // A child that has not ended yet still writes: what is left lies in the system's temporary directory.
      }
    },
  }
}
