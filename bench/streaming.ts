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

/** What the page has worked so far, without what was done in it to measure: `own` grows with each look. */
async function workMs(session: CDPSession, page: Page): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const ownMs = await page.evaluate(() => (window as unknown as Measured).own.reduce((sum, [from, to]) => sum + to - from, 0))
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000 - ownMs
}

interface Measured {
  /** Tasks over 50 ms, as [begun, ended]. */
  long: [number, number][]
  /** When something was looked up in the page to measure it. */
  own: [number, number][]
  /** Blocks that were finished half-way. */
  marked: number
  time: <Value>(look: () => Value) => Value
}

/** In the page, before anything else is measured. */
function prepare(): void {
  const own: Measured['own'] = []
  const long: Measured['long'] = []
  new PerformanceObserver((list) => {
    long.push(...list.getEntries().map(({ startTime, duration }): [number, number] => [startTime, startTime + duration]))
  }).observe({ entryTypes: ['longtask'] })
  const time: Measured['time'] = (look) => {
    const begun = performance.now()
    const found = look()
    own.push([begun, performance.now()])
    return found
  }
  Object.assign(window, { long, own, time, marked: 0 })
}

/** The tasks that are still over 50 ms without what was measured in them, in ms. */
function longTasks({ long, own }: Pick<Measured, 'long' | 'own'>): number[] {
  const overlap = ([from, to]: [number, number]): number =>
    own.reduce((sum, [begun, ended]) => sum + Math.max(0, Math.min(to, ended) - Math.max(from, begun)), 0)
  return long.map((task) => task[1] - task[0] - overlap(task)).filter((ms) => ms > 50)
}

const answerLength = (page: Page): Promise<number> =>
  page.evaluate(() =>
    (window as unknown as Measured).time(() => [...document.querySelectorAll('[data-answer]')].at(-1)?.textContent.length ?? 0),
  )

/** Of the blocks that were finished half-way: what was made anew. The check at the end, which underlines, is none of it. */
const lostNodes = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { marked, time } = window as unknown as Measured
    return time(() => {
      const blocks = [...document.querySelectorAll('article[aria-busy=true] [data-block]')].slice(0, marked)
      const nodes = blocks.flatMap((block) => [...block.querySelectorAll('*')])
      return nodes.filter((node) => (node as { kept?: boolean }).kept !== true).length
    })
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
  await page.evaluate(prepare)
  await page.fill('#composer', 'stream')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('article[aria-busy=true] [data-block="2"]')
  const begun = performance.now()
  const samples: { length: number; workMs: number }[] = []
  let top: number | null = null
  let nodesLost = 0
  while ((await page.locator('article[aria-busy=true]').count()) > 0 && performance.now() - begun < longestMs) {
    samples.push({ length: await answerLength(page), workMs: await workMs(session, page) })
    // Half-way the reader scrolls up, and what was finished by then is marked.
    if (top === null && performance.now() - begun > 10_000) {
      await page.evaluate(() => {
        const marked = (window as unknown as Measured).time(() => {
          const blocks = [...document.querySelectorAll('article:last-of-type [data-block]')].slice(0, -1)
          for (const node of blocks.flatMap((block) => [...block.querySelectorAll('*')])) Object.assign(node, { kept: true })
          return blocks.length
        })
        Object.assign(window, { marked })
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
  const { long, own, now } = await page.evaluate(() => ({
    long: (window as unknown as Measured).long,
    own: (window as unknown as Measured).own,
    now: document.querySelector('[data-scroller]')?.scrollTop ?? 0,
  }))
  await page.close()
  return {
    characters,
    seconds,
    messages: turns * 2,
    longTasksMs: longTasks({ long, own }),
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
