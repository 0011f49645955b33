import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo } from './browser.ts'

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
    expect(await page.locator('nav a').count()).toBe(6)
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

  test('after a restart of the core nothing waits in an old window: card, hand and dot are gone, and it was broken off', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await ask(page, 'two notes')
    await page.waitForSelector('[data-approval]')
    await page.waitForSelector('aside [role=listitem]:has-text("Waits for your word.")')
    one.host.crash()
    await page.waitForSelector('text=Broken off: Siku was ended while this was written.')
    expect(
      await page.locator('[data-approval], aside [role=listitem]:has-text("Waits"), nav [data-tone=busy], article .spinner').count(),
    ).toBe(0)
    expect(await page.locator('article footer').textContent()).not.toContain('Without a model')
    await finish(one, failedLoads)
  })

  test('a question that did not reach the core is asked again with what was attached to it', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await page.locator('form input[type=file]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') })
    await page.waitForSelector('form li:has-text("note.txt")')
    await ask(page, 'unsent, many')
    await page.click('article button:has-text("Try again")')
    await page.waitForSelector('[data-answer]')
    expect(await page.locator('article ul[aria-label=Attachments]').allTextContents()).toEqual(['note.txt'])
    await finish(one)
  })

  test('while the connection is lost no word can be given, and that is said once and truly', async () => {
    const one = await open(english)
    const { page } = one
    let away = false
    await page.routeWebSocket(/\/rpc$/, (socket) => (away ? void socket.close() : void socket.connectToServer()))
    await page.reload()
    await page.click('form label:has-text("Agent")')
    await ask(page, 'two notes')
    await page.waitForSelector('[data-approval] button:not([aria-disabled=true])')
    away = true
    one.host.drop()
    await page.waitForSelector('[data-approval] :text("There is no connection to Siku")')
    expect(await page.locator('[data-approval] button:not([aria-disabled=true])').count()).toBe(0)
    expect(await page.locator('header .dot[data-tone=ok]').count()).toBe(0)
    away = false
    await page.click('[data-approval] button:has-text("Refuse")')
    await page.waitForSelector('[data-approval]:has-text("Second")')
    await finish(one, failedLoads)
  })
})
