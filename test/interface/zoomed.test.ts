import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo } from './browser.ts'

const english = { settings: { language: 'en' as const } }
/** A window of 900 by 600 at 200 %. */
const zoomed = { width: 450, height: 300 }

/** What stands in the head of the page and cannot be reached whole. */
async function outside(page: Page): Promise<string[]> {
  return page.locator('main > header').evaluate((header) => {
    const { right } = header.getBoundingClientRect()
    return [...header.querySelectorAll('h1, input, button')]
      .filter((each) => each.getBoundingClientRect().right > right + 0.5)
      .map((each) => each.textContent)
  })
}

describe.skipIf(chromiumPath === null)('at 200 %', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test.each(['en', 'zh'] as const)('the heads of the pages are whole, and each action keeps its name (%s)', async (language) => {
    const one = await open({ settings: { language } }, zoomed)
    for (const screen of ['library', 'memory', 'models', 'evaluate', 'settings']) {
      await goTo(one.page, screen)
      await one.page.waitForSelector('main > header h1')
      expect([screen, await outside(one.page)]).toEqual([screen, []])
    }
    await goTo(one.page, 'library')
    await one.page
      .getByRole('button', { name: language === 'en' ? 'Add a folder' : '添加文件夹' })
      .first()
      .waitFor()
    await goTo(one.page, 'memory')
    await one.page
      .getByRole('button', { name: language === 'en' ? 'Delete all' : '全部删除' })
      .first()
      .waitFor()
    await finish(one)
  })

  test('names in the list of documents can be told apart', async () => {
    const one = await open(english, zoomed)
    await goTo(one.page, 'library')
    const name = one.page.locator('[data-row="0"] > span').first()
    await name.waitFor()
    expect((await name.boundingBox())?.width ?? 0).toBeGreaterThan(150)
    await finish(one)
  })

  test('the reader says the place, and the button that called the chats sends them away again', async () => {
    const one = await open(english, zoomed)
    const { page } = one
    await page.click('button[aria-label="Chats"]')
    await page.waitForSelector('aside[aria-label="Chats"]')
    await page.click('button[aria-label="Chats"]', { timeout: 5000 })
    await page.waitForSelector('aside[aria-label="Chats"]', { state: 'detached' })
    await page.click('button[aria-label="Chats"]')
    await page.locator('aside[aria-label="Chats"] input').press('Escape')
    await page.waitForSelector('aside[aria-label="Chats"]', { state: 'detached' })
    await ask(page, '押金')
    await page.locator('[data-answer] button.chip').first().click()
    const place = page.locator('aside.reader h2 > span:has-text("p. 2")')
    await place.waitFor()
    expect(await place.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await finish(one)
  })
})
