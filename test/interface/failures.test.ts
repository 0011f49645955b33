import { describe, expect, test } from 'vitest'
import { builtInterface, chromiumPath, goTo } from './browser.ts'

const english = { settings: { language: 'en' as const } }
/** What a browser says by itself of a request that failed. */
const failedLoads = /Failed to (load resource|fetch)|net::ERR_FAILED|WebSocket connection/

describe.skipIf(chromiumPath === null)('the interface when something fails', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a page that cannot be fetched says so in its place, the rest stays, and it comes by Try again or a new connection', async () => {
    const one = await open(english)
    const { page } = one
    let blocked = true
    await page.route(/assets\/(memory|models)-[^/]*\.js/, (route) => (blocked ? route.abort() : route.continue()))
    await page.reload()
    await goTo(page, 'memory')
    await page.waitForSelector('[role=alert]:has-text("could not be fetched")')
    expect(await page.locator('nav a').count()).toBe(5)
    await goTo(page, 'ask')
    await page.waitForSelector('#composer')
    await goTo(page, 'memory')
    blocked = false
    await page.click('button:has-text("Try again")')
    await page.waitForSelector('h1:has-text("Memory")')
    blocked = true
    await page.reload()
    await goTo(page, 'models')
    await page.waitForSelector('[role=alert]:has-text("could not be fetched")')
    blocked = false
    one.host.drop()
    await page.waitForSelector('main[aria-label=Models]')
    await finish(one, failedLoads)
  })
})
