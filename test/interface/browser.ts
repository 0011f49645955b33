import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect } from 'vitest'
import { rendererConfig } from '../../vite.renderer.config.ts'
import { chromiumEnv, chromiumFlags, chromiumPath } from '../fakes/chromium.ts'
import type { FakeOptions } from '../fakes/fake-core.ts'
import { serveFake, type FakeHost } from '../fakes/serve-fake.ts'

export { chromiumPath } from '../fakes/chromium.ts'

export const sampleDir = fileURLToPath(new URL('../../resources/sample-library', import.meta.url))

async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath ?? '', args: chromiumFlags, env: chromiumEnv })
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

/** What is around the page: of the browser, and what is done before it is loaded. */
interface Surroundings {
  context?: BrowserContextOptions
  before?: (page: Page) => Promise<void>
}

async function openInterface(
  browser: Browser,
  webDir: string,
  options: Partial<FakeOptions> = {},
  size = { width: 1440, height: 900 },
  { context: own = {}, before }: Surroundings = {},
): Promise<Opened> {
  const host = await serveFake(webDir, { scenario: 'normal', sampleDir, fast: true, ...options })
  const context = await browser.newContext({ viewport: size, locale: 'en-GB', ...own })
  const page = await context.newPage()
  await before?.(page)
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

/** One section of the settings. */
export async function section(page: Page, name: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#/settings/${to}`
  }, name)
  await page.waitForSelector(`#section-${name}`)
}

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Rules of WCAG 2.2 AA that the page breaks, as far as a machine can tell. */
export async function violations(page: Page): Promise<string[]> {
  await page.waitForTimeout(350)
  await page.evaluate(axe)
  return page.evaluate(async () => {
    interface Result {
      violations: { id: string; nodes: { target: string[] }[] }[]
    }
    const { axe: runner } = window as unknown as { axe: { run: (root: Document, options: object) => Promise<Result> } }
    const result = await runner.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    return result.violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(' ')).join(' | ')}`)
  })
}

export interface BuiltInterface {
  /** For what a test writes. */
  directory: string
  webDir: string
  open(options?: Partial<FakeOptions>, size?: { width: number; height: number }, around?: Surroundings): Promise<Opened>
  /** Closes it; nothing outside was asked for, and the page complained about nothing but what is allowed. */
  finish(one: Opened, complaints?: RegExp): Promise<void>
}

/** The interface built once for the tests of a `describe`, and a browser that is closed after them. */
export function builtInterface(): BuiltInterface {
  const directory = mkdtempSync(join(tmpdir(), 'siku-interface-'))
  // "npm test" has built it before.
  const isBuilt = process.env['SIKU_TEST_BUILT'] === '1'
  const webDir = isBuilt ? fileURLToPath(new URL('../../out/renderer', import.meta.url)) : join(directory, 'web')
  const opened = new Set<Opened>()
  let browser: Browser
  beforeAll(async () => {
    if (!isBuilt) await build({ ...rendererConfig(webDir), configFile: false, logLevel: 'error' })
    browser = await startBrowser()
  }, 120_000)
  afterAll(async () => {
    await Promise.all([...opened].map((each) => each.close()))
    await browser.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return {
    directory,
    webDir,
    async open(options, size, around) {
      const one = await openInterface(browser, webDir, options, size, around)
      opened.add(one)
      return one
    },
    async finish(one, complaints) {
      expect(one.outside).toEqual([])
      expect(one.complaints.filter((each) => complaints?.test(each) !== true)).toEqual([])
      opened.delete(one)
      await one.close()
    },
  }
}
