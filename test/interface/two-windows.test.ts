import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath } from './browser.ts'

const english = { settings: { language: 'en' as const } }
const title = 'Compare the two insurance offers'

describe.skipIf(chromiumPath === null)('two windows', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a chat that another window deletes is said to be deleted, brought back, and a question goes on in it', async () => {
    const one = await open(english)
    const { page } = one
    await page.click(`aside a:has-text("${title}")`)
    await page.waitForSelector(`h1:has-text("${title}")`)
    const other = await page.context().newPage()
    await other.goto(one.host.url)
    await other.hover(`aside [role=listitem]:has-text("${title}")`)
    await other.click(`button[aria-label="Actions for “${title}”"]`)
    await other.click('[role=menuitem]:has-text("Delete")')
    // The page in front looks every few seconds, a hidden one more rarely.
    await page.bringToFront()
    const said = page.locator('[role=alert]:has-text("deleted in another window")')
    await said.waitFor({ timeout: 60_000 })
    await said.locator('button:has-text("Undo")').click()
    await said.waitFor({ state: 'detached' })
    await page.waitForSelector(`aside a:has-text("${title}")`)
    await ask(page, 'deposit?')
    await page.waitForSelector('article >> nth=1 >> footer')
    await finish(one)
  })

  test('a question into a deleted chat says so at once, and is answered once the chat is back', async () => {
    const one = await open(english)
    const { page } = one
    await page.click(`aside a:has-text("${title}")`)
    await page.waitForSelector('article footer')
    const other = await page.context().newPage()
    await other.goto(one.host.url)
    await other.hover(`aside [role=listitem]:has-text("${title}")`)
    await other.click(`button[aria-label="Actions for “${title}”"]`)
    await other.click('[role=menuitem]:has-text("Delete")')
    await other.waitForSelector('text=was deleted')
    await ask(page, 'deposit?')
    await page.click('[role=alert]:has-text("deleted in another window") button:has-text("Undo")', { timeout: 60_000 })
    await page.click('article [role=alert] button:has-text("Try again")')
    await page.waitForSelector('article >> nth=1 >> footer')
    await finish(one)
  })

  test('to undo the deletion of the open chat leads back into it', async () => {
    const one = await open(english)
    const { page } = one
    await page.click(`aside a:has-text("${title}")`)
    await page.waitForSelector(`h1:has-text("${title}")`)
    await page.hover(`aside [role=listitem]:has-text("${title}")`)
    await page.click(`button[aria-label="Actions for “${title}”"]`)
    await page.click('[role=menuitem]:has-text("Delete")')
    await page.waitForSelector('h1:has-text("New chat")')
    await page.click('[data-toasts] button:has-text("Undo")')
    await page.waitForSelector(`h1:has-text("${title}")`)
    expect(await page.locator('article').count()).toBe(1)
    await finish(one)
  })
})
