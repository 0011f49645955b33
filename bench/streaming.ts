/// <reference lib="dom" />
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { chromiumFlags, chromiumPath } from '../test/fakes/chromium.ts'
import { serveFake } from '../test/fakes/serve-fake.ts'

export interface StreamingBench {
  characters: number
  seconds: number
  messages: number
  /** Tasks over 50 ms while the answer came, in ms. */
  longTasksMs: number[]
  /** The page's own work while each quarter of the text came, in ms. */
  quartersMs: number[]
  /** Nodes of finished blocks that were made anew. */
  nodesLost: number
  /** How far the reader who had scrolled up was moved, in px. */
  movedPx: number
  /** From the click on the chat to its last answer on the screen. */
  openMs: number
}

const longestMs = 120_000

async function workMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

const answerLength = (page: Page): Promise<number> =>
  page.evaluate(() => [...document.querySelectorAll('[data-answer]')].at(-1)?.textContent.length ?? 0)

/** Of the blocks that were finished half-way: what was made anew. The check at the end, which underlines, is none of it. */
const lostNodes = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const held = window as unknown as { marked: number }
    const blocks = [...document.querySelectorAll('article[aria-busy=true] [data-block]')].slice(0, held.marked)
    const nodes = blocks.flatMap((block) => [...block.querySelectorAll('*')])
    return nodes.filter((node) => (node as { kept?: boolean }).kept !== true).length
  })

async function measure(browser: Browser, url: string, turns: number, characters: number): Promise<StreamingBench> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 840 } })
  await page.goto(url)
  await page.waitForSelector('aside a:has-text("A long chat")')
  const clicked = performance.now()
  await page.click('aside a:has-text("A long chat")')
  await page.waitForSelector(`article:has-text("${turns}") footer`)
  const openMs = performance.now() - clicked
  await page.waitForTimeout(2000)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.evaluate(() => {
    const long: number[] = []
    new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] })
    Object.assign(window, { long })
  })
  await page.fill('#composer', 'stream')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('article[aria-busy=true] [data-block="2"]')
  const begun = performance.now()
  const samples: { length: number; workMs: number }[] = []
  let top: number | null = null
  let nodesLost = 0
  while ((await page.locator('article[aria-busy=true]').count()) > 0 && performance.now() - begun < longestMs) {
    samples.push({ length: await answerLength(page), workMs: await workMs(session) })
    // Half-way the reader scrolls up, and what was finished by then is marked.
    if (top === null && performance.now() - begun > 10_000) {
      await page.evaluate(() => {
        const blocks = [...document.querySelectorAll('article:last-of-type [data-block]')].slice(0, -1)
        for (const node of blocks.flatMap((block) => [...block.querySelectorAll('*')])) Object.assign(node, { kept: true })
        Object.assign(window, { marked: blocks.length })
      })
      await page.mouse.move(800, 400)
      await page.mouse.wheel(0, -1500)
      await page.waitForTimeout(500)
      top = await page.evaluate(() => document.querySelector('[data-scroller]')?.scrollTop ?? 0)
    } else if (top !== null) nodesLost = await lostNodes(page)
    await page.waitForTimeout(250)
  }
  const last = samples.at(-1)?.length ?? 0
  const workAt = (share: number): number => samples.find(({ length }) => length >= last * share)?.workMs ?? 0
  const quartersMs = [0, 0.25, 0.5, 0.75].map((share) => workAt(share + 0.25) - workAt(share))
  const seconds = (performance.now() - begun) / 1000
  const { long, now } = await page.evaluate(() => ({
    long: (window as unknown as { long: number[] }).long,
    now: document.querySelector('[data-scroller]')?.scrollTop ?? 0,
  }))
  await page.close()
  return {
    characters,
    seconds,
    messages: turns * 2,
    longTasksMs: long,
    quartersMs,
    nodesLost,
    movedPx: Math.abs(now - (top ?? now)),
    openMs,
  }
}

/** A long answer streams into a long chat, in a real Chromium over a core that plays its part. Null: there is no Chromium. */
export async function benchStreaming({ turns = 250, characters = 20_000 } = {}): Promise<StreamingBench | null> {
  if (chromiumPath === null) return null
  const home = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  const webDir = join(home, 'web')
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.renderer.config.ts', '--outDir', webDir, '--logLevel', 'error']
  if (spawnSync(process.execPath, vite, { stdio: 'inherit' }).status !== 0) throw new Error('the interface could not be built')
  const sampleDir = join(process.cwd(), 'resources', 'sample-library')
  const host = await serveFake(webDir, { scenario: 'normal', sampleDir, longChat: turns, settings: { language: 'en' } })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    return await measure(browser, host.url, turns, characters)
  } finally {
    await browser.close()
    await host.close()
    rmSync(home, { recursive: true, force: true })
  }
}
