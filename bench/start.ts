/// <reference lib="dom" />
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { chromiumFlags, chromiumPath } from '../test/fakes/chromium.ts'
import { median, startHost } from './hosts.ts'

interface Start {
  /** From the start of the host's process until what is typed stands in the question box. */
  usableMs: number
  /** The same until the library, opened by its key, shows its documents. */
  libraryMs: number
}

export interface StartBench {
  passages: number
  rounds: { full: Start; empty: Start; load: number }[]
  full: Start
  empty: Start
  ratio: { usable: number; library: number }
}

let starts = 0

/** What was typed at an earlier start stands in the box again: each types a letter of its own. */
function nextLetter(): string {
  starts += 1
  return String.fromCodePoint('a'.charCodeAt(0) + (starts % 26))
}

async function start(browser: Browser, home: string): Promise<Start> {
  const letter = nextLetter()
  const startedAt = performance.now()
  const host = await startHost(home)
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 }, locale: 'en-GB' })
  try {
    const page = await context.newPage()
    await page.goto(host.address)
    await page.waitForSelector('#composer:focus')
    await page.keyboard.type(letter)
    await page.waitForFunction((typed) => document.querySelector<HTMLTextAreaElement>('#composer')?.value.includes(typed), letter)
    const usableMs = performance.now() - startedAt
    await page.keyboard.press('Alt+2')
    await page.waitForSelector('[data-row="0"] span')
    return { usableMs, libraryMs: performance.now() - startedAt }
  } finally {
    await context.close()
    await host.close()
  }
}

/** A window over a big library against one over an empty library in the same host, by turns. Null: there is no Chromium. */
export async function benchStart({
  passages,
  fill,
  rounds = 5,
}: {
  passages: number
  /** Makes the big library, in a process of its own. */
  fill: (home: string) => void
  rounds?: number
}): Promise<StartBench | null> {
  if (chromiumPath === null) return null
  const homes = mkdtempSync(join(tmpdir(), 'siku-bench-'))
  const [big, small] = [join(homes, 'full'), join(homes, 'empty')]
  fill(big)
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  try {
    // The first start of each adds the sample library and brings the search index up to date.
    await start(browser, big)
    await start(browser, small)
    const measured: StartBench['rounds'] = []
    for (let round = 0; round < rounds; round += 1) {
      const first = round % 2 === 0 ? big : small
      const one = await start(browser, first)
      const other = await start(browser, first === big ? small : big)
      measured.push({ full: first === big ? one : other, empty: first === big ? other : one, load: loadavg()[0] ?? 0 })
    }
    const middle = (of: 'full' | 'empty'): Start => ({
      usableMs: median(measured.map((round) => round[of].usableMs)),
      libraryMs: median(measured.map((round) => round[of].libraryMs)),
    })
    const [full, empty] = [middle('full'), middle('empty')]
    const ratio = { usable: full.usableMs / empty.usableMs, library: full.libraryMs / empty.libraryMs }
    return { passages, rounds: measured, full, empty, ratio }
  } finally {
    await browser.close()
    rmSync(homes, { recursive: true, force: true, maxRetries: 5 })
  }
}
