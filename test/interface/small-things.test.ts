import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('what is easily overlooked', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a row of the chats cannot be scrolled sideways', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'A question that is much longer than the list of chats is wide, so that its end is not seen')
    const row = page.locator('aside [role=listitem] a').first()
    await row.locator('text=A question that').first().waitFor()
    expect(
      await row.evaluate((element) => {
        element.scrollLeft = 50
        return element.scrollLeft
      }),
    ).toBe(0)
    await finish(one)
  })

  test('a chat that is gone says so, and leads to a new one', async () => {
    const one = await open(english)
    const { page } = one
    await page.evaluate(() => {
      location.hash = '#/ask/no-such-chat'
    })
    await page.waitForSelector('text=This chat was deleted')
    await page.click('main button:has-text("New chat")')
    await page.waitForSelector('text=This chat was deleted', { state: 'detached' })
    await finish(one)
  })

  test('the head of a chat has the name that the list has, also one that another window gave', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('aside a:has-text("Compare the two")')
    await page.waitForSelector('h1:has-text("Compare the two")')
    await page.hover('aside [role=listitem]:has-text("Compare the two")')
    await page.click('button[aria-label^="Actions for “Compare the two"]')
    await page.click('[role=menuitem]:has-text("Rename")')
    await page.fill('aside input.field[aria-invalid]', 'Insurance')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("Insurance")')
    await finish(one)
  })

  test('Enter while an answer is written says why nothing is sent, and the text stays', async () => {
    const one = await open({ ...english, still: true })
    const { page } = one
    await ask(page, 'deposit?')
    await page.waitForSelector('button[title="Stop"]')
    await page.fill('#composer', 'and then?')
    await page.press('#composer', 'Enter')
    await page.waitForSelector('[data-toasts] >> text=still being written')
    expect(await page.inputValue('#composer')).toBe('and then?')
    await finish(one)
  })

  test('an address that is none is said when it is tried, and a provider that was added is shown', async () => {
    const one = await open(english)
    const { page } = one
    await goTo(page, 'models')
    await page.click('main button:has-text("Add a provider")')
    const fields = page.locator('dialog input.field')
    await fields.nth(0).fill('Mine')
    await fields.nth(1).fill('not a url')
    await page.click('dialog button:has-text("Test")')
    await page.waitForSelector('dialog [role=alert]:has-text("This is no address")')
    await fields.nth(1).fill('http://127.0.0.1:9/v1')
    await page.click('dialog button:has-text("Save")')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.waitForSelector('[data-toasts] >> text=Mine was added')
    await finish(one)
  })

  test('the rows of the library stay until those of another filter are there', async () => {
    const one = await open(english)
    const { page } = one
    await goTo(page, 'library')
    await page.waitForSelector('[data-row="0"]')
    await page.evaluate(() => {
      const seen = window as unknown as { least: number }
      seen.least = Infinity
      const look = () => {
        seen.least = Math.min(seen.least, document.querySelectorAll('[data-row]').length)
        requestAnimationFrame(look)
      }
      look()
    })
    await page.click('[role=group] button:has-text("Name")')
    await page.waitForSelector('[role=group] button[aria-pressed=true]')
    await page.waitForTimeout(500)
    expect(await page.evaluate(() => (window as unknown as { least: number }).least)).toBeGreaterThan(0)
    await finish(one)
  })
})
