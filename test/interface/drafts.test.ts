import { describe, expect, test } from 'vitest'
import { serveFake } from '../fakes/serve-fake.ts'
import { ask, builtInterface, chromiumPath, goTo, sampleDir } from './browser.ts'

const english = { settings: { language: 'en' as const } }

describe.skipIf(chromiumPath === null)('what is being written', { timeout: 120_000 }, () => {
  const { open, finish, webDir } = builtInterface()

  test('the limits of attachments hold for files that are given while others are still read', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    const input = page.locator('form input[type=file]')
    await input.evaluate((element: HTMLInputElement) => {
      for (let round = 0; round < 3; round += 1) {
        const given = new DataTransfer()
        for (let at = 0; at < 15; at += 1) given.items.add(new File(['x'], `${round}-${at}.txt`, { type: 'text/plain' }))
        element.files = given.files
        element.dispatchEvent(new Event('change', { bubbles: true }))
      }
    })
    await page.waitForSelector('text=/20 files at most/')
    await page.waitForTimeout(500)
    expect(await page.locator('form ul[aria-label=Attachments] li').count()).toBe(20)
    await finish(one)
  })

  test('a picture that is none is refused with words', async () => {
    const one = await open(english)
    await one.page.click('form label:has-text("Agent")')
    await one.page.locator('form input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') })
    await one.page.waitForSelector('text=“a.png” is no picture that can be read')
    expect(await one.page.locator('form ul[aria-label=Attachments]').count()).toBe(0)
    await finish(one)
  })

  test('each chat has its own draft and attachments, and Ask leads back to the chat that one was in', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await page.fill('#composer', 'for a new chat')
    await page.locator('form input[type=file]').setInputFiles({ name: 'n.txt', mimeType: 'text/plain', buffer: Buffer.from('n') })
    await page.waitForSelector('form li:has-text("n.txt")')
    await page.click('aside a:has-text("Compare the two")')
    await page.waitForSelector('h1:has-text("Compare the two")')
    expect([await page.inputValue('#composer'), await page.locator('form ul[aria-label=Attachments]').count()]).toEqual(['', 0])
    await goTo(page, 'memory')
    await goTo(page, 'ask')
    await page.waitForSelector('h1:has-text("Compare the two")')
    await page.click('button[aria-label="New chat"]')
    await page.waitForSelector('form li:has-text("n.txt")')
    expect(await page.inputValue('#composer')).toBe('for a new chat')
    await finish(one)
  })

  test('what is written while the core is away, or asked of it in vain, is there again once it is back', async () => {
    const options = { scenario: 'normal', sampleDir, fast: true, ...english } as const
    const one = await open(english)
    const { page } = one
    const port = Number(new URL(one.host.url).port)
    await page.click('aside a:has-text("Compare the two")')
    await page.waitForSelector('h1:has-text("Compare the two")')
    await one.host.close()
    await page.fill('#composer', 'typed while it was away')
    const again = await serveFake(webDir, options, port)
    try {
      await page.goto(one.host.url)
      await page.click('aside a:has-text("Compare the two")')
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'typed while it was away')
      // It has come to the core, which keeps it from now on.
      await page.waitForFunction(() => Object.keys(localStorage).every((key) => !key.startsWith('siku.unsaved.')))
    } finally {
      await again.close()
    }
    await ask(page, 'asked in vain')
    await page.waitForSelector('article [role=alert]')
    const third = await serveFake(webDir, options, port)
    try {
      await page.goto(one.host.url)
      await page.click('aside a:has-text("Compare the two")')
      await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#composer')?.value === 'asked in vain')
      await finish(one, /WebSocket connection|Failed to (load resource|fetch)/)
    } finally {
      await third.close()
    }
  })
})
