import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import type { FakeOptions } from '../fakes/fake-core.ts'
import { serveFake, type FakeHost } from '../fakes/serve-fake.ts'

const places = [
  process.env['SIKU_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The Chromium of this machine; null where there is none. */
export const chromiumPath = places.find((path): path is string => path !== undefined && path !== '' && existsSync(path)) ?? null

const sampleDir = fileURLToPath(new URL('../../resources/sample-library', import.meta.url))

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: flags })
}

export interface Opened {
  page: Page
  host: FakeHost
  /** Addresses that were asked for beside the host's own. */
  outside: string[]
  /** What the page complained about. */
  complaints: string[]
  close: () => Promise<void>
}

export async function openInterface(
  browser: Browser,
  webDir: string,
  options: Partial<FakeOptions> = {},
  size = { width: 1440, height: 900 },
): Promise<Opened> {
  const host = await serveFake(webDir, { scenario: 'normal', sampleDir, fast: true, ...options })
  const context = await browser.newContext({ viewport: size, locale: 'en-GB' })
  const page = await context.newPage()
  const outside: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(host.url) && !url.startsWith('data:') && !url.startsWith('blob:')) outside.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(host.url)
  await page.waitForSelector('nav')
  return {
    page,
    host,
    outside,
    complaints,
    async close() {
      await context.close()
      await host.close()
    },
  }
}

export async function ask(page: Page, question: string): Promise<void> {
  await page.fill('#composer', question)
  await page.press('#composer', 'Enter')
}

export async function goTo(page: Page, screen: string): Promise<void> {
  await page.click(`nav a[href="#/${screen}"]`)
  await page.waitForSelector(`nav a[href="#/${screen}"][aria-current="page"]`)
}
