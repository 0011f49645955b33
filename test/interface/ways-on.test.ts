import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask, builtInterface, chromiumPath, goTo, section, violations } from './browser.ts'

const english = { settings: { language: 'en' as const } }

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.fill('input[role=combobox]', text)
  await page.waitForSelector('[role=option]')
}

const mode = (page: Page) => page.locator('input[name=composer-mode]:checked').getAttribute('aria-label')

describe.skipIf(chromiumPath === null)('the interface leads on where one would stand still', { timeout: 120_000 }, () => {
  const { open, finish } = builtInterface()

  test('a note that failed for want of a folder says so in its row, and the folder is chosen there', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await ask(page, 'broken')
    await page.waitForSelector('article footer')
    const rows = page.locator('ul[aria-label="Tool calls"]')
    expect(await rows.locator('details[open]').count()).toBe(0)
    expect(await rows.innerText()).toContain('There is no document “lease.pdf”.')
    expect(await rows.locator('a[href="#/settings/network"]').count()).toBe(1)
    const row = rows.locator('li', { hasText: 'No folder for notes has been chosen, so nothing was written.' })
    await row.locator('button:has-text("Choose")').click()
    await page.click('dialog button:has-text("Use this")')
    await page.waitForSelector('text=Nothing was written. Notes go into /home/lin from now on')
    expect(await row.locator('button:has-text("Choose")').count()).toBe(0)
    await section(page, 'notes')
    await page.waitForSelector('#section-notes:has-text("/home/lin")')
    await finish(one)
  })

  test('a note that was written says where it lies', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('form label:has-text("Agent")')
    await ask(page, 'the lease and a trip')
    await page.click('[data-approval] button:not([aria-disabled=true]):has-text("Allow once")')
    await page.waitForSelector('article footer')
    expect(await page.locator('ul[aria-label="Tool calls"]').innerText()).toContain('/home/lin/Notes/Lease and trip.md')
    await finish(one)
  })

  test('the reader of a citation goes with its chat; a document that was opened by itself stays', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'When is the deposit paid back?')
    await page.waitForSelector('article footer')
    await page.click('[data-answer] .chip >> nth=0')
    await page.waitForSelector('aside.reader')
    await page.click('aside button[aria-label="New chat"]')
    await page.waitForSelector('aside.reader', { state: 'detached' })
    await openPalette(page, 'manual')
    await page.click('[role=option]:has-text("Document") >> nth=0')
    await page.waitForSelector('aside.reader')
    await page.click('aside [role=listitem] a >> nth=0')
    await page.waitForSelector('article')
    expect(await page.locator('aside.reader').count()).toBe(1)
    await finish(one)
  })

  test('a new chat is in the mode that was used last, wherever that was', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'When is the deposit paid back?')
    await page.waitForSelector('article footer')
    await page.click('form label:has-text("Agent")')
    await page.click('aside button[aria-label="New chat"]')
    await page.waitForSelector('text=Ask your own library')
    expect(await mode(page)).toBe('Agent')
    await goTo(page, 'settings')
    await goTo(page, 'ask')
    expect(await mode(page)).toBe('Agent')
    await page.click('form label:has-text("Answer")')
    await page.reload()
    await page.waitForSelector('#composer')
    expect(await mode(page)).toBe('Answer')
    await finish(one)
  })

  test('the offline switch is thrown from the palette, and the conversation says that it is on', async () => {
    const one = await open(english)
    const { page } = one
    await openPalette(page, 'offline')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Siku is offline: nothing but this computer is contacted.')
    const sign = page.locator('main header a:has-text("Offline")')
    await sign.waitFor()
    expect(await violations(page)).toEqual([])
    await sign.click()
    await page.waitForSelector('#section-network')
    await openPalette(page, 'offline')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Siku may use the network again.')
    expect(await page.locator('#section-network input[role=switch]').isChecked()).toBe(false)
    await finish(one)
  })

  test('the palette backs up, adds a folder, and finds every section of the settings', async () => {
    const one = await open(english)
    const { page } = one
    await openPalette(page, 'backup')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=The library was backed up.')
    await openPalette(page, 'add a folder')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog:has-text("Add a folder") input')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    for (const [text, part] of [
      ['folder for notes', 'notes'],
      ['health', 'health'],
      ['backups', 'backups'],
      ['network', 'network'],
    ] as const) {
      await openPalette(page, text)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`#section-${part}`)
      await page.waitForFunction((name) => {
        const place = document.querySelector(`#section-${name}`)?.getBoundingClientRect()
        return place !== undefined && place.top >= 0 && place.top < innerHeight - 60
      }, part)
    }
    await finish(one)
  })

  test('in a small window the palette ends inside it', async () => {
    const one = await open(english, { width: 900, height: 600 })
    const { page } = one
    await page.keyboard.press('Control+k')
    await page.waitForSelector('[role=option]')
    await page.keyboard.press('ArrowUp')
    const place = await page.locator('[role=option][aria-selected=true]').evaluate((option) => ({
      option: option.getBoundingClientRect().bottom,
      dialog: option.closest('dialog')?.getBoundingClientRect().bottom ?? Infinity,
    }))
    expect(place.dialog).toBeLessThan(600)
    expect(place.option).toBeLessThanOrEqual(place.dialog)
    await finish(one)
  })

  test.each([
    { width: 1280, height: 840 },
    { width: 900, height: 600 },
  ])('the settings have contents that lead to each section, at $width × $height', async (size) => {
    const one = await open(english, size)
    const { page } = one
    await goTo(page, 'settings')
    await page.waitForSelector('#section-about')
    const links = page.locator('nav[aria-label=Sections] a')
    expect(await links.count()).toBe(15)
    for (let twice = 0; twice < 2; twice += 1) {
      await page.click('nav[aria-label=Sections] a:has-text("Backups")')
      await page.waitForFunction(() => {
        const place = document.querySelector('#section-backups')?.getBoundingClientRect()
        return place !== undefined && place.top >= 0 && place.top < innerHeight - 60
      })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('section-backups')
      await page.locator('.settings-page').evaluate((scroller) => scroller.scrollTo(0, 0))
    }
    expect(await violations(page)).toEqual([])
    await finish(one)
  })

  test('the menu of a chat opens with a right click; that of the sample library has its name', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('aside [role=listitem] a >> nth=0', { button: 'right' })
    await page.waitForSelector('[role=menuitem]:has-text("Rename")')
    await page.keyboard.press('Escape')
    await goTo(page, 'library')
    await page.waitForSelector('button[aria-label="Actions for Sample library"]')
    await finish(one)
  })

  test('why a sentence is underlined is reached by key and by touch, with its sources', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'When is the deposit paid back?')
    await page.waitForSelector('article footer')
    const list = page.locator('details[data-weak-list]')
    await list.locator('summary').focus()
    await page.keyboard.press('Enter')
    await list.locator('li').waitFor()
    const sentence = (await page.locator('[data-weak] >> nth=0').textContent()) ?? ''
    const why = (await page.locator('[data-weak] >> nth=0').getAttribute('title')) ?? 'nothing'
    const told = await list.locator('li').innerText()
    expect([told.includes(sentence.slice(0, 20)), told.includes(why)]).toEqual([true, true])
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await list.locator('li').waitFor({ state: 'hidden' })
    await page.click('[data-weak] >> nth=0')
    await list.locator('li[data-asked]').waitFor()
    await finish(one)
  })

  test('a page whose Siku is gone says what to do', async () => {
    const one = await open(english)
    const { page } = one
    await page.routeWebSocket(/\/rpc$/, (socket) => void socket.close())
    one.host.drop()
    await page.waitForSelector('[role=status]:has-text("Open the address that its terminal shows, or start it with npm start.")')
    await finish(one, /WebSocket connection/)
  })

  test('a restore that waits says how Siku is ended in a terminal', async () => {
    const one = await open({ ...english, scenario: 'own' })
    const { page } = one
    await section(page, 'backups')
    await page.click('#section-backups li button:has-text("Restore")')
    await page.click('dialog button:has-text("Restore")')
    await page.waitForSelector('#section-backups [role=status]:has-text("Ctrl+C")')
    await finish(one)
  })

  test('the reader that covers a small window leads back to the answer', async () => {
    const one = await open(english, { width: 900, height: 600 })
    const { page } = one
    await ask(page, 'When is the deposit paid back?')
    await page.waitForSelector('article footer')
    await page.click('[data-answer] .chip >> nth=0')
    await page.waitForSelector('aside.reader p:has-text("Citation 1 in the answer to “When is the deposit paid back?”")')
    expect(await violations(page)).toEqual([])
    await page.click('aside.reader button:has-text("Back to the answer")')
    await page.waitForSelector('aside.reader', { state: 'detached' })
    await page.waitForSelector('[data-answer] .chip:focus')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.click('[data-answer] .chip >> nth=0')
    await page.waitForSelector('aside.reader')
    expect(await page.isVisible('aside.reader button:has-text("Back")')).toBe(false)
    await finish(one)
  })

  test('an imported chat says that it is one', async () => {
    const one = await open(english)
    const { page } = one
    await page.click('aside [role=listitem] a >> nth=0', { button: 'right' })
    const download = page.waitForEvent('download')
    await page.click('[role=menuitem]:has-text("JSON")')
    const file = await (await download).path()
    const choosing = page.waitForEvent('filechooser')
    await page.click('button[aria-label="Import a chat (JSON)"]')
    await (await choosing).setFiles(file)
    await page.waitForSelector('text=The chat was imported.')
    await page.waitForSelector('main header:has-text("Imported")')
    await finish(one)
  })

  test('a searched list of chats shows what was found, marked', async () => {
    const one = await open(english)
    const { page } = one
    await ask(page, 'When is the deposit paid back?')
    await page.waitForSelector('article footer')
    await page.waitForSelector('aside [role=listitem] a:has-text("When is the deposit paid back?")')
    const word = await page.locator('[data-answer]').evaluate((answer) => /[a-z]{5,}/.exec(answer.textContent.slice(0, 150))?.[0] ?? '')
    await page.fill('aside[aria-label=Chats] input', word)
    await page.waitForSelector('aside[aria-label=Chats] [role=listitem] mark')
    expect(await page.textContent('aside[aria-label=Chats] [role=listitem] mark >> nth=0')).toBe(word)
    expect(await violations(page)).toEqual([])
    await finish(one)
  })

  test('a question shows the document that it was asked of', async () => {
    const one = await open(english)
    const { page } = one
    await page.fill('#composer', '@Price')
    await page.click('[role=option]:has-text("Price list 2026.md")')
    await page.locator('#composer').pressSequentially('What is in it?')
    await page.press('#composer', 'Enter')
    await page.waitForSelector('article ul[aria-label="Asked of"] li:has-text("Price list 2026.md")')
    await finish(one)
  })
})
