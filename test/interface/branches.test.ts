import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, violations } from './browser.ts'

const english = { settings: { language: 'en' as const } }

const questions = (page: Page) => page.locator('article').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))

/** Asks and waits for the whole answer. */
async function askWhole(page: Page, question: string, answers: number): Promise<void> {
  await ask(page, question)
  await page.waitForFunction((count) => document.querySelectorAll('article footer').length === count, answers)
}

describe.skipIf(chromiumPath === null)('a chat with branches', { timeout: 180_000 }, () => {
  const { open, finish } = builtInterface()

  test('a question is edited in its place, and each version keeps what came after it', async () => {
    const one = await open(english)
    const { page } = one
    await askWhole(page, 'first', 1)
    await askWhole(page, 'second', 2)
    await askWhole(page, 'third', 3)
    await page.fill('#composer', 'a draft that stays')
    await page.locator('article').nth(1).getByRole('button', { name: 'Edit the question' }).click()
    const box = page.getByRole('textbox', { name: 'Edit the question' })
    await box.fill('second, edited')
    // An input method's Enter sends nothing, and Esc gives up.
    await box.evaluate((element) =>
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })),
    )
    expect(await questions(page)).toEqual(['first', 'second', 'third'])
    await box.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('article footer').length === 2)
    expect(await questions(page)).toEqual(['first', 'second, edited'])
    expect(await page.inputValue('#composer')).toBe('a draft that stays')
    const versions = page.getByRole('group', { name: 'Versions of this question' })
    expect(await versions.textContent()).toBe('2 of 2')
    expect(await violations(page)).toEqual([])
    await versions.getByRole('button', { name: 'Version before' }).press('Enter')
    expect(await questions(page)).toEqual(['first', 'second', 'third'])
    // By keyboard alone there and back.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Next version')
    await page.keyboard.press('Enter')
    expect(await questions(page)).toEqual(['first', 'second, edited'])
    await page.reload()
    await page.waitForSelector('article')
    expect(await questions(page)).toEqual(['first', 'second, edited'])
    await finish(one)
  })

  test('an answer is made again beside the one before it, also in the middle of a chat', async () => {
    const one = await open(english)
    const { page } = one
    await askWhole(page, 'first', 1)
    await askWhole(page, 'second', 2)
    await page.locator('article').first().getByRole('button', { name: 'Answer again' }).click()
    await page.waitForSelector('text=2 of 2')
    await page.waitForSelector('article footer')
    expect(await questions(page)).toEqual(['first'])
    await page.getByRole('button', { name: 'Version before' }).click()
    expect(await questions(page)).toEqual(['first', 'second'])
    await finish(one)
  })

  test('the chat goes on from an earlier answer, and what came after it is found again', async () => {
    const one = await open(english)
    const { page } = one
    await askWhole(page, 'first', 1)
    await askWhole(page, 'second', 2)
    await page.locator('article').first().getByRole('button', { name: 'Go on from here' }).click()
    expect(await questions(page)).toEqual(['first'])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer')
    await page.getByRole('button', { name: 'Back to what came after' }).click()
    expect(await questions(page)).toEqual(['first', 'second'])
    await page.locator('article').first().getByRole('button', { name: 'Go on from here' }).click()
    await askWhole(page, 'another second', 2)
    expect(await questions(page)).toEqual(['first', 'another second'])
    await page.getByRole('button', { name: 'Version before' }).click()
    expect(await questions(page)).toEqual(['first', 'second'])
    await finish(one)
  })

  test('a question that did not reach the core is tried again without leaving a version', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'unsent')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForSelector('article footer')
    expect(await questions(page)).toEqual(['unsent'])
    expect(await page.getByRole('group', { name: 'Versions of this question' }).count()).toBe(0)
    await finish(one)
  })
})
